import { createTopupProxy, type TopupProxy } from '@topup-kit/sdk/proxy';

// By default Next 14 caches the responses of fetch.
export const dynamic = 'force-dynamic';

let proxy: TopupProxy | undefined;

// Created at the first request: `next build` loads this file too, and may run without a key.
function handle(request: Request): Promise<Response> {
  proxy ??= createTopupProxy({
    baseUrl: process.env.TOPUP_BASE_URL ?? 'http://127.0.0.1:4000/api',
    apiKey: process.env.TOPUP_API_KEY ?? 'tk_test_sandboxsandboxsandboxsandbox002zG1mv',
    basePath: '/api/topup',
  });
  // The proxy in front of Next added the last address. A visitor can forge the ones before it.
  return proxy(request, { address: request.headers.get('X-Forwarded-For')?.split(',').at(-1) });
}

export { handle as GET, handle as OPTIONS, handle as POST };
