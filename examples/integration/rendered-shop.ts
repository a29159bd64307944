import { createServer } from 'node:http';
import { createTopupClient, isTopupError } from '@topup-kit/sdk';
import { passWorld, withRequest } from '@topup-kit/sdk/worlds';

const client = createTopupClient({ hooks: { onRequest: passWorld() }, maxRetries: 0 });

const order = {
  game: 'mobile-legends',
  product_id: 901,
  payment_method_id: 12,
  id: '12345678',
  server: '2012',
  whatsapp: '081234567890',
};

/** `/buy` places an order and shows its id. `/INV-...` shows the state of that order. */
async function render(path: string): Promise<string> {
  try {
    if (path === '/buy') return (await client.orders.create(order)).orderId;
    const { data } = await client.invoices.paymentStatus(path.slice(1));
    return `${data.payment_status} ${data.buy_status}`;
  } catch (error) {
    return isTopupError(error) ? error.code : String(error);
  }
}

/** A shop whose server renders its pages, without a framework. */
export const shop = createServer((request, response) =>
  withRequest(request, async () => response.end(await render(request.url ?? ''))),
);
