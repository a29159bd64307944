import { createTopupClient } from '@topup-kit/sdk';
import { createSignal } from './signal.ts';
import { currentLanguage } from './texts/language.ts';

/** Path of the shop: `/`, or a path relative to the page if only the host decides the path. */
const { BASE_URL } = import.meta.env;

/** Returns the address of a file or a service next to the page. */
export const besidePage = (path: string): string => new URL(BASE_URL + path, location.href).href;

/** Address of the service: the SDK's proxy, or the mock. */
export const serviceUrl = besidePage('api/topup');

/** Address to which the service's payment page returns. The mock's wallet is a screen of the shop. */
export const returnUrl =
  import.meta.env.VITE_TOPUP_BACKEND === 'server' ? besidePage('#/invoice/{order_id}') : undefined;

const online = createSignal(true);

const setOnline = online.set;

/** Tells whether the last request got a response. */
export const useOnline = online.use;

const createClient = (idempotency: 'supported' | 'detect') =>
  createTopupClient({
    baseUrl: serviceUrl,
    idempotency,
    // After 20 seconds, most visitors would leave.
    totalTimeout: 20_000,
    async fetch(request) {
      // Language of the shop, which may differ from the browser's.
      request.headers.set('Accept-Language', currentLanguage());
      try {
        const response = await fetch(request);
        setOnline(true);
        return response;
      } catch (error) {
        if (!request.signal.aborted) setOnline(false);
        throw error;
      }
    },
  });

/** Client for both backends. It has no API key, because the proxy adds the key. */
export let client = createClient(import.meta.env.VITE_TOPUP_IDEMPOTENCY);

/** Prepares the client for a service that may ignore `Idempotency-Key`: it sends an order again only if the service honours keys. */
export function detectIdempotency(): void {
  client = createClient('detect');
}
