import { createTopupProxy } from '@topup-kit/sdk/proxy';

/** Adds the API key, so that the key never reaches a page. The client in a page uses `/api/topup` as its `baseUrl`. */
export const proxy = createTopupProxy({
  baseUrl: process.env.TOPUP_BASE_URL ?? 'http://127.0.0.1:4000/api',
  // The well-known key of every sandbox. A real key comes from the environment.
  apiKey: process.env.TOPUP_API_KEY ?? 'tk_test_sandboxsandboxsandboxsandbox002zG1mv',
  basePath: '/api/topup',
});
