import react from '@vitejs/plugin-react';
import { msw } from 'msw/vite';
import { defineConfig } from 'vite';

export default defineConfig({
  // Serves MSW's worker script.
  plugins: [react(), msw({ mode: 'worker-only' })],
});
