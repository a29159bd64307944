import { createTopupClient } from '@topup-kit/sdk/light';

/** The proxy on your server, which adds the API key. An app has no key. */
export const client = createTopupClient({ baseUrl: 'https://shop.example/api/topup' });
