import react from '@vitejs/plugin-react';
import { msw } from 'msw/vite';
import { defaultClientConditions, type UserConfig } from 'vite';
import { topupApi } from './server/topup-api.ts';

const source = '@topup-kit/source';

/** The shop over one of its two backends; `VITE_TOPUP_BACKEND` says which. */
export const storefront = (backend: string): UserConfig => ({
  root: import.meta.dirname,
  define: {
    'import.meta.env.VITE_TOPUP_BACKEND': JSON.stringify(backend),
    // The service of this kit honours keys; whether another one does, the client finds out.
    'import.meta.env.VITE_TOPUP_IDEMPOTENCY': JSON.stringify(
      backend === 'server' && process.env.TOPUP_BASE_URL ? 'detect' : 'supported',
    ),
  },
  resolve: { conditions: [source, ...defaultClientConditions] },
  plugins: [react(), backend === 'server' ? topupApi() : msw({ mode: 'worker-only' })],
  // The mock answers for /assets, where the service has its pictures.
  build: { assetsDir: 'app' },
});

export default storefront(process.env.VITE_TOPUP_BACKEND ?? 'mock');
