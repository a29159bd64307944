import react from '@vitejs/plugin-react';
import { msw } from 'msw/vite';
import { defaultClientConditions, type UserConfig } from 'vite';
import { topupApi } from './server/topup-api.ts';

const source = '@topup-kit/source';

/** Creates the Vite configuration of the shop for one of its two backends, `mock` or `server`. */
export const storefront = (backend: string): UserConfig => ({
  root: import.meta.dirname,
  define: {
    'import.meta.env.VITE_TOPUP_BACKEND': JSON.stringify(backend),
    // This kit's service honours idempotency keys. For any other service, the client checks whether it does.
    'import.meta.env.VITE_TOPUP_IDEMPOTENCY': JSON.stringify(
      backend === 'server' && process.env.TOPUP_BASE_URL ? 'detect' : 'supported',
    ),
  },
  resolve: { conditions: [source, ...defaultClientConditions] },
  plugins: [react(), backend === 'server' ? topupApi() : msw({ mode: 'worker-only' })],
  // The mock serves the pictures of the service under /assets.
  build: { assetsDir: 'app' },
});

export default storefront(process.env.VITE_TOPUP_BACKEND ?? 'mock');
