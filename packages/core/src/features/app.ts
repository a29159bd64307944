// The app of the house and its rooms' routes, for hosts.
export * from '../app/index.ts';
export { mountCallbacks } from './callbacks/routes.ts';
