import { createTopupClient } from '@topup-kit/sdk';

/** An error whose message is for the customer. */
export class ShopError extends Error {}

/**
 * A shop on a top-up service.
 *
 * @param {{ baseUrl: string, apiKey: string, fetch?: (request: Request) => Promise<Response> }} service
 */
export function createShop(service) {
  const client = createTopupClient({ ...service, maxRetries: 0 });
  return {
    /** Places the order of a cart, once. */
    async buy(cartId, order) {
      try {
        const options = { idempotencyKey: cartId, idempotency: 'supported' };
        const { orderId, data } = await client.orders.create(order, options);
        return { orderId, total: data.total_price };
      } catch (error) {
        throw new ShopError('The order could not be placed. Please try again.', { cause: error });
      }
    },
    /** What the customer reads about an order. */
    async statusOf(orderId) {
      const { data } = await client.invoices.paymentStatus(orderId);
      if (data.payment_status === 'EXPIRED') return 'expired';
      if (data.buy_status === 'Gagal') return 'failed';
      if (data.payment_status === 'UNPAID') return 'waiting';
      return data.buy_status === 'Sukses' ? 'delivered' : 'paid';
    },
  };
}
