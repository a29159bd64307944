import { createTopupProxy, type TopupProxy, type TopupProxyOptions } from '@topup-kit/sdk/proxy';

// By default Next 14 caches the responses of fetch.
export const dynamic = 'force-dynamic';

/** The service behind the proxy: in `next dev`, the mock inside Next, unless TOPUP_BASE_URL names a service. */
async function findService(): Promise<Pick<TopupProxyOptions, 'baseUrl' | 'apiKey' | 'fetch'>> {
  // Next drops this block, and the mock with it, from a build.
  if (process.env.NODE_ENV === 'development' && process.env.TOPUP_BASE_URL === undefined) {
    const { createMockService } = await import('@topup-kit/mock/in-process');
    return createMockService();
  }
  return {
    baseUrl: process.env.TOPUP_BASE_URL ?? 'http://127.0.0.1:4000/api',
    apiKey: process.env.TOPUP_API_KEY ?? 'tk_test_sandboxsandboxsandboxsandbox002zG1mv',
  };
}

async function createProxy(): Promise<TopupProxy> {
  const { baseUrl, apiKey, fetch } = await findService();
  return createTopupProxy({ baseUrl, apiKey, fetch, basePath: '/api/topup' });
}

let proxy: Promise<TopupProxy> | undefined;

// Created at the first request: `next build` loads this file too, and may run without a key.
async function handle(request: Request): Promise<Response> {
  proxy ??= createProxy();
  const send = await proxy;
  // The proxy in front of Next added the last address. A visitor can forge the ones before it.
  return send(request, { address: request.headers.get('X-Forwarded-For')?.split(',').at(-1) });
}

export { handle as GET, handle as OPTIONS, handle as POST };
