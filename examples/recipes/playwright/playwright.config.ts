import { defineConfig } from '@playwright/test';

export default defineConfig({
  testMatch: '*.spec.ts',
  // The service's messages are in the language of the browser, which is `en-US` by default.
  use: { baseURL: 'http://127.0.0.1:5175', locale: 'id-ID' },
  // The command that starts your app. Here Vite serves a page.
  webServer: { command: 'vite --host 127.0.0.1 --port 5175 --strictPort', url: 'http://127.0.0.1:5175' },
});
