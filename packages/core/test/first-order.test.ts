import { describe, expect, it } from 'vitest';
import type { GameDetail, PaymentMethod, Product } from '../src/contract/index.ts';
import { createTestService } from './helpers/test-service.ts';

/** The sandbox, seen as a newcomer sees it: only what the API lists. */
async function openSandbox() {
  const { get, order } = await createTestService();
  const { games } = (await get('/games')).json;
  const checkouts: { game: GameDetail; paymentMethods: PaymentMethod[] }[] = [];
  for (const { slug, status } of games) if (status) checkouts.push((await get(`/order/${slug}`)).json);

  const place = ({ slug, fields }: GameDetail, product: Product, method: PaymentMethod) =>
    order({
      id: '12345678',
      server: fields.find(({ name }) => name === 'server')?.options?.[0] ?? '2012',
      game: slug,
      product_id: product.id,
      payment_method_id: method.id,
      whatsapp: '081234567890',
    });
  return { checkouts, place };
}

const active = <Item extends { status: boolean }>(items: readonly Item[]): Item[] =>
  items.filter(({ status }) => status);

const describeOf = (game: GameDetail, product: Product, method: PaymentMethod): string =>
  `${game.slug}, ${product.title}, ${method.name}`;

/** What the checkout shows of a total: the price and the fee of the method, without a unique code. */
function shownTotal({ promo_price, selling_price, is_promo }: Product, method: PaymentMethod): number {
  const price = is_promo && promo_price !== null ? promo_price : selling_price;
  const fee = method.fee + Math.ceil((price * method.fee_percent) / 100);
  // DANA and ShopeePay take at least 1,000 (open points: payment methods).
  return price + (method.group === 'E-Wallet' ? Math.max(1_000, fee) : fee);
}

describe('a first order in the sandbox', () => {
  it('places an order for the first product of each game with each payment method', async () => {
    const { checkouts, place } = await openSandbox();
    for (const { game, paymentMethods } of checkouts) {
      const [first] = game.products;
      for (const method of active(paymentMethods)) {
        const { status, text } = await place(game, first as Product, method); // Safe: each game has products.
        expect(status, `${describeOf(game, first as Product, method)}: ${text}`).toBe(201);
      }
    }
  });

  it("places an order for each product with the first payment method, within the checkout's limits", async () => {
    const { checkouts, place } = await openSandbox();
    for (const { game, paymentMethods } of checkouts) {
      const [method] = active(paymentMethods);
      for (const product of active(game.products)) {
        const { status, text } = await place(game, product, method as PaymentMethod); // Safe: the list has methods.
        expect(status, `${describeOf(game, product, method as PaymentMethod)}: ${text}`).toBe(201);
      }
    }
  });

  it("rejects a first order only for the payment method's limits in the checkout", async () => {
    const { checkouts, place } = await openSandbox();
    let rejected = 0;
    for (const { game, paymentMethods } of checkouts)
      for (const product of active(game.products))
        for (const method of active(paymentMethods)) {
          const { status, headers } = await place(game, product, method);
          if (status === 201) continue;
          rejected += 1;
          const pair = describeOf(game, product, method);
          expect(headers.get('X-Error-Code'), pair).toBe('PAYMENT_LIMIT');
          const total = shownTotal(product, method);
          expect(total < method.minimum_amount || total > method.maximum_amount, pair).toBe(true);
        }
    // 5 Diamond cost 1,600, and a virtual account takes at least 10,000.
    expect(rejected).toBeGreaterThan(0);
  });
});
