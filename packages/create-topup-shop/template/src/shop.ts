import { isTopupError, type TopupClient } from '@topup-kit/sdk';

/** What a customer chooses and enters. */
export interface Cart {
  game: string;
  productId: number;
  paymentMethodId: number;
  /** The player's account: `id`, and for some games `server`. */
  account: Readonly<Record<string, string>>;
  whatsapp: string;
}

/** What a customer pays. `total` is in whole rupiah. */
export interface PlacedOrder {
  orderId: string;
  total: number;
  paymentUrl: string;
}

/**
 * Places the order of a cart.
 *
 * @param idempotencyKey belongs to the cart: with the same key, a second call places no second order
 */
export async function placeOrder(
  client: TopupClient,
  { game, productId, paymentMethodId, account, whatsapp }: Cart,
  idempotencyKey: string,
): Promise<PlacedOrder> {
  const { id = '', server } = account;
  const player = server ? { id, server } : { id };
  const choice = { game, product_id: productId, payment_method_id: paymentMethodId };
  const { orderId, data } = await client.orders.create(
    { ...choice, ...player, whatsapp },
    { idempotencyKey },
  );
  return { orderId, total: data.total_price, paymentUrl: data.payment_url };
}

/** What a customer reads about an order. A paid order can still fail, and be refunded. */
export function describeOrder(paymentStatus: string, buyStatus: string): string {
  if (paymentStatus === 'UNPAID') return 'Waiting for your payment.';
  if (paymentStatus === 'EXPIRED') return 'You did not pay in time. Please order again.';
  if (paymentStatus === 'FAILED') return 'The payment failed. Please order again.';
  if (paymentStatus === 'REFUND') return 'You get your money back.';
  if (paymentStatus !== 'PAID') return `Payment: ${paymentStatus}`;
  if (buyStatus === 'Sukses') return 'Delivered. Have fun!';
  if (buyStatus === 'Gagal') return 'The delivery failed. We will pay your money back.';
  return 'Paid. Your credit is on its way.';
}

/** What a customer reads about an error. */
export function describeError(error: unknown): string {
  if (!isTopupError(error)) throw error;
  if (error.name === 'TopupUnknownOutcomeError')
    return 'The connection was lost, so your order may exist. Press Buy again: it is placed only once.';
  if (error.name === 'TopupHttpError') {
    const messages = Object.values(error.fields ?? {}).flat();
    return messages.length > 0 ? messages.join(' ') : (error.serverMessage ?? error.message);
  }
  return 'The shop could not be reached. Please try again.';
}
