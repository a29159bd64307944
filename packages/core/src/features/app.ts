// The app of the house, and the routes of its rooms, for hosts.
export * from '../app/index.ts';
export { mountCallbacks } from './callbacks/routes.ts';
