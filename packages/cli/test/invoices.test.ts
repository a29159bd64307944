import { describe, expect, it } from 'vitest';
import { steady } from './helpers/order.ts';
import { ownSandbox } from './helpers/servers.ts';

const server = ownSandbox();
const { asked, place } = server;

describe('invoices show', () => {
  it('shows the customer, the prices, and a payment code in groups of digits', async () => {
    const orderId = await place('--payment-method', '13', '--email', 'buyer@shop.example');

    const { code, stdout } = await asked('invoices', 'show', orderId);

    expect(code).toBe(0);
    expect(steady(stdout).replace(/7777( \d{4})+ \d{2}/, '<code in groups>')).toMatchInlineSnapshot(`
      "  Order     <order id>
        Payment   UNPAID
        Delivery  Pending
        Placed    <time>

        Game      Mobile Legends: Bang Bang
        Product   86 Diamond
        Account   12345678 (server 2012)
        Contact   081234567890, buyer@shop.example

        Price                       Rp 22,000  × 2  Rp 44,000
        Promo RAMADAN10             -Rp 2,000  × 2  -Rp 4,000
        After promo                 Rp 20,000  × 2  Rp 40,000
        Fee of BRI Virtual Account                   Rp 4,250
        Total                                       Rp 44,250

        Pay with  BRI Virtual Account
        Code      <code in groups>
        Page      <page>
        Before    <time>
      "
    `);
  });

  it("prints the service's invoice under --json", async () => {
    const orderId = await place();

    expect(JSON.parse((await asked('invoices', 'show', orderId, '--json')).stdout)).toMatchObject({
      success: true,
      order: { order_id: orderId, qr_string: expect.stringMatching(/^000201/) },
    });
  });

  it('exits with 3 for an unknown order', async () => {
    expect(await asked('invoices', 'show', 'INV-20260329093000-ABCDEFGH')).toMatchObject({ code: 3 });
  });
});

describe('invoices status', () => {
  it('shows both states, the end of the payment time, and the command that watches the order', async () => {
    const orderId = await place();

    const { code, stdout, stderr } = await asked('invoices', 'status', orderId);

    expect(code).toBe(0);
    expect(steady(stdout)).toMatchInlineSnapshot(`
      "  Order     <order id>
        Payment   UNPAID
        Delivery  Pending
        Before    <time>
      "
    `);
    expect(stderr).toContain(`topup orders watch ${orderId}`);
  });

  it('shows both states of an order even with --quiet', async () => {
    const orderId = await place();

    expect((await asked('invoices', 'status', orderId, '--quiet')).stdout).toContain('Payment   UNPAID');
  });

  it('prints the response of the light route under --json', async () => {
    const orderId = await place();

    expect(JSON.parse((await asked('invoices', 'status', orderId, '--json')).stdout)).toEqual({
      success: true,
      data: {
        order_id: orderId,
        payment_status: 'UNPAID',
        buy_status: 'Pending',
        expired_time: expect.any(Number),
      },
    });
  });
});
