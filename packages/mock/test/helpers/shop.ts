import type { CreateOrderResponse, GetInvoiceResponse } from '@topup-kit/core/contract';
import type { MockService } from '../../src/index.ts';

/** A fetch with the base URL and the key of the mock. */
export type Ask = (path: string, init?: RequestInit) => Promise<Response>;

export const sampleOrder = {
  id: '12345678',
  server: '2012',
  game: 'mobile-legends',
  product_id: 901,
  payment_method_id: 12,
  whatsapp: '081234567890',
};

/** The code of a page: it has a base URL and a key, and doesn't know that it uses a mock. */
export function shopOf(mock: MockService, fetch: Ask = mock.fetch) {
  const ask: Ask = (path, init) =>
    fetch(mock.baseUrl + path, {
      ...init,
      headers: { Accept: 'application/json', 'X-API-KEY': mock.apiKey, ...init?.headers },
    });
  const post = (changes: object = {}, headers: Record<string, string> = {}): Promise<Response> =>
    ask('/order', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify({ ...sampleOrder, ...changes }),
    });
  return {
    ask,
    post,
    /** Places an order, which the service must accept. */
    async order(changes: object = {}, headers: Record<string, string> = {}): Promise<CreateOrderResponse> {
      const response = await post(changes, headers);
      if (response.status !== 201) throw new Error(`${response.status} ${await response.text()}`);
      return response.json();
    },
    async invoice(orderId: string): Promise<GetInvoiceResponse['order']> {
      const { order } = await (await ask(`/invoice/${orderId}`)).json();
      return order;
    },
    /** The state of an order, such as `UNPAID / Pending`. */
    async state(orderId: string): Promise<string> {
      const { data } = await (await ask(`/invoice/${orderId}/payment-status`)).json();
      return `${data.payment_status} / ${data.buy_status}`;
    },
  };
}
