import { createTopupProxy } from '@topup-kit/sdk/proxy';

/** Knows the key, so that no page has to: a page's client has `/api/topup` as its `baseUrl`. */
export const proxy = createTopupProxy({
  baseUrl: process.env.TOPUP_BASE_URL ?? 'http://127.0.0.1:4000/api',
  // The well-known key of every sandbox; a real one comes from your environment.
  apiKey: process.env.TOPUP_API_KEY ?? 'tk_test_sandboxsandboxsandboxsandbox002zG1mv',
  basePath: '/api/topup',
});
