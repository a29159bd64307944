/// <reference types="vite/client" />

interface ImportMetaEnv {
  /** `mock`: the whole service in this tab; `server`: the SDK's proxy at `/api/topup`. */
  readonly VITE_TOPUP_BACKEND: 'mock' | 'server';
  /** Whether the service is known to make one order of two requests with the same key. */
  readonly VITE_TOPUP_IDEMPOTENCY: 'supported' | 'detect';
}
