import { sandboxKey } from '@topup-kit/core/contract';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from './helpers/folder.ts';
import { steady } from './helpers/order.ts';
import { run } from './helpers/run.ts';
import { failureOf } from './helpers/screens.ts';
import { ownSandbox, startLive, startSandbox } from './helpers/servers.ts';

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
  ])('triggers the event %s with its real effect', async (type, state) => {
    const { cursor } = await events();
    const { code, stdout } = await at('trigger', type, '--json');
    expect(code).toBe(0);
    const { order_id, payment_status, buy_status, event } = JSON.parse(stdout);
    expect([event, `${payment_status} / ${buy_status}`]).toEqual([type, state]);
    expect((await events(cursor)).types).toContain(type);
    const { order } = JSON.parse((await at('orders', 'show', order_id, '--json')).stdout);
    expect(`${order.payment_status} / ${order.buy_status}`).toBe(state);
  });

  it('prints the order, or only the order id with --quiet', async () => {
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

  it('continues with the order that --order names', async () => {
    const orderId = (await at('trigger', 'order.created', '--quiet')).stdout.trim();
    for (const type of ['order.paid', 'order.failed', 'order.refunded']) {
      const { code, stdout } = await at('trigger', type, '--order', orderId, '--quiet');
      expect([type, code, stdout.trim()]).toEqual([type, 0, orderId]);
    }
    const { order } = JSON.parse((await at('orders', 'show', orderId, '--json')).stdout);
    expect(order.payment_status).toBe('REFUND');
  });

  it('explains why an event is impossible for an order', async () => {
    const orderId = (await at('trigger', 'order.paid', '--quiet')).stdout.trim();
    const { code, stderr } = await at('trigger', 'order.paid', '--order', orderId);
    expect(code).toBe(6);
    expect(stderr).toContain(`order.paid can't happen to ${orderId}, which is PAID / Proses.`);
    const expired = await at('trigger', 'order.expired', '--order', orderId);
    expect([expired.code, expired.stderr]).toEqual([
      6,
      expect.stringContaining(`order.expired can't happen to ${orderId}, which is PAID / Proses.`),
    ]);
    expect((await at('trigger', 'order.created', '--order', orderId)).code).toBe(2);
  });

  it('rejects a live service before any effect', async () => {
    using folder = temporaryFolder();
    const live = await startLive(folder.path);
    const { code, stdout, stderr } = await run(['trigger', 'order.paid', '--base-url', live.baseUrl]);
    await live.close();
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^Error: Nothing was triggered: http:\S+ is not a sandbox\.\n/m);
  });

  it('rejects an event that is not about an order', async () => {
    const { code, stderr } = await at('trigger', 'order.payed');
    expect(code).toBe(2);
    expect(stderr).toContain('Allowed choices are order.created, order.paid');
  });

  it('reports that a sandbox has only closed games', async () => {
    const sandbox = await startSandbox();
    const ask = (path: string, init?: RequestInit) => fetch(`${sandbox.localUrl}/sandbox/${path}`, init);
    const { catalog } = (await (await ask('catalog')).json()).data;
    for (const game of catalog.games) game.status = false;
    const body = JSON.stringify({ document: JSON.stringify(catalog) });
    const headers = { 'Content-Type': 'application/json' };
    expect((await ask('replace-catalog', { method: 'POST', headers, body })).status).toBe(200);
    const failure = await failureOf(['trigger', 'order.paid', '--base-url', sandbox.baseUrl]);
    await sandbox.close();
    expect(failure).toContain('This sandbox has no open product to order.\n');
    expect(failure).toContain('topup games list');
    expect(failure).toMatch(/exit 1, NO_PRODUCT$/);
  });

  it('accepts any field of the order, and the reason for a failure', async () => {
    const { code, stdout } = await at(
      ...['trigger', 'order.failed', '--set', 'product=901', '--set', 'quantity=3'],
      ...['--set', 'nickname=Budi=7', '--reason', 'region_mismatch', '--json'],
    );
    expect(code).toBe(0);
    const { order_id } = JSON.parse(stdout);
    const { order, product } = JSON.parse((await at('orders', 'show', order_id, '--json')).stdout);
    expect(product.id).toBe(901);
    expect(order).toMatchObject({ quantity: 3, nickname: 'Budi=7', failure_reason: 'region_mismatch' });
  });

  it.each([
    [['--set', 'prodct=901'], 'There is no parameter prodct. The parameters are event, order, reason, id,'],
    [['--set', 'quantity=many'], 'The quantity field must be an integer.'],
    [['--set', '=3'], 'Give a field and its value, such as quantity=3.'],
    [['--reason', 'bad_luck'], 'Allowed choices are account_not_found, region_mismatch,'],
  ])('rejects the command trigger %j before any request', async (args, words) => {
    const { code, stderr } = await at('trigger', 'order.failed', ...args);
    expect(code).toBe(2);
    expect(stderr.replace(/\s+/g, ' ')).toContain(words);
  });

  it('rejects a reason for an event without reasons before any request', async () => {
    const { code, stderr } = await at('trigger', 'order.paid', '--reason', 'region_mismatch');
    expect(code).toBe(2);
    expect(stderr).toContain('The reason field is only for order.failed and order.refunded.');
  });

  it('reports an unknown product', async () => {
    const { code, stderr } = await at('trigger', 'order.paid', '--set', 'product=1');
    expect([code, stderr]).toEqual([3, expect.stringContaining('Product not found')]);
  });

  it('has a separate error code for trigger', async () => {
    const orderId = (await at('trigger', 'order.paid', '--quiet')).stdout.trim();
    const again = ['trigger', 'order.paid', '--order', orderId, '--base-url', server.baseUrl];
    expect(await failureOf(again)).toContain(
      'Without --order, the command places a new order.\nexit 6, STATE_CONFLICT',
    );
  });
});
