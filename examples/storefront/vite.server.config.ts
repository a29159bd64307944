import { storefront } from './vite.config.ts';

/** The shop on a server, whatever the environment says: by default on the sandbox of `pnpm dev`. */
export default storefront('server');
