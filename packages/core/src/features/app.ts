// Exports the app with the routes of all rooms, for hosts.
export * from '../app/index.ts';
export { mountCallbacks } from './callbacks/routes.ts';
