import { routes, sandboxKey } from '@topup-kit/core/contract';
import type { LoadRequest } from './load.ts';

export const keyHeaders = { Accept: 'application/json', 'X-API-KEY': sandboxKey };

/** Creates a request that reads a URL with the key of the sandbox. */
export const get = (url: string): LoadRequest => ({
  url,
  method: 'GET',
  headers: keyHeaders,
  expectStatus: 200,
});

/** Order in the contract's example. */
export const orderBody = routes.createOrder.example.body;

/** Order without a promo. Orders with a promo wait for each other, because each of them counts its use in the same row. */
export const bodyWithoutPromo = { ...orderBody, promo_code: null };

/** Creates a request that places an order at a service with this base URL. */
export const postOrder = (baseUrl: string, body: object = orderBody): LoadRequest => ({
  url: `${baseUrl}/order`,
  method: 'POST',
  headers: { ...keyHeaders, 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
  expectStatus: 201,
});

/** Sends a request of the load once. Throws if its response has an unexpected status. */
export async function sendOnce({ url, method, headers, body, expectStatus }: LoadRequest): Promise<Response> {
  const response = await fetch(url, { method, headers, ...(body !== undefined && { body }) });
  if (response.status !== expectStatus)
    throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`);
  return response;
}
