import { errors } from '@topup-kit/core/contract';
import { describe, expect, it } from 'vitest';
import { fixtureOrder, orderIdIn, steady } from './helpers/order.ts';
import { run } from './helpers/run.ts';
import { ownSandbox, startJsonService, startService } from './helpers/servers.ts';

const server = ownSandbox();
const { asked: orders } = server;

describe('orders create', () => {
  it('shows the prices of the fixture order, how to pay for it, and the next step', async () => {
    const { code, stdout, stderr } = await orders(...fixtureOrder);

    expect(code).toBe(0);
    expect(steady(stdout)).toMatchInlineSnapshot(`
      "  Order     <order id>
        Payment   UNPAID
        Delivery  Pending

        Game      Mobile Legends: Bang Bang
        Product   86 Diamond
        Account   12345678 (server 2012)

        Price            Rp 22,000  × 2  Rp 44,000
        Promo RAMADAN10  -Rp 2,000  × 2  -Rp 4,000
        After promo      Rp 20,000  × 2  Rp 40,000
        Fee of QRIS                           Rp 0
        Total                            Rp 40,000

        Pay with  QRIS
        QR code   <page>/qr.svg
        Page      <page>
        Before    <time>
      "
    `);
    expect(steady(stderr)).toMatchInlineSnapshot(`
      "Using the sandbox at <server>/api with its well-known key.

      To follow it:
        topup orders watch <order id> --base-url <server>/api
      "
    `);
  });

  it('shows the code of a virtual account, and no promo if the order has no promo', async () => {
    const args = [...fixtureOrder.slice(0, 6), '--payment-method', '13', ...fixtureOrder.slice(8, 14)];

    const { stdout } = await orders(...args, '--nickname', 'Layla');

    expect(steady(stdout).replace(/77777\d{13}/, '<code>')).toMatchInlineSnapshot(`
      "  Order     <order id>
        Payment   UNPAID
        Delivery  Pending

        Game      Mobile Legends: Bang Bang
        Product   86 Diamond
        Account   12345678 (server 2012)
        Nickname  Layla

        Price                       Rp 22,000  × 1  Rp 22,000
        Fee of BRI Virtual Account                   Rp 4,250
        Total                                       Rp 26,250

        Pay with  BRI Virtual Account
        Code      <code>
        Page      <page>
        Before    <time>
      "
    `);
  });

  it('shows the unique code of a bank transfer below the fee, and asks the customer to pay the exact amount', async () => {
    const args = [...fixtureOrder.slice(0, 6), '--payment-method', '21', ...fixtureOrder.slice(8, 14)];
    const { stdout } = await orders(...args);
    const [, code = '', total = ''] =
      /Fee of BCA Bank Transfer +Rp 0\n +Unique code +Rp (\d+)\n +Total +Rp (\S+)\n/.exec(stdout) ?? [];
    expect(Number(total.replace(',', ''))).toBe(22_000 + Number(code));
    expect(stdout).toContain(`Amount    Rp ${total}, to the last digit\n`);
  });

  it("prints the service's response under --json", async () => {
    const { stdout } = await orders(...fixtureOrder, '--json');

    expect(JSON.parse(stdout)).toMatchObject({
      success: true,
      orderId: expect.stringMatching(/^INV-/),
      data: {
        total_price: 40_000,
        pricing: { unit_price_before_promo: 22_000, unit_discount: 2_000, unit_price_after_promo: 20_000 },
      },
    });
  });

  it("doesn't require a customer's name under --json", async () => {
    await using bare = await startJsonService(201, { success: true, orderId: 'INV-1', data: {} });

    await run([...fixtureOrder, '--json', '--base-url', bare.baseUrl]);

    expect(bare.asked).toEqual(['POST /api/order']);
  });

  it('places one order for each idempotency key', async () => {
    const first = await orders(...fixtureOrder, '--idempotency-key', 'order-7');
    const second = await orders(...fixtureOrder, '--idempotency-key', 'order-7');

    expect(orderIdIn(first.stdout)).not.toBe('');
    expect(orderIdIn(second.stdout)).toBe(orderIdIn(first.stdout));
  });

  it('shows an order without an invoice with the names from the command line', async () => {
    const { stdout: real } = await orders(...fixtureOrder, '--json');
    await using bare = await startService((request, response) => {
      response.writeHead(request.method === 'POST' ? 201 : 404, { 'Content-Type': 'application/json' });
      response.end(request.method === 'POST' ? real : '{"message":"Not Found"}');
    });

    const { code, stdout } = await run([...fixtureOrder, '--base-url', bare.baseUrl]);

    expect(code).toBe(0);
    expect(stdout).toContain('Game      mobile-legends\n  Product   901\n');
    expect(stdout).toContain('Fee of method 12');
  });

  it('shows the flag for a rejected field', async () => {
    const { code, stdout, stderr } = await orders(...fixtureOrder, '--quantity', '0', '--email', 'nobody');

    expect({ code, stdout }).toEqual({ code: 6, stdout: '' });
    expect(
      steady(stderr)
        .replace(/req_\w+/, '<id>')
        .split('\n')
        .slice(1)
        .join('\n'),
    ).toMatchInlineSnapshot(`
      "Error: The email field must be a valid email address. (and 1 more error)
        --email     The email field must be a valid email address.
        --quantity  The quantity field must be at least 1.
      Code: VALIDATION_ERROR, request id: <id>
      What an order of a game needs:
        topup games show mobile-legends --base-url <server>/api
      "
    `);
  });

  it('suggests games for an unknown game', async () => {
    const { code, stderr } = await orders(...fixtureOrder, '--game', 'mobil-legends');

    expect(code).toBe(3);
    expect(stderr).toContain(
      'Did you mean mobile-legends? This lists the games and their slugs:\n  topup games list',
    );
  });

  it('reports a rejected promo in English, and requests English texts from the service', async () => {
    const { code, stderr } = await orders(...fixtureOrder, '--promo', 'EXPIRED10');

    expect(code).toBe(6);
    expect(stderr).toContain(`Error: ${errors.PROMO_EXPIRED.message.en}\nCode: PROMO_EXPIRED`);
    expect(stderr).toContain('Nothing was ordered. Leave --promo out, or try another code.');
  });
});

describe('orders show', () => {
  it('shows the same prices as orders create, and both states', async () => {
    const orderId = orderIdIn((await orders(...fixtureOrder)).stdout);

    const { code, stdout } = await orders('orders', 'show', orderId);

    expect(code).toBe(0);
    expect(stdout).toContain(orderId);
    expect(steady(stdout)).toMatchInlineSnapshot(`
      "  Order     <order id>
        Payment   UNPAID
        Delivery  Pending
        Placed    <time>

        Game      Mobile Legends: Bang Bang
        Product   86 Diamond
        Account   12345678 (server 2012)

        Price            Rp 22,000  × 2  Rp 44,000
        Promo RAMADAN10  -Rp 2,000  × 2  -Rp 4,000
        After promo      Rp 20,000  × 2  Rp 40,000
        Fee of QRIS                           Rp 0
        Total                            Rp 40,000

        Pay with  QRIS
        QR code   <page>/qr.svg
        Page      <page>
        Before    <time>
      "
    `);
  });

  it.each([
    ['pay', 'PAID'],
    ['expire', 'EXPIRED'],
    ['fail', 'FAILED'],
  ])('shows no payment details after %s', async (action, status) => {
    const orderId = orderIdIn((await orders(...fixtureOrder)).stdout);
    await orders('sandbox', action, orderId);

    const { stdout } = await orders('orders', 'show', orderId);

    expect(stdout).toContain(`Payment   ${status}`);
    expect(stdout).toMatch(/ {2}Total .*\n\n {2}Method {4}QRIS\n$/);
  });

  it('prints the invoice under --json', async () => {
    const orderId = orderIdIn((await orders(...fixtureOrder)).stdout);

    expect(JSON.parse((await orders('orders', 'show', orderId, '--json')).stdout)).toMatchObject({
      success: true,
      order: { order_id: orderId, payment_status: 'UNPAID', buy_status: 'Pending', total_price: 40_000 },
    });
  });

  it('exits with 3 for an unknown order', async () => {
    const { code, stderr } = await orders('orders', 'show', 'INV-20260329093000-ABCDEFGH');

    expect(code).toBe(3);
    expect(stderr).toContain("Only keys of the order's account can see it.");
  });
});
