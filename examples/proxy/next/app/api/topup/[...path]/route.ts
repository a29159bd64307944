import { createTopupProxy, type TopupProxy } from '@topup-kit/sdk/proxy';

// Next 14 keeps what its fetch was answered unless it is told not to.
export const dynamic = 'force-dynamic';

let proxy: TopupProxy | undefined;

// Made at the first request: `next build` loads this file too, where no key needs to be.
function handle(request: Request): Promise<Response> {
  proxy ??= createTopupProxy({
    baseUrl: process.env.TOPUP_BASE_URL ?? 'http://127.0.0.1:4000/api',
    apiKey: process.env.TOPUP_API_KEY ?? 'tk_test_sandboxsandboxsandboxsandbox002zG1mv',
    basePath: '/api/topup',
  });
  // The last address is the one that the proxy in front of Next has seen; those before it anybody can write.
  return proxy(request, { address: request.headers.get('X-Forwarded-For')?.split(',').at(-1) });
}

export { handle as GET, handle as OPTIONS, handle as POST };
