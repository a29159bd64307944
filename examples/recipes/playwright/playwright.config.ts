import { defineConfig } from '@playwright/test';

export default defineConfig({
  testMatch: '*.spec.ts',
  use: { baseURL: 'http://127.0.0.1:5175' },
  // Your app, as you start it: here a page that Vite serves.
  webServer: { command: 'vite --host 127.0.0.1 --port 5175 --strictPort', url: 'http://127.0.0.1:5175' },
});
