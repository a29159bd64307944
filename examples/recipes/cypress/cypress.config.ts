import { defineConfig } from 'cypress';

export default defineConfig({
  // Where your app runs.
  e2e: { baseUrl: 'http://127.0.0.1:5173' },
});
