import { routes } from '@topup-kit/core/contract';
import type { MockService } from '@topup-kit/mock/in-process';

/** Request for the state of an order, as a page sends it, and its response. */
export interface Poll {
  url: string;
  headers: Record<string, string>;
  response: { text: string; headers: Record<string, string> };
}

/** Places an order on a mock, and prepares the request that polls the order. */
export async function preparePoll({ baseUrl, apiKey, fetch }: MockService): Promise<Poll> {
  const headers = { Accept: 'application/json', 'X-API-KEY': apiKey };
  const created = await fetch(`${baseUrl}/order`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(routes.createOrder.example.body),
  });
  const { orderId } = await created.json();
  const url = `${baseUrl}/invoice/${orderId}/payment-status`;
  const response = await fetch(url, { headers });
  return {
    url,
    headers,
    response: { text: await response.text(), headers: Object.fromEntries(response.headers) },
  };
}
