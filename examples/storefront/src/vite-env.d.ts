/// <reference types="vite/client" />

interface ImportMetaEnv {
  /** `mock`: the whole service in this tab; `server`: the SDK's proxy at `/api/topup`. */
  readonly VITE_TOPUP_BACKEND: 'mock' | 'server';
  /** `supported`: the service creates one order for two requests with the same key; `detect`: the client finds out. */
  readonly VITE_TOPUP_IDEMPOTENCY: 'supported' | 'detect';
}
