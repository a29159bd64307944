import { defineConfig } from '@playwright/test';

export default defineConfig({
  testMatch: '*.spec.js',
  use: {
    baseURL: 'http://127.0.0.1:5177',
    locale: 'id-ID',
    mockOptions: { baseUrl: '/api', auth: 'off' },
  },
  webServer: {
    command: 'npx vite --host 127.0.0.1 --port 5177 --strictPort',
    url: 'http://127.0.0.1:5177',
  },
});
