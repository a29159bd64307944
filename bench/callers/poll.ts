import { routes } from '@topup-kit/core/contract';
import type { MockService } from '@topup-kit/mock/in-process';

/** A poll of an order, as a page sends it, and the answer that it gets. */
export interface Poll {
  url: string;
  headers: Record<string, string>;
  answer: { text: string; headers: Record<string, string> };
}

/** Places an order with a mock, to be polled. */
export async function preparePoll({ baseUrl, apiKey, fetch }: MockService): Promise<Poll> {
  const headers = { Accept: 'application/json', 'X-API-KEY': apiKey };
  const created = await fetch(`${baseUrl}/order`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(routes.createOrder.example.body),
  });
  const { orderId } = await created.json();
  const url = `${baseUrl}/invoice/${orderId}/payment-status`;
  const polled = await fetch(url, { headers });
  return {
    url,
    headers,
    answer: { text: await polled.text(), headers: Object.fromEntries(polled.headers) },
  };
}
