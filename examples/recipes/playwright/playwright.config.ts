import { defineConfig } from '@playwright/test';
import type { TopupFixtures } from '@topup-kit/mock/playwright';

export default defineConfig<TopupFixtures>({
  testMatch: '*.spec.ts',
  use: {
    baseURL: 'http://127.0.0.1:5175',
    // The service's messages are in the language of the browser, which is `en-US` by default.
    locale: 'id-ID',
    // Path below which your app requests the service. Your own server would add the key.
    mockOptions: { baseUrl: '/api', auth: 'off' },
  },
  // The command that starts your app. Here Vite serves a page.
  webServer: { command: 'vite --host 127.0.0.1 --port 5175 --strictPort', url: 'http://127.0.0.1:5175' },
});
