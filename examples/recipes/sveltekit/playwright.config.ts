import { defineConfig } from '@playwright/test';

export default defineConfig({
  testMatch: '*.spec.ts',
  fullyParallel: true,
  use: { baseURL: 'http://127.0.0.1:3000' },
  webServer: [
    { command: 'npm run sandbox', url: 'http://127.0.0.1:4000/health' },
    {
      command: 'npm run build && npm run start',
      url: 'http://127.0.0.1:3000',
      timeout: 300_000,
      env: {
        TOPUP_BASE_URL: 'http://127.0.0.1:4000/api',
        // The well-known key of every sandbox.
        TOPUP_API_KEY: 'tk_test_sandboxsandboxsandboxsandbox002zG1mv',
        PORT: '3000',
        ORIGIN: 'http://127.0.0.1:3000',
      },
    },
  ],
});
