import { storefront } from './vite.config.ts';

/** Configuration for the shop on a server, regardless of the environment; by default on the sandbox of `pnpm dev`. */
export default storefront('server');
