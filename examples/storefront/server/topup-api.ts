import { randomUUID } from 'node:crypto';
import { getRequestListener } from '@hono/node-server';
import type { Connect, Plugin } from 'vite';
import { basePath, createApi } from './api.ts';

/** Service to connect to. The default is the sandbox on this machine (`npx -y pnpm@12 start`). */
export interface ServiceAddress {
  baseUrl?: string;
  apiKey?: string;
  /** `false` for tests, where all visitors have the same IP address. */
  rateLimit?: false;
}

function createMiddleware(service: ServiceAddress): Connect.NextHandleFunction {
  const api = createApi(
    {
      baseUrl: 'http://127.0.0.1:4000/api',
      // The well-known key of every sandbox. A real key comes from the environment.
      apiKey: 'tk_test_sandboxsandboxsandboxsandbox002zG1mv',
      ...service,
    },
    process.env.STOREFRONT_COOKIE_SECRET ?? randomUUID(),
  );
  const listener = getRequestListener(
    (request, { incoming }) => api.fetch(request, { address: incoming.socket.remoteAddress }),
    { overrideGlobalObjects: false },
  );
  return (request, response, next) =>
    request.url?.startsWith(`${basePath}/`) ? void listener(request, response) : next();
}

/** Adds the SDK's proxy to the Vite server. In production, mount `createApi` on your own server. */
export const topupApi = (
  service: ServiceAddress = {
    ...(process.env.TOPUP_BASE_URL && { baseUrl: process.env.TOPUP_BASE_URL }),
    ...(process.env.TOPUP_API_KEY && { apiKey: process.env.TOPUP_API_KEY }),
  },
): Plugin => ({
  name: 'topup-api',
  configureServer: ({ middlewares }) => {
    middlewares.use(createMiddleware(service));
  },
  configurePreviewServer: ({ middlewares }) => {
    middlewares.use(createMiddleware(service));
  },
});
