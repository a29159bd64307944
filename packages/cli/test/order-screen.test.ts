import { describe, expect, it } from 'vitest';
import { failureWords, orderScreen, type ShownOrder } from '../src/commands/orders/screen.ts';
import { type OutputStyle, plain } from '../src/output/style.ts';

const pricing = {
  quantity: 2,
  unit_price_before_promo: 22_000,
  subtotal_before_promo: 44_000,
  has_promo: false,
  promo_code: null,
  unit_discount: 0,
  promo_discount: 0,
  unit_price_after_promo: 22_000,
  subtotal_after_promo: 44_000,
  payment_fee: 1_500,
  unique_code: 0,
  total_price: 45_500,
} as unknown as ShownOrder['pricing']; // Safe: the code shows only these parts of the value.

const unpaid: ShownOrder = {
  orderId: 'INV-1',
  paymentStatus: 'UNPAID',
  buyStatus: 'Pending',
  game: 'Mobile Legends',
  product: '86 Diamond',
  account: '12345678',
  server: null,
  nickname: undefined,
  pricing,
  payment: {
    method: 'BCA VA',
    code: '8808123',
    qrUrl: null,
    pageUrl: 'https://shop.example/pay/1',
    before: Date.parse('2026-03-29T02:30:00Z'),
  },
};

const screen = (more: Partial<ShownOrder> = {}, style: OutputStyle = plain) =>
  orderScreen({ ...unpaid, ...more }, style);
const withPayment = (payment: Partial<ShownOrder['payment']>) => ({
  payment: { ...unpaid.payment, ...payment },
});
const withPricing = (more: Partial<ShownOrder['pricing']>) => ({ pricing: { ...pricing, ...more } });
const marked: OutputStyle = { paint: (name, text) => (name ? `<${name}>${text}</>` : text) };

describe('an order on the screen', () => {
  it('shows the state, the prices and the payment of an order with a code', async () => {
    expect(await screen()).toBe(`  Order     INV-1
  Payment   UNPAID
  Delivery  Pending

  Game      Mobile Legends
  Product   86 Diamond
  Account   12345678

  Price          Rp 22,000  × 2  Rp 44,000
  Fee of BCA VA                   Rp 1,500
  Total                          Rp 45,500

  Pay with  BCA VA
  Code      8808123
  Page      https://shop.example/pay/1
  Before    29 Mar 2026, 09:30 GMT+7
`);
  });

  it('shows all possible data of an order', async () => {
    const text = await screen({
      ...{ createdAt: Date.parse('2026-03-29T02:00:00Z'), accountId: 'web-shop', contact: '0812' },
      ...{ server: '2012', nickname: 'Budi', serialNumber: 'SN-1', failureReason: 'supplier_failed' },
      refundAmount: 45_500,
      ...withPricing({
        ...{ has_promo: true, promo_code: 'RAMADAN10', unit_discount: 2_000, promo_discount: 4_000 },
        ...{ unit_price_after_promo: 20_000, subtotal_after_promo: 40_000, unique_code: 123 },
      }),
    });
    for (const line of [
      '  Reason    the supplier could not deliver',
      '  Proof     SN-1',
      '  Placed    29 Mar 2026, 09:00 GMT+7 (account web-shop)',
      '  Account   12345678 (server 2012)',
      '  Nickname  Budi',
      '  Contact   0812',
      '  Promo RAMADAN10  -Rp 2,000  × 2  -Rp 4,000',
      '  After promo      Rp 20,000  × 2  Rp 40,000',
      '  Unique code                         Rp 123',
      '  Total                            Rp 45,500',
      '  Refund                           Rp 45,500',
      '  Amount    Rp 45,500, to the last digit',
    ])
      expect(text).toContain(`\n${line}\n`);
  });

  it('shows when an order whose account is unknown was placed', async () => {
    const text = await screen({ createdAt: '2026-03-29T09:00:00+07:00' });
    expect(text).toContain('\n  Placed    29 Mar 2026, 09:00 GMT+7\n');
    expect(text).toContain('\n  Before    29 Mar 2026, 09:30 GMT+7\n');
  });

  it.each<[string, Partial<ShownOrder['payment']>, string]>([
    ['repeats the page', { code: unpaid.payment.pageUrl }, '  Pay with  BCA VA\n  Page      https'],
    [
      'repeats a QR code',
      { qrUrl: 'https://shop.example/qr.svg' },
      '  Pay with  BCA VA\n  QR code   https://shop.example/qr.svg\n  Page',
    ],
    ['is meaningless', { code: null }, '  Pay with  BCA VA\n  Page'],
  ])('hides a payment code that %s', async (_case, payment, expected) => {
    expect(await screen(withPayment(payment))).toContain(expected);
  });

  it.each(['PAID', 'EXPIRED'] as const)(
    'shows only the payment method of an order that is %s',
    async (state) => {
      const text = await screen(
        { paymentStatus: state, ...withPayment({ qrString: 'QR' }) },
        {
          ...plain,
          columns: 100,
        },
      );
      expect(text.endsWith('\n\n  Method    BCA VA\n')).toBe(true);
    },
  );

  it('paints states, codes and addresses', async () => {
    const text = await screen({ paymentStatus: 'UNPAID', buyStatus: 'Gagal' }, marked);
    expect(text).toMatch(/<title>INV-1<\/>/);
    expect(text).toMatch(/<waiting>UNPAID<\/>/);
    expect(text).toMatch(/<bad>Gagal<\/>/);
    expect(text).toMatch(/<title>8808123<\/>/);
    expect(text).toMatch(/<address>https:\/\/shop\.example\/pay\/1<\/>/);
    const withQr = await screen(withPayment({ qrUrl: 'https://shop.example/qr.svg' }), marked);
    expect(withQr).toContain('<address>https://shop.example/qr.svg</>');
  });

  it('draws a QR code on a wide terminal', async () => {
    const order = withPayment({ qrString: '00020101021226' });
    const drawn = await screen(order, { ...plain, columns: 100 });
    expect(drawn).toContain('█');
    expect(drawn.startsWith((await screen(order)).trimEnd())).toBe(true);
    for (const style of [plain, { ...plain, columns: 20 }])
      expect(await screen(order, style)).not.toContain('█');
    expect(await screen({}, { ...plain, columns: 100 })).not.toContain('█');
  });

  it.each([
    ['account_not_found', 'there is no such account: check its id and server'],
    ['region_mismatch', 'the product is for accounts of another region'],
    ['product_unavailable', 'the product is closed, or out of stock at the supplier'],
    ['supplier_failed', 'the supplier could not deliver'],
    ['of_a_newer_service', 'of_a_newer_service'],
  ])('explains the reason %s: %s', (reason, words) => {
    expect(failureWords(reason as Parameters<typeof failureWords>[0])).toBe(words); // Safe: a newer service may send it.
  });
});
