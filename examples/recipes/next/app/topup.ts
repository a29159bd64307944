import { createTopupClient } from '@topup-kit/sdk';
import { passWorld } from '@topup-kit/sdk/worlds';
import { headers } from 'next/headers';

// In production without it: reading the headers of the visitor keeps Next from storing the page.
const hooks = process.env.PASS_WORLD === '1' ? { onRequest: passWorld(headers) } : {};

/** Calls the service at TOPUP_BASE_URL with TOPUP_API_KEY, on the server. */
export const client = createTopupClient({ hooks });
