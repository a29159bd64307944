import { sandboxKey } from '@topup-kit/core/engine';
import type { RunningServer } from '@topup-kit/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from './helpers/folder.ts';
import { steady } from './helpers/order.ts';
import { run } from './helpers/run.ts';
import { startLive, startSandbox } from './helpers/servers.ts';

let server: RunningServer;
beforeAll(async () => {
  server = await startSandbox();
});
afterAll(() => server.close());

const at = (...args: string[]) => run([...args, '--base-url', server.baseUrl]);

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
});
