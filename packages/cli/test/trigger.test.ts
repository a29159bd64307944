import { sandboxKey } from '@topup-kit/core/contract';
import type { GetCheckoutResponse } from '@topup-kit/sdk';
import { describe, expect, it } from 'vitest';
import { requestFor } from '../src/commands/sandbox/trigger.ts';
import { temporaryFolder } from './helpers/folder.ts';
import { steady } from './helpers/order.ts';
import { run } from './helpers/run.ts';
import { failureOf } from './helpers/screens.ts';
import { ownSandbox, startLive, startService } from './helpers/servers.ts';

const server = ownSandbox();

const { asked: at } = server;

/** The types of what happened after a cursor; the last cursor without one. */
async function events(after?: string): Promise<{ types: string[]; cursor: string }> {
  const query = after === undefined ? '' : `?after=${after}&limit=100`;
  const response = await fetch(`${server.baseUrl}/events${query}`, {
    headers: { 'X-API-KEY': sandboxKey },
  });
  const { data, next_cursor } = await response.json();
  return { types: data.map(({ type }: { type: string }) => type), cursor: next_cursor };
}

describe('trigger', () => {
  it.each([
    ['order.created', 'UNPAID / Pending'],
    ['order.paid', 'PAID / Proses'],
    ['order.processing', 'PAID / Proses'],
    ['order.delivered', 'PAID / Sukses'],
    ['order.failed', 'PAID / Gagal'],
    ['order.expired', 'EXPIRED / Batal'],
    ['order.refunded', 'REFUND / Gagal'],
  ])('%s really happens', async (type, state) => {
    const { cursor } = await events();
    const { code, stdout } = await at('trigger', type, '--json');
    expect(code).toBe(0);
    const { order_id, payment_status, buy_status, event } = JSON.parse(stdout);
    expect([event, `${payment_status} / ${buy_status}`]).toEqual([type, state]);
    expect((await events(cursor)).types).toContain(type);
    const { order } = JSON.parse((await at('orders', 'show', order_id, '--json')).stdout);
    expect(`${order.payment_status} / ${order.buy_status}`).toBe(state);
  });

  it('prints the order, or with --quiet its id only', async () => {
    const { stdout } = await at('trigger', 'order.paid');
    expect(steady(stdout)).toMatchInlineSnapshot(`
      "  Event     order.paid
        Order     <order id>
        Payment   PAID
        Delivery  Proses
      "
    `);
    expect((await at('trigger', 'order.created', '--quiet')).stdout).toMatch(/^INV-\S+\n$/);
  });

  it('--order goes on with an order', async () => {
    const orderId = (await at('trigger', 'order.created', '--quiet')).stdout.trim();
    for (const type of ['order.paid', 'order.failed', 'order.refunded']) {
      const { code, stdout } = await at('trigger', type, '--order', orderId, '--quiet');
      expect([type, code, stdout.trim()]).toEqual([type, 0, orderId]);
    }
    const { order } = JSON.parse((await at('orders', 'show', orderId, '--json')).stdout);
    expect(order.payment_status).toBe('REFUND');
  });

  it('says why an event can not happen to an order', async () => {
    const orderId = (await at('trigger', 'order.paid', '--quiet')).stdout.trim();
    const { code, stderr } = await at('trigger', 'order.paid', '--order', orderId);
    expect(code).toBe(6);
    expect(stderr).toContain(`order.paid can't happen to ${orderId}, which is PAID / Proses.`);
    const expired = await at('trigger', 'order.expired', '--order', orderId);
    expect([expired.code, expired.stderr]).toEqual([6, expect.stringContaining('expire is not possible')]);
    expect((await at('trigger', 'order.created', '--order', orderId)).code).toBe(2);
  });

  it('refuses against a live service, where nothing happens', async () => {
    using folder = temporaryFolder();
    const live = await startLive(folder.path);
    const { code, stdout, stderr } = await run(['trigger', 'order.paid', '--base-url', live.baseUrl]);
    await live.close();
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^Error: Nothing was triggered: http:\S+ is not a sandbox\.\n/m);
  });

  it('rejects an event that is none of an order', async () => {
    const { code, stderr } = await at('trigger', 'order.payed');
    expect(code).toBe(2);
    expect(stderr).toContain('Allowed choices are order.created, order.paid');
  });

  it.each([
    ['without a game', []],
    ['whose games are closed', [{ id: 1, slug: 'closed', title: 'Closed', status: false }]],
  ])('says so in a sandbox %s', async (_case, games) => {
    await using sandbox = await startService(({ url }, response) => {
      const body =
        url === '/api/games' ? { success: true, games, populerGames: [] } : { success: true, data: {} };
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    });
    const failure = await failureOf(['trigger', 'order.paid', '--base-url', sandbox.baseUrl]);
    expect(failure).toContain('This sandbox has no open product, so nothing can be ordered.\n');
    expect(failure).toContain('topup games list');
    expect(failure).toMatch(/exit 1, NO_PRODUCT$/);
    expect(sandbox.asked.filter((request) => /checkout|order/.test(request))).toEqual([]);
  });

  it('is rejected with a code of its own', async () => {
    const orderId = (await at('trigger', 'order.paid', '--quiet')).stdout.trim();
    const again = ['trigger', 'order.paid', '--order', orderId, '--base-url', server.baseUrl];
    expect(await failureOf(again)).toContain(
      'Without --order, it happens to a new order.\nexit 6, STATE_CONFLICT',
    );
  });
});

describe('the order that is placed', () => {
  const field = (name: string, required: boolean, options?: string[]) => ({
    ...{ name, label: name, required },
    ...(options && { options }),
  });
  // safe: no more of a checkout is read
  const checkout = (fields: object[], products: object[], paymentMethods: object[]) =>
    ({ game: { slug: 'x', fields, products }, paymentMethods }) as unknown as GetCheckoutResponse;
  const open = { id: 1, status: true, price: 5_000 };
  const method = { id: 12, status: true, min_amount: 0, max_amount: null };
  const of = (fields: object[]) => requestFor(checkout(fields, [open], [method]));

  it('is of the first open product, by the first method that can be used', () => {
    const request = requestFor(
      checkout(
        [field('id', true)],
        [{ ...open, id: 9, status: false }, open],
        [{ ...method, id: 3, status: false }, method],
      ),
    );
    expect(request).toEqual({
      ...{ game: 'x', product_id: 1, payment_method_id: 12, id: '12345678', whatsapp: '081234567890' },
    });
  });

  it('is none where all is closed, or nothing can be paid', () => {
    expect(requestFor(checkout([], [{ ...open, status: false }], [method]))).toBeUndefined();
    expect(requestFor(checkout([], [open], []))).toBeUndefined();
  });

  it('has the fields that the game needs', () => {
    expect(of([field('id', true), field('server', true)])).toMatchObject({ id: '12345678', server: '2012' });
    expect(of([field('id', true), field('server', false)])).not.toHaveProperty('server');
    expect(of([field('zone', true), field('id', true)])).not.toHaveProperty('server');
    expect(of([])).toMatchObject({ id: '12345678' });
  });

  it('has the first choice where a field has choices', () => {
    expect(of([field('server', true, ['Asia', 'Europe']), field('id', true, ['a', 'b'])])).toMatchObject({
      ...{ id: 'a', server: 'Asia' },
    });
  });
});
