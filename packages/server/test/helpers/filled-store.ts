import { DatabaseSync } from 'node:sqlite';
import type { Store } from '@topup-kit/core/store';
import { callback } from '../../../suites/src/store/callbacks/callback-cases.ts';
import {
  another,
  catalog,
  change,
  claim,
  delivered,
  entry,
  expired,
  key,
  moment,
  place,
  promo,
  reconciliation,
  refund,
  reserve,
  response,
  unit,
} from '../../../suites/src/store/fixtures.ts';
import { openedStore, placeOrders } from './store-file.ts';
import { addWebhook } from './webhook.ts';

/** Fills a store with records of every kind, in many states, and with so many plain orders besides. */
async function fillStore(store: Store, orders: number): Promise<void> {
  await store.claimMode('live');
  await store.saveDisplay({ currency: 'IDR', timezone: 'Asia/Jakarta' });
  await store.replaceCatalog(
    catalog([promo({ quota: 3 }), promo({ code: 'A-FIRST', position: 1 } as object)]),
  );
  await store.putPromo(promo({ code: 'OWN', per_customer: 1 }));
  // At the same moment, so that only the order of their creation tells them apart.
  for (const id of ['z', 'a', 'm'])
    await store.createKey(key({ keyId: `key_${id}`, hash: id.repeat(64), name: `${id}\0 “≥”` }));
  await store.rotateKey(
    'key_a',
    key({ keyId: 'key_next', hash: 'n'.repeat(64), createdAt: moment + 1 }),
    moment + 9,
  );
  await store.recordKeyUses(new Map([['key_z', moment + 7]]));
  await store.revokeKey('key_m', moment + 8);
  await placeOrders(store, 0, orders);
  const withUse = place(another('A', {}, 7), { promo: claim(), response: response() });
  await store.placeOrder(withUse);
  await store.placeOrder(place(another('B'), { promo: claim({ customer: 'another' }) }));
  const ofOldKey = another('C', { gateway: null, target: { id: '9\0', server: null, nickname: null } });
  const old = response({ key: 'old', expiresAt: moment, orderId: ofOldKey.orderId });
  await store.placeOrder(place(ofOldKey, { response: old }));
  await store.dropIdempotentResponses(moment, 10);
  await store.reserveOrder(
    reserve(another('D'), { response: response({ key: 'open', orderId: another('D').orderId, body: null }) }),
  );
  for (const id of ['rec-2', 'rec-1'])
    await store.addReconciliation(reconciliation({ reconciliationId: id }));
  await store.addReconciliation(
    reconciliation({ reconciliationId: 'rec-0', orderId: null, reason: 'unknown' }),
  );
  await store.returnReconciliation('rec-2', 'paid back\0', { closedAt: moment + 3, closedBy: 'budi\0' });
  const asked = {
    state: 'asked',
    askedAt: moment,
    supplier: 'depot',
    findBy: 'supplierId',
    supplierId: 'T-1',
  } as const;
  const odd = { reason: 'bad\0reason', contradiction: 'yes' };
  await store.changeOrder(
    change({
      entry: entry({ operator: 'ani' }),
      units: [unit(1, asked), unit(2), unit(3, odd)],
      settles: ['rec-1'],
      refunds: [refund({ note: 'odd\0', operator: 'ani “≥”' }), refund({ refundId: 'R-2', units: [] })],
    }),
  );
  await store.changeOrder(
    change({
      version: 2,
      to: delivered,
      entry: entry({ event: 'delivered' }),
      serialNumber: 'SN “1”',
      units: [unit(2, { state: 'delivered', nextAt: null })],
    }),
  );
  await store.changeOrder(
    change({
      orderId: another('B').orderId,
      to: expired,
      entry: entry({ to: expired, event: 'expired', by: 'clock' }),
      promo: 'release',
    }),
  );
  const paidBack = { state: 'paid', reference: 'BCA\0 1', closedAt: moment + 4, closedBy: 'budi' } as const;
  await store.closeRefund({ refundId: 'R-2', ...paidBack });
  await store.addCallback(callback());
  await store.addCallback(
    callback({ callbackId: 'cb_0', outcome: 'rejected', body: new Uint8Array(), orderId: null }),
  );
  await store.requestReplay('cb_1');
  await store.saveSupplierBalance({
    supplier: 'depot',
    balance: 5_000_000_000,
    alertBelow: 1,
    readAt: moment,
  });
  const product = { code: 'ML86', price: 1, isAvailable: true, stock: 2, isOncePerDay: false, pause: null };
  await store.saveSupplierList({ supplier: 'depot', readAt: moment, products: [product] });
  await store.saveProviderProblems([{ provider: 'depot', call: 'balance', problem: 'no', since: moment }]);
  await addWebhook(store);
  await store.recordWebhookAttempt({
    ...{ endpointId: 'ep_1', eventId: 'evt_1', attempts: 0, state: 'pending', step: 1, nextAt: moment + 5 },
    log: [{ at: moment, ms: 3, status: null, text: 'away “≥”' }],
    endpoint: { failingSince: moment, disabled: 'failing' },
  });
  // Some of the changes have places, and the order after them has none.
  const { position, edit } = await store.readEventProgress();
  await store.findChanges(0, 3);
  await store.addWebhookEvents([], { from: { position, edit }, to: { position: position + 2, edit } });
  await store.saveRaisedAlerts(
    { version: 0, alerts: [{ kind: 'low-balance', sentence: 'low', count: 1, names: ['depot'] }] },
    [],
  );
  await store.moveWorld(5_000);
}

/** A closed store file with records of every kind. */
export async function filledFile(path: string, orders: number): Promise<void> {
  const store = await openedStore(path);
  await fillStore(store, orders);
  await store.close();
}

const withoutNul = (value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll('\0', '\uFFFD') : value;

/** The tables whose rows keep the order in which they were added. */
const inOrder = ['keys', 'reconciliations'];

/** Everything in a store file, as PostgreSQL can keep it (without NUL characters): a line for each row, with its table. */
export function contentOf(path: string): string[] {
  using db = new DatabaseSync(path, { readOnly: true });
  const tables = db
    .prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT IN ('revisions', 'store_identity') ORDER BY name",
    )
    .all()
    .map(({ name }) => String(name));
  return tables.flatMap((table) => {
    // A count that went back to 0 is as good as none.
    const where = table === 'order_counts' ? 'WHERE count > 0' : '';
    const rows = db.prepare(`SELECT * FROM ${table} ${where}`).all();
    const lines = rows.map((row) => `${table} ${JSON.stringify(Object.values(row).map(withoutNul))}`);
    return inOrder.includes(table) ? lines : lines.toSorted();
  });
}
