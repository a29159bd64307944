import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { orderEventTypes } from '@topup-kit/core/contract';
import { createEndpoint, refundOrder } from '@topup-kit/core/engine';
import { reportSales } from '@topup-kit/core/features/reports/sales-report';
import { secureRandom } from '@topup-kit/core/platform';
import { magicIds } from '@topup-kit/core/supplier';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestService, fixtureOrder } from '../../core/test/helpers/test-service.ts';
import { copyStore } from '../src/index.ts';
import { createSqliteStore } from '../src/sqlite/index.ts';
import { verifyStore } from '../src/verify/verify-store.ts';
import { connectTo } from './helpers/postgres.ts';
import { usePostgres } from './helpers/shared-postgres.ts';

const database = usePostgres();
const folder = mkdtempSync(join(tmpdir(), 'topup-'));
const path = join(folder, 'shop.db');
afterAll(() => rmSync(folder, { recursive: true }));

/** The orders of a shop, by what became of them. */
const ids = { delivered: '', plain: '', expired: '', unpaid: '', refunded: '', onItsWay: '' };

/** A day of a shop, as the service leaves it. */
beforeAll(async () => {
  const store = createSqliteStore({ path });
  const { sandboxCatalog } = await import('@topup-kit/core/sandbox');
  await store.replaceCatalog(sandboxCatalog());
  const stop = new AbortController();
  const service = await createTestService({
    after: store,
    webhooks: {
      send: async () => ({ status: 204, retryAfter: null, body: '' }),
      secrets: { open: (stored) => stored },
      isBusy: () => false,
      stop: stop.signal,
    },
  });
  const { clock, engine, sandbox } = service;
  await createEndpoint(
    { store, random: secureRandom, realClock: () => clock.now, seal: (secret) => secret },
    {
      ...{ accountId: 'sandbox', url: 'https://shop.test/hooks', types: orderEventTypes },
      ...{ description: '', disabled: null },
    },
  );
  const place = async (changes: object, key: string): Promise<string> => {
    const { status, json } = await service.order(
      { ...fixtureOrder, promo_code: undefined, ...changes },
      { headers: { 'Idempotency-Key': key } },
    );
    expect(status).toBe(201);
    return json.orderId;
  };
  const pass = async (minutes: number): Promise<void> => {
    for (let step = 0; step < minutes * 6; step += 1) {
      clock.now += 10_000;
      await engine.dueWork.run();
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  };
  const { promo_code } = fixtureOrder;
  ids.expired = await place({ promo_code, whatsapp: '081200000001' }, 'key-1');
  await pass(32);
  ids.delivered = await place({ promo_code }, 'key-2');
  ids.plain = await place({ quantity: 1 }, 'key-3');
  ids.refunded = await place({ id: magicIds.unknownPlayer }, 'key-4');
  for (const orderId of [ids.delivered, ids.plain, ids.refunded]) await sandbox.act(orderId, 'pay');
  await pass(1);
  await refundOrder({ store, worldClock: () => clock.now, operator: 'ani' }, ids.refunded, {});
  ids.onItsWay = await place({ id: magicIds.pending }, 'key-5');
  await sandbox.act(ids.onItsWay, 'pay');
  await pass(1);
  ids.unpaid = await place({}, 'key-6');
  await pass(1);
  await store.findChanges(0, 1_000);
  await reportSales(
    { store, timezone: 'Asia/Jakarta' },
    { span: { from: 0, before: clock.now + 1 }, by: 'day' },
  );
  stop.abort();
  await store.close();
}, 60_000);

/** What is changed in a sound store behind its back, the rule that is broken, and the order that it is found at. */
const planted: [
  name: string,
  statement: (order: typeof ids) => string,
  rule: string,
  at: keyof typeof ids | null,
][] = [
  [
    'a delivered order says that it failed',
    ({ plain }) => `UPDATE orders SET buy_status = 'Gagal' WHERE order_id = '${plain}'`,
    'history',
    'plain',
  ],
  [
    'a line of the history is gone',
    ({ plain }) =>
      `DELETE FROM history WHERE version = (SELECT max(version) FROM history WHERE order_id = '${plain}') AND order_id = '${plain}'`,
    'history',
    'plain',
  ],
  [
    'an unpaid order was paid without a payment',
    ({ unpaid }) =>
      `UPDATE orders SET payment_status = 'PAID', buy_status = 'Proses' WHERE order_id = '${unpaid}'`,
    'amounts',
    'unpaid',
  ],
  [
    'a line of the history has a version that the order has not',
    ({ plain }) => `UPDATE history SET version = version + 50 WHERE order_id = '${plain}' AND version > 1`,
    'history',
    'plain',
  ],
  [
    'an item is missing',
    ({ delivered }) => `DELETE FROM units WHERE order_id = '${delivered}' AND unit = 2`,
    'items',
    'delivered',
  ],
  [
    'an item of a delivered order failed',
    ({ delivered }) => `UPDATE units SET state = 'failed' WHERE order_id = '${delivered}' AND unit = 2`,
    'items',
    'delivered',
  ],
  [
    'a delivered item is to be asked about again',
    ({ plain }) => `UPDATE units SET next_at = 1 WHERE order_id = '${plain}'`,
    'items',
    'plain',
  ],
  [
    'the serial number is that of another order',
    ({ plain }) => `UPDATE orders SET serial_number = 'SN-other' WHERE order_id = '${plain}'`,
    'items',
    'plain',
  ],
  [
    'an attempt was made twice',
    ({ plain }) =>
      `UPDATE history SET entry = substr(entry, 1, length(entry) - 1) || ',"attempts":[{"unit":1,"attempt":1,"askedAt":null,"supplier":null,"supplierId":null,"reason":null}]}' WHERE order_id = '${plain}' AND version > 1`,
    'attempts',
    'plain',
  ],
  [
    'two orders have one purchase',
    ({ plain, delivered }) =>
      `UPDATE units SET supplier_id = 'P-1' WHERE unit = 1 AND order_id IN ('${plain}', '${delivered}')`,
    'purchases',
    null,
  ],
  [
    'the total of a row is another one',
    ({ plain }) => `UPDATE orders SET total_price = total_price + 1 WHERE order_id = '${plain}'`,
    'amounts',
    'plain',
  ],
  [
    'the prices of an order do not add up',
    ({ plain }) =>
      `UPDATE orders SET details = replace(details, '"payment_fee":', '"payment_fee":9') WHERE order_id = '${plain}'`,
    'amounts',
    'plain',
  ],
  [
    'a refund is larger than the payment',
    ({ refunded }) => `UPDATE refunds SET amount = amount * 3 WHERE order_id = '${refunded}'`,
    'refunds',
    'refunded',
  ],
  [
    'a refund is of an item that is not there',
    ({ refunded }) => `UPDATE refunds SET units = '[7]' WHERE order_id = '${refunded}'`,
    'refunds',
    'refunded',
  ],
  [
    'a use of a promo is counted twice',
    () => `UPDATE promos SET used = used + 1 WHERE used > 0`,
    'promos',
    null,
  ],
  [
    'a delivered order lost its use of a promo',
    ({ delivered }) => `DELETE FROM promo_claims WHERE order_id = '${delivered}'`,
    'promos',
    'delivered',
  ],
  [
    'an expired order still uses its promo',
    ({ expired }) => `UPDATE promo_claims SET released = 0 WHERE order_id = '${expired}'`,
    'promos',
    'expired',
  ],
  [
    'a report counts a sale with another turnover',
    ({ plain }) => `UPDATE sales SET turnover = turnover - 1 WHERE order_id = '${plain}'`,
    'reports',
    'plain',
  ],
  [
    'a report lacks a sale',
    ({ plain }) => `DELETE FROM sales WHERE order_id = '${plain}'`,
    'reports',
    'plain',
  ],
  [
    'a key leads to an order that is not there',
    () => `UPDATE idempotent_responses SET order_id = 'INV-20260101000000-AAAAAAAA' WHERE key = 'key-3'`,
    'owners',
    null,
  ],
  [
    'a key of one account leads to an order of another',
    ({ delivered }) => `UPDATE idempotent_responses SET account_id = 'other' WHERE order_id = '${delivered}'`,
    'keys',
    'delivered',
  ],
  [
    'a used key leads to an order that is not there',
    () => `INSERT INTO used_keys VALUES ('sandbox', 'old', 'INV-20260101000000-AAAAAAAB', 'print')`,
    'owners',
    null,
  ],
  [
    'a used key of one account leads to an order of another',
    ({ delivered }) => `INSERT INTO used_keys VALUES ('other', 'older', '${delivered}', 'print')`,
    'keys',
    'delivered',
  ],
  [
    'an event is of no change',
    ({ plain }) =>
      `UPDATE webhook_deliveries SET event_id = 'evt_000000000000000000000000' WHERE event_id = (SELECT min(event_id) FROM webhook_deliveries WHERE order_id = '${plain}')`,
    'events',
    'plain',
  ],
  [
    'the payment of an order was settled, and its history does not say so',
    ({ plain }) =>
      `INSERT INTO reconciliations (reconciliation_id, order_id, reference, amount, paid_at, noticed_at, reason, state) VALUES ('R-1', '${plain}', 'R-1', 9000, 1, 1, 'late', 'settled')`,
    'amounts',
    'plain',
  ],
  [
    'a payment was settled with no order',
    () =>
      `INSERT INTO reconciliations (reconciliation_id, order_id, reference, amount, paid_at, noticed_at, reason, state) VALUES ('R-2', NULL, 'R-2', 9000, 1, 1, 'unknown', 'settled')`,
    'amounts',
    null,
  ],
  [
    'the refund of a refunded order is gone',
    ({ refunded }) => `DELETE FROM refunds WHERE order_id = '${refunded}'`,
    'refunds',
    'refunded',
  ],
  [
    'the key of a placed order has no response',
    ({ expired }) => `UPDATE idempotent_responses SET body = NULL WHERE order_id = '${expired}'`,
    'keys',
    'expired',
  ],
  [
    'an earlier attempt of an order has the purchase of another order',
    ({ expired, onItsWay }) => `
      UPDATE history SET entry = substr(entry, 1, length(entry) - 1) || ',"attempts":[{"unit":1,"attempt":1,"askedAt":null,"supplier":"depot","supplierId":"P-2","reason":null}]}'
        WHERE order_id = '${expired}' AND version = (SELECT max(version) FROM history WHERE order_id = '${expired}');
      INSERT INTO earlier_attempts (supplier_id, order_id, unit, attempt) VALUES ('P-2', '${expired}', 1, 1);
      UPDATE units SET supplier_id = 'P-2', supplier = 'depot' WHERE order_id = '${onItsWay}' AND unit = 1`,
    'purchases',
    null,
  ],
  [
    'a change made no event',
    ({ refunded }) => `
      DELETE FROM webhook_deliveries WHERE order_id = '${refunded}' AND place = (
        SELECT max(place) FROM webhook_deliveries WHERE order_id = '${refunded}');
      DELETE FROM webhook_events WHERE order_id = '${refunded}' AND place = (
        SELECT max(place) FROM webhook_events WHERE order_id = '${refunded}')`,
    'events',
    'refunded',
  ],
  [
    'no change of an order made an event',
    ({ onItsWay }) => `
      DELETE FROM webhook_deliveries WHERE order_id = '${onItsWay}';
      DELETE FROM webhook_events WHERE order_id = '${onItsWay}'`,
    'events',
    'onItsWay',
  ],
  [
    'an event that is to be sent is gone',
    ({ delivered }) => `DELETE FROM webhook_events WHERE order_id = '${delivered}'`,
    'events',
    'delivered',
  ],
  [
    'a state is counted once too often',
    () => `UPDATE order_counts SET count = count + 1 WHERE payment_status = 'PAID' AND buy_status = 'Sukses'`,
    'counts',
    null,
  ],
  [
    'a change has a place that was not given yet',
    ({ plain }) => `UPDATE history SET position = position + 1000 WHERE order_id = '${plain}'`,
    'places',
    null,
  ],
];

describe('a store without differences', () => {
  it('finds no difference in a correct store, and locates its money', async () => {
    const { orders, items, money, differences } = await verifyStore({ kind: 'file', path });
    expect(differences).toEqual([]);
    expect([orders, items]).toEqual([6, 2 + 1 + 2 + 2]);
    const db = new DatabaseSync(path, { readOnly: true });
    const paid = db
      .prepare("SELECT sum(total_price) AS sum FROM orders WHERE payment_status IN ('PAID', 'REFUND')")
      .get();
    db.close();
    const { received, delivered, onItsWay, owed, paidBack } = money;
    expect(received).toBe(paid?.sum);
    expect(delivered + onItsWay + owed + paidBack).toBe(received);
    expect([delivered > 0, onItsWay > 0, owed, paidBack > 0]).toEqual([true, true, 0, true]);
  });
});

it('counts a payment that matches no order until it is settled, and as paid back after it is returned', async () => {
  const changed = join(folder, 'changed.db');
  copyFileSync(path, changed);
  const db = new DatabaseSync(changed);
  const payment = (id: string, amount: number, reason: string, state: string): void =>
    db.exec(
      `INSERT INTO reconciliations (reconciliation_id, order_id, reference, amount, paid_at, noticed_at, reason, state) VALUES ('${id}', NULL, '${id}', ${amount}, 1, 1, '${reason}', '${state}')`,
    );
  payment('R-1', 9_000, 'unknown', 'open');
  payment('R-2', 700, 'unknown', 'returned');
  // Money that left is no payment.
  payment('R-3', 50, 'refunded', 'open');
  db.close();
  const before = await verifyStore({ kind: 'file', path });
  const after = await verifyStore({ kind: 'file', path: changed });
  expect(after.differences).toEqual([]);
  expect(after.money).toEqual({
    ...before.money,
    received: before.money.received + 9_700,
    paidBack: before.money.paidBack + 700,
    toReconcile: 9_000,
  });
});

describe('a difference in a file is found when', () => {
  it.each(planted)('%s', async (_name, statement, rule, at) => {
    const changed = join(folder, 'changed.db');
    copyFileSync(path, changed);
    const db = new DatabaseSync(changed, { enableForeignKeyConstraints: false });
    db.exec(statement(ids));
    expect(Number(db.prepare('SELECT total_changes() AS count').get()?.count)).toBeGreaterThan(0);
    db.close();
    const { differences, found } = await verifyStore({ kind: 'file', path: changed });
    expect(found).toBe(differences.length);
    expect(differences).toContainEqual({
      ...{ rule, sentence: expect.any(String) },
      orderId: at === null ? expect.toSatisfy((id) => id === null || typeof id === 'string') : ids[at],
    });
  });

  it('reports an unreadable row, and verifies the other orders', async () => {
    const changed = join(folder, 'changed.db');
    copyFileSync(path, changed);
    const db = new DatabaseSync(changed);
    db.exec(`UPDATE history SET entry = 'x' WHERE version > 1 AND order_id = '${ids.plain}'`);
    db.exec(`UPDATE orders SET serial_number = 'x' WHERE order_id = '${ids.delivered}'`);
    db.close();
    const { differences } = await verifyStore({ kind: 'file', path: changed });
    expect(new Set(differences.map(({ rule, orderId }) => `${rule} ${orderId}`))).toEqual(
      new Set([`rows ${ids.plain}`, `items ${ids.delivered}`]),
    );
  });
});

describe('a difference in PostgreSQL', () => {
  it('finds the same differences in PostgreSQL as in a file, and no differences in the copy of a correct store', {
    timeout: 60_000,
  }, async () => {
    const url = await database.newSchema();
    const address = { kind: 'postgres', url } as const;
    await copyStore({ kind: 'file', path }, address);
    const before = await verifyStore(address);
    expect(before).toEqual(await verifyStore({ kind: 'file', path }));
    expect(before.differences).toEqual([]);
    await using sql = await connectTo(url);
    for (const [, statement] of planted)
      await sql.begin(async (transaction) => {
        await transaction`SET LOCAL session_replication_role = replica`;
        await transaction.unsafe(statement(ids));
      });
    const { differences } = await verifyStore(address);
    const found = new Set(differences.map(({ rule, orderId }) => `${rule} ${orderId}`));
    const missed = planted.filter(([, , rule, at]) => at !== null && !found.has(`${rule} ${ids[at]}`));
    expect(missed.map(([name]) => name)).toEqual([]);
    expect(new Set(differences.map(({ rule }) => rule))).toEqual(new Set(planted.map(([, , rule]) => rule)));
    const purchases = differences.filter(({ rule }) => rule === 'purchases');
    expect(purchases.map(({ sentence }) => sentence.split(' ')[2]).sort()).toEqual(['P-1', 'P-2']);
  });
});
