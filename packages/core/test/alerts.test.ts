import { expect, it } from 'vitest';
import { callback } from '../../suites/src/store/callbacks/callback-cases.ts';
import {
  another,
  change,
  idOf,
  moment,
  place,
  reconciliation,
  refund,
  reserve,
  unit,
} from '../../suites/src/store/fixtures.ts';
import { type AlertSource, findAlerts } from '../src/features/index.ts';
import { createMemoryStore, type Reconciliation, type StoredCallback } from '../src/features/store.ts';
import { callbackGateway, signed } from './helpers/providers.ts';
import { createTestService } from './helpers/test-service.ts';

const minute = 60_000;
const alertsAt = (store: AlertSource, now: number) => findAlerts(store, { now, realNow: now });
const failed = { paymentStatus: 'PAID', buyStatus: 'Gagal' } as const;

it('raises no alerts for a store without pending problems', async () => {
  const store = createMemoryStore();
  await store.placeOrder(place(another('A')));
  await store.saveSupplierBalance({ supplier: 'test', balance: 500, alertBelow: 500, readAt: moment });
  expect(await alertsAt(store, moment + 60 * minute)).toEqual([]);
});

it('reports an order as stuck after 15 minutes in delivery, and immediately after an unknown outcome', async () => {
  const store = createMemoryStore();
  for (const letter of 'AB') await store.placeOrder(place(another(letter)));
  const asked = unit(1, { state: 'asked', askedAt: moment, nextAt: moment + minute });
  await store.changeOrder(change({ orderId: idOf('A'), units: [asked] }));
  expect(await alertsAt(store, moment + 15 * minute)).toEqual([]);
  expect(await alertsAt(store, moment + 15 * minute + 1)).toEqual([
    {
      ...{ kind: 'stuck-orders', names: [idOf('A')], subjects: [idOf('A')], count: 1 },
      sentence: '1 order has been in delivery for over 15 minutes, or its outcome is unknown',
      items: [
        {
          ...{ orderId: idOf('A'), unit: 1, supplier: null, supplierId: null },
          ...{ productCode: 'ML86', reference: `${idOf('A')}-1-1` },
        },
      ],
    },
  ]);
  await store.changeOrder(
    change({ orderId: idOf('B'), units: [unit(1, { state: 'unknown', askedAt: moment, nextAt: null })] }),
  );
  expect(await alertsAt(store, moment)).toMatchObject([{ kind: 'stuck-orders', names: [idOf('B')] }]);
});

it("shows in an order's alert how to find its units at the supplier", async () => {
  const store = createMemoryStore();
  const product = { id: 901, code: 'ML86', supplier_code: 'mlbb-86', title: '86 Diamond', image: null };
  await store.placeOrder(place(another('A', { product })));
  const there = { supplier: 'digiflazz', findBy: 'reference', askedAt: moment } as const;
  const units = [
    unit(1, { ...there, state: 'delivered', nextAt: null }),
    unit(2, { ...there, state: 'asked', attempt: 3, supplierId: 'T-7' }),
    unit(3, { ...there, state: 'waiting', askedAt: null }),
    unit(4, { ...there, state: 'unknown', nextAt: null }),
    unit(5, { ...there, state: 'failed', nextAt: null, contradiction: 'It was delivered.' }),
  ];
  await store.changeOrder(change({ units }));
  const item = (number: number, attempt: number, supplierId: string | null = null) => ({
    ...{ orderId: idOf('A'), unit: number, supplier: 'digiflazz', productCode: 'mlbb-86', supplierId },
    reference: `${idOf('A')}-${number}-${attempt}`,
  });
  const items = [item(2, 3, 'T-7'), item(4, 1), item(5, 1)];
  expect(await alertsAt(store, moment + 16 * minute)).toMatchObject([
    { kind: 'stuck-orders', items },
    { kind: 'contradictions', items },
  ]);
});

it('lists ten units in the alert for an order with a hundred units', async () => {
  const store = createMemoryStore();
  await store.placeOrder(place(another('A')));
  const units = Array.from({ length: 100 }, (_, index) =>
    unit(index + 1, { state: 'unknown', nextAt: null }),
  );
  await store.changeOrder(change({ units }));
  const [alert] = await alertsAt(store, moment);
  expect(alert?.items?.map(({ unit: number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
});

it('raises an alert for a refund that waits a day for payment by hand, until it is paid or cancelled', async () => {
  const store = createMemoryStore();
  await store.placeOrder(place(another('A')));
  const [first, second] = [refund(), refund({ refundId: `${idOf('A')}-R2` })];
  await store.changeOrder(
    change({ to: { paymentStatus: 'REFUND', buyStatus: 'Gagal' }, refunds: [first, second] }),
  );
  const day = first.at + 24 * 60 * minute;
  expect(await alertsAt(store, day - 1)).toEqual([]);
  expect(await alertsAt(store, day)).toMatchObject([
    {
      ...{ kind: 'unpaid-refunds', names: [first.refundId, second.refundId], count: 2 },
      sentence: '2 refunds have been waiting for over a day to be paid by hand',
    },
  ]);
  const closing = { closedAt: day, closedBy: 'ani' };
  await store.closeRefund({ refundId: first.refundId, state: 'paid', reference: 'BCA 1', ...closing });
  expect(await alertsAt(store, day)).toMatchObject([{ names: [second.refundId], count: 1 }]);
  await store.closeRefund({ refundId: second.refundId, state: 'cancelled', reference: 'error', ...closing });
  expect(await alertsAt(store, day)).toEqual([]);
});

it('raises alerts for failed deliveries, contradictions, unmatched money, refunds, unclear payments and low balances', async () => {
  const store = createMemoryStore();
  await store.placeOrder(place(another('A')));
  await store.changeOrder(change({ to: failed, units: [unit(1, { state: 'failed', nextAt: null })] }));
  await store.placeOrder(place(another('C')));
  const contradicted = unit(1, { state: 'failed', nextAt: null, contradiction: 'It was delivered.' });
  await store.changeOrder(change({ orderId: idOf('C'), to: failed, units: [contradicted] }));
  await store.addReconciliation(reconciliation());
  await store.addReconciliation(reconciliation({ reconciliationId: 'rec-2', state: 'returned' }));
  await store.addReconciliation(reconciliation({ reconciliationId: 'rec-3', reason: 'refunded' }));
  await store.reserveOrder(reserve(another('B')));
  await store.saveSupplierBalance({
    ...{ supplier: 'digiflazz', balance: 312_000, alertBelow: 500_000, readAt: moment },
  });
  const kinds = async (after: number) => (await alertsAt(store, moment + after)).map(({ kind }) => kind);
  expect(await kinds(5 * minute)).not.toContain('unclear-payments');
  expect(await alertsAt(store, moment + 5 * minute + 1)).toMatchObject([
    { kind: 'failed-deliveries', names: [idOf('A')], count: 1 },
    { kind: 'contradictions', names: [idOf('C')], count: 1 },
    { kind: 'money-without-an-order', names: ['rec-1'], count: 1 },
    {
      ...{ kind: 'refunded-payments', names: ['rec-3'], count: 1 },
      sentence: 'The gateway refunded 1 payment fully or partly, but its order does not show the refund',
    },
    { kind: 'unclear-payments', names: [idOf('B')], count: 1 },
    {
      ...{ kind: 'low-balance', names: ['digiflazz'] },
      sentence: 'The balance at the supplier digiflazz is Rp 312,000, below Rp 500,000',
    },
  ]);
});

it('raises an alert for callbacks from wrong addresses only if no callback arrives from an allowed address', async () => {
  const { gateway } = callbackGateway();
  const { callbacks, store, clock } = await createTestService({ gateway });
  async function receiveForbidden(): Promise<void> {
    callbacks.forbid('gateway', gateway.name, '192.0.2.1');
    await callbacks.storeUnverified();
  }
  for (let count = 0; count < 2; count += 1) await receiveForbidden();
  expect(await alertsAt(store, clock.now)).toEqual([]);
  await receiveForbidden();
  expect(await alertsAt(store, clock.now)).toMatchObject([
    {
      kind: 'failing-callbacks',
      sentence: 'The last 3 callbacks of paygate failed or were rejected',
    },
  ]);
  const [kept] = await store.listCallbacks({ limit: 1 });
  expect(kept).toMatchObject({
    ...{ outcome: 'rejected', address: '192.0.2.1', headers: {}, body: new Uint8Array() },
    ...{ attempts: 1, replay: false },
    reason: 'TOPUP_CALLBACK_ADDRESSES does not include its address.',
  });
  clock.now += 60_000;
  await callbacks.receive('gateway', gateway.name, signed('ping'), '127.0.0.1');
  clock.now += 1;
  for (let count = 0; count < 3; count += 1) await receiveForbidden();
  expect(await alertsAt(store, clock.now)).toEqual([]);
});

it('names each supplier with a low balance, but not suppliers that are no longer used', async () => {
  const store = createMemoryStore();
  const read = { alertBelow: 500_000, readAt: moment };
  await store.saveSupplierBalance({ ...read, supplier: 'former', balance: 0, readAt: moment - 61 * minute });
  await store.saveSupplierBalance({
    ...read,
    supplier: 'depot',
    balance: 1_000,
    readAt: moment - 10 * minute,
  });
  await store.saveSupplierBalance({ ...read, supplier: 'shelf', balance: 2_000 });
  await store.saveSupplierBalance({ ...read, supplier: 'store', balance: 500_000 });
  expect(await findAlerts(store, { now: moment, realNow: moment })).toEqual([
    {
      ...{ kind: 'low-balance', names: ['depot', 'shelf'], subjects: ['depot', 'shelf'], count: 2 },
      sentence:
        'The balance at the supplier depot is Rp 1,000, below Rp 500,000; at shelf is Rp 2,000, below Rp 500,000',
    },
  ]);
});

it("alerts immediately about orders that wait for the balance, even if the balance seems high enough, and doesn't call them stuck", async () => {
  const store = createMemoryStore();
  await store.placeOrder(place(another('A')));
  const waiting = unit(1, { state: 'asked', askedAt: moment, nextAt: moment + minute, waitsFor: 'balance' });
  await store.changeOrder(change({ units: [waiting] }));
  const alert = { kind: 'waiting-for-balance', names: [idOf('A')], subjects: ['supplier'], count: 1 };
  expect(await alertsAt(store, moment)).toEqual([
    { ...alert, sentence: '1 paid order waits for a deposit at the supplier' },
  ]);
  await store.saveSupplierBalance({ supplier: 'digiflazz', balance: 30_000, alertBelow: 1, readAt: moment });
  expect(await alertsAt(store, moment + 60 * minute)).toEqual([
    {
      ...alert,
      sentence:
        '1 paid order waits for a deposit at the supplier (digiflazz had Rp 30,000 at the last check)',
    },
  ]);
  const asked = { ...waiting, waitsFor: null };
  await store.changeOrder(change({ version: 2, units: [asked] }));
  expect(await alertsAt(store, moment + 60 * minute)).toMatchObject([{ kind: 'stuck-orders' }]);
});

it('raises an alert with the reason for requests that a provider rejects', async () => {
  const store = createMemoryStore();
  const since = moment;
  await store.saveProviderProblems([
    { provider: 'digiflazz', call: 'balance', problem: 'rc 41.', since },
    { provider: 'digiflazz', call: 'purchases', problem: 'rc 44', since },
    { provider: 'tripay', call: 'access', problem: 'status 401', since },
  ]);
  expect(await alertsAt(store, moment)).toEqual([
    {
      ...{
        kind: 'rejected-requests',
        names: ['digiflazz', 'tripay'],
        subjects: ['digiflazz', 'tripay'],
        count: 2,
      },
      sentence:
        'Requests to a provider fail: digiflazz, reading the balance (rc 41); digiflazz, buying items (rc 44); tripay, any request (status 401)',
    },
  ]);
});

it('raises an alert when the last backup is too old, or when there is no backup and the first order is too old', async () => {
  const store = createMemoryStore();
  const hour = 60 * minute;
  const alert = { kind: 'overdue-backup', names: ['store'], subjects: ['store'], count: 1 };
  await store.saveBackupAlert(26 * hour, 0);
  expect(await alertsAt(store, moment)).toEqual([]);
  await store.placeOrder(place(another('A')));
  const { firstOrderAt } = await store.readBackupState();
  const begin = firstOrderAt ?? Number.NaN;
  expect(await alertsAt(store, begin + 26 * hour - 1)).toEqual([]);
  expect(await alertsAt(store, begin + 26 * hour)).toEqual([
    { ...alert, sentence: 'The store has orders and no recorded backup' },
  ]);
  const at = begin + 30 * hour;
  await store.noteBackup({ at, operator: 'Dewi', file: 'friday.db' });
  expect(await alertsAt(store, at + 26 * hour - 1)).toEqual([]);
  expect(await alertsAt(store, at + 26 * hour)).toEqual([
    { ...alert, sentence: 'The last backup of the store is over 26 hours old' },
  ]);
  await store.saveBackupAlert(0, 0);
  expect(await alertsAt(store, at + 900 * hour)).toEqual([]);
});

it('alerts a shop with old orders to a missing backup only some time after backup alerts are enabled', async () => {
  const store = createMemoryStore();
  await store.placeOrder(place(another('A')));
  const hour = 60 * minute;
  const upgraded = moment + 900 * hour;
  await store.saveBackupAlert(26 * hour, upgraded);
  await store.saveBackupAlert(25 * hour, upgraded + hour);
  expect(await alertsAt(store, upgraded + 25 * hour - 1)).toEqual([]);
  expect(await alertsAt(store, upgraded + 25 * hour)).toMatchObject([{ kind: 'overdue-backup' }]);
});

/** A source that has nothing but what is given, and obeys limits as a store does. */
const sourceOf = ({
  problems = {},
  reconciliations = [],
  callbacks = [],
}: {
  problems?: Record<string, string[]>;
  reconciliations?: Reconciliation[];
  callbacks?: StoredCallback[];
}): AlertSource => ({
  findProblemOrders: async ({ kind }, limit) => (problems[kind] ?? []).slice(0, limit),
  listReconciliations: async () => reconciliations,
  listRefunds: async () => [],
  readSupplierBalances: async () => [],
  readDisplay: async () => null,
  readProviderProblems: async () => [],
  readBackupState: async () => ({ backedUpAt: null, alertAfter: 0, alertSince: null, firstOrderAt: null }),
  listCallbacks: async ({ limit }) => callbacks.slice(0, limit),
  listWebhookEndpoints: async () => [],
  readRaisedAlerts: async () => ({ version: 0, alerts: [] }),
  revision: async () => 0,
  readCatalog: async () => null,
  readSupplierLists: async () => [],
  findOrder: async () => null,
  findUnits: async () => [],
});

const numbers = (count: number): string[] => Array.from({ length: count }, (_, index) => `${index}`);

it.each([
  ['stuck', 1, '1 order has been in delivery for over 15 minutes, or its outcome is unknown'],
  ['stuck', 2, '2 orders have been in delivery for over 15 minutes, or their outcomes are unknown'],
  ['failed', 1, '1 paid order could not be delivered and needs a retry or a refund'],
  ['failed', 2, '2 paid orders could not be delivered and need a retry or a refund'],
  [
    'contradicted',
    1,
    'The supplier contradicted the outcome of 1 order, so it is unclear what was delivered',
  ],
  [
    'contradicted',
    2,
    'The supplier contradicted the outcomes of 2 orders, so it is unclear what was delivered',
  ],
  ['reserved', 1, 'The gateway has not confirmed or denied the payment of 1 order for over 5 minutes'],
  ['reserved', 2, 'The gateway has not confirmed or denied the payments of 2 orders for over 5 minutes'],
  ['late', 1, '1 payment matches no order and must be settled or returned'],
  ['late', 2, '2 payments match no order and must be settled or returned'],
  ['refunded', 1, 'The gateway refunded 1 payment fully or partly, but its order does not show the refund'],
  [
    'refunded',
    2,
    'The gateway refunded 2 payments fully or partly, but their orders do not show the refunds',
  ],
] as const)('writes a sentence about %s for %i', async (what, count, sentence) => {
  const names = numbers(count);
  const source =
    what === 'late' || what === 'refunded'
      ? {
          reconciliations: names.map((reconciliationId) =>
            reconciliation({ reconciliationId, reason: what }),
          ),
        }
      : { problems: { [what]: names } };
  expect(await alertsAt(sourceOf(source), moment)).toMatchObject([{ names, count, sentence }]);
});

it.each([
  [12, 12, '12 paid orders'],
  [1_000, 1_000, '1,000 paid orders'],
  [1_001, 1_000, 'over 1,000 paid orders'],
])('lists ten of %i, and counts up to 1,000', async (number, count, words) => {
  const source = sourceOf({ problems: { failed: numbers(number) } });
  expect(await alertsAt(source, moment)).toMatchObject([
    {
      count,
      names: numbers(10),
      subjects: numbers(count),
      sentence: expect.stringMatching(new RegExp(`^${words} could`)),
    },
  ]);
});

it("checks each provider's newest fifty callbacks of the last day", async () => {
  const failedNow = (provider: string, count: number): StoredCallback[] =>
    numbers(count).map((callbackId) =>
      callback({ callbackId, provider, outcome: 'failed', handledAt: moment }),
    );
  const callbacks = [...failedNow('tripay', 3), ...failedNow('digiflazz', 60)];
  const day = 24 * 60 * minute;
  expect(await alertsAt(sourceOf({ callbacks }), moment + day - 1)).toMatchObject([
    { count: 50, sentence: 'The last 50 callbacks of tripay and digiflazz failed or were rejected' },
  ]);
  expect(await alertsAt(sourceOf({ callbacks }), moment + day)).toEqual([]);
});

it("reports a provider's callbacks as failing when the last three failed within a day", async () => {
  const store = createMemoryStore();
  const add = (callbackId: string, outcome: StoredCallback['outcome'], after: number, provider = 'tripay') =>
    store.addCallback(
      callback({ callbackId, provider, outcome, receivedAt: moment + after, handledAt: moment + after }),
    );
  await add('cb_1', 'failed', 1);
  await add('cb_2', 'applied', 2);
  await add('cb_3', 'failed', 3);
  await add('cb_4', 'rejected', 4);
  await add('cb_5', 'applied', 5, 'digiflazz');
  expect(await alertsAt(store, moment + minute)).toEqual([]);
  await add('cb_6', 'rejected', 6);
  expect(await alertsAt(store, moment + minute)).toEqual([
    {
      ...{ kind: 'failing-callbacks', names: ['cb_6', 'cb_4', 'cb_3'], subjects: ['tripay'], count: 3 },
      sentence: 'The last 3 callbacks of tripay failed or were rejected',
    },
  ]);
  expect(await alertsAt(store, moment + 24 * 60 * minute + 6)).toEqual([]);
  await add('cb_7', 'unchanged', 7);
  expect(await alertsAt(store, moment + minute)).toEqual([]);
});
