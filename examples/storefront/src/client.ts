import { createTopupClient } from '@topup-kit/sdk';
import { createSignal } from './signal.ts';
import { currentLanguage } from './texts/language.ts';

/** The path of the shop: `/`, or, where only the host decides on it, relative to the page. */
const { BASE_URL } = import.meta.env;

/** The address of a file or a service beside the page. */
export const besidePage = (path: string): string => new URL(BASE_URL + path, location.href).href;

/** Where the service is: the SDK's proxy, or the mock. */
export const serviceUrl = besidePage('api/topup');

/** Where the service's payment page leads back to. The mock's wallet is a screen of the shop. */
export const returnUrl =
  import.meta.env.VITE_TOPUP_BACKEND === 'server' ? besidePage('#/invoice/{order_id}') : undefined;

const online = createSignal(true);

const setOnline = online.set;

/** Whether the last request got a response. */
export const useOnline = online.use;

const createClient = (idempotency: 'supported' | 'detect') =>
  createTopupClient({
    baseUrl: serviceUrl,
    idempotency,
    // After 20 seconds a visitor would leave anyway.
    totalTimeout: 20_000,
    async fetch(request) {
      // The language of the shop, which may be another than the browser's.
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

/** The same client for both backends. It has no API key: the proxy adds it. */
export let client = createClient(import.meta.env.VITE_TOPUP_IDEMPOTENCY);

/** For a service that may ignore `Idempotency-Key`: the client then resends an order only if the service honours keys. */
export function detectIdempotency(): void {
  client = createClient('detect');
}
