import { createTopupClient } from '@topup-kit/sdk';
import { passWorld } from '@topup-kit/sdk/worlds';
import { getRequestEvent } from '$app/server';

/** Calls the service at TOPUP_BASE_URL with TOPUP_API_KEY, on the server. */
export const client = createTopupClient({
  hooks: { onRequest: passWorld(() => getRequestEvent().request) },
});
