import {
  closeRefund,
  markOrder,
  type OperatorDependencies,
  refundOrder,
  retryOrder,
  returnPayment,
  settleReconciliation,
} from '@topup-kit/core/engine';
import {
  createMemoryStore,
  type OrderState,
  type Reconciliation,
  reconciliationReasons,
  refundStates,
  type Store,
  type StoredUnit,
} from '@topup-kit/core/store';
import { describe, expect, it } from 'vitest';
import { createOrderActions } from '../../server/src/features/console/orders/order-actions.ts';
import { createOrderPage } from '../../server/src/features/console/orders/order-page.ts';
import { createAbandonAction } from '../../server/src/features/console/orders/unclear-order.ts';
import { createPaymentActions } from '../../server/src/features/console/payments/payment-actions.ts';
import { createPaymentsPage } from '../../server/src/features/console/payments/payments-page.ts';
import type { ConsolePage } from '../../server/src/features/console/section.ts';
import type { View } from '../../server/src/features/console/view.ts';
import { overStore } from '../../server/test/helpers/over-store.ts';
import {
  change,
  moment,
  order,
  place,
  reconciliation,
  refund,
  unit,
} from '../../suites/src/store/fixtures.ts';
import { ownStore } from './helpers/own-store.ts';
import { run } from './helpers/run.ts';

const own = ownStore();

/** As the store has it of an order whose personal data was erased. */
const erasedText = 'erased';

const orderStates = [
  'UNPAID / Pending',
  'EXPIRED / Batal',
  'FAILED / Batal',
  'PAID / Proses',
  'PAID / Gagal',
  'PAID / Sukses',
  'REFUND / Gagal',
] as const;
type State = (typeof orderStates)[number];

const stateOf = (state: State): OrderState => {
  const [paymentStatus, buyStatus] = state.split(' / ');
  return { paymentStatus, buyStatus } as OrderState; // Safe: these are two of the states above.
};

const contradiction = 'The supplier said otherwise.';
/** What an item can be like. */
const items = {
  waiting: {},
  held: { reason: 'no stock', failureKind: 'supplier_failed' },
  asked: { state: 'asked', askedAt: moment },
  unknown: { state: 'unknown', askedAt: moment },
  delivered: { state: 'delivered', nextAt: null, serialNumber: 'SN' },
  failed: { state: 'failed', nextAt: null, reason: 'no' },
  'failed?': { state: 'failed', nextAt: null, reason: 'no', contradiction },
  'delivered?': { state: 'delivered', nextAt: null, serialNumber: 'SN', contradiction },
} as const satisfies Record<string, Partial<StoredUnit>>;
type Item = keyof typeof items;
const kinds = Object.keys(items) as Item[]; // Safe: these are the keys of a constant table.

/** Orders without items, with one of each kind, and with two. */
const lists: readonly (readonly Item[])[] = [
  [],
  ...kinds.map((kind): Item[] => [kind]),
  ...(['waiting', 'held', 'asked', 'delivered'] as const).map((kind): Item[] => [kind, 'failed']),
  ['delivered', 'waiting'],
];

interface Case {
  state: State;
  units: readonly Item[];
  /** How much of it was refunded. */
  refunded?: number;
  /** What the gateway paid back, and no operator has looked at yet. */
  reported?: number;
  erased?: true;
}

const cases: readonly Case[] = [
  ...orderStates.flatMap((state) =>
    (/^(PAID|REFUND)/.test(state) ? lists.slice(1) : lists.slice(0, 1)).map((units) => ({ state, units })),
  ),
  ...(['PAID / Gagal', 'PAID / Sukses', 'REFUND / Gagal'] as const).flatMap((state) =>
    [10_000, 22_000].flatMap((refunded) => [
      { state, units: [state === 'PAID / Sukses' ? 'delivered' : 'failed'] as const, refunded },
      { state, units: ['delivered'] as const, refunded, reported: 5_000 },
    ]),
  ),
  { state: 'PAID / Gagal', units: ['failed'], erased: true },
  { state: 'PAID / Proses', units: ['waiting'], erased: true },
];

const idOf = (index: number): string =>
  `INV-20260328100000-${String.fromCharCode(65 + Math.floor(index / 26), 65 + (index % 26)).repeat(4)}`;

async function addOrder(store: Store, orderId: string, of: Case): Promise<void> {
  const { state, units, refunded = 0, reported = 0, erased } = of;
  const reference = `ref-${orderId}`;
  const contact = { email: null, whatsapp: erased ? erasedText : order().contact.whatsapp };
  await store.placeOrder(place(order({ orderId, contact, payment: { ...order().payment, reference } })));
  if (state !== 'UNPAID / Pending')
    await store.changeOrder(
      change({
        orderId,
        to: stateOf(state),
        units: units.map((kind, index) => unit(index + 1, items[kind])),
        refunds: refunded > 0 ? [refund({ orderId, refundId: `${orderId}-R1`, amount: refunded })] : [],
      }),
    );
  if (reported > 0)
    await store.addReconciliation(
      reconciliation({
        ...{ reconciliationId: `back-${orderId}`, orderId, reference, amount: reported },
        reason: 'refunded',
      }),
    );
}

/** Whether one of these command lines would be carried out. */
async function isTaken(...lines: string[][]): Promise<boolean> {
  for (const line of lines) {
    const { code } = await run([...line, '--dry-run'], { environment: { TOPUP_STORE: own.url } });
    if (code === 0) return true;
  }
  return false;
}

/** Whether the engine carries out one of these, each on a store of its own. */
async function isDone(
  fill: (store: Store) => Promise<void>,
  ...commands: ((deps: OperatorDependencies) => Promise<unknown>)[]
): Promise<boolean> {
  for (const command of commands) {
    const store = createMemoryStore();
    await fill(store);
    const work = command({ store, worldClock: () => moment, operator: 'ani' });
    if (
      await work.then(
        () => true,
        () => false,
      )
    )
      return true;
  }
  return false;
}

/** The names for which the answer is yes. */
async function namesOf(answers: Record<string, Promise<boolean>>): Promise<string[]> {
  const yes = await Promise.all(
    Object.entries(answers).map(async ([name, answer]) => (await answer) && name),
  );
  return yes.filter((name) => name !== false).toSorted();
}

const pageOf = async (page: ConsolePage, view: View, params = {}, query = {}): Promise<string> => {
  const shown = await page.render(view, { params, query, cookie: () => undefined });
  if (shown === null || shown instanceof Response) throw new Error('no page');
  return String(await shown.content);
};

describe('the console, the command line and the engine', () => {
  it('agree on the possible actions for an order in any state', async () => {
    await own.inStore(async (store) => {
      for (const [index, of] of cases.entries()) await addOrder(store, idOf(index), of);
    });
    for (const [index, of] of cases.entries()) {
      const id = idOf(index);
      const fill = (store: Store) => addOrder(store, id, of);
      const engine = await namesOf({
        retry: isDone(fill, (deps) => retryOrder(deps, id)),
        refund: isDone(
          fill,
          (deps) => refundOrder(deps, id),
          (deps) => refundOrder(deps, id, { amount: 'all' }),
        ),
        mark: isDone(
          fill,
          (deps) => markOrder(deps, id, { outcome: 'delivered', note: 'seen' }),
          (deps) => markOrder(deps, id, { outcome: 'failed', note: 'seen' }),
        ),
      });
      const refundLine = ['refunds', 'create', id, '--note', 'x'];
      const commandLine = await namesOf({
        retry: isTaken(['orders', 'retry', id]),
        refund: isTaken(refundLine, [...refundLine, '--all']),
        mark: isTaken(
          ['orders', 'mark', id, '--delivered', '--note', 'x'],
          ['orders', 'mark', id, '--failed', '--note', 'x'],
        ),
      });
      const shown = await own.inStore(async (store) => {
        const [deps, view] = overStore(store);
        const page = createOrderPage(deps, {
          orders: createOrderActions(deps).one,
          abandon: createAbandonAction(deps),
          payments: createPaymentActions(deps),
          cards: [],
        });
        return pageOf(page, view, { id });
      });
      const [head = ''] = shown.split('id="order-units"');
      const links = [...head.matchAll(/orders\/[^/]+\/(retry|try-now|refund|mark)\b/g)].map(([, name]) =>
        name === 'try-now' ? 'retry' : String(name),
      );
      const told = { of, may: engine };
      expect({ of, may: commandLine }).toEqual(told);
      expect({ of, may: links.toSorted() }).toEqual(told);
    }
  });

  const payments: { of: Case; payment: Partial<Reconciliation> }[] = orderStates.flatMap((state) =>
    reconciliationReasons.flatMap((reason) =>
      (['open', 'settled', 'returned'] as const).map((became) => ({
        of: { state, units: /^(PAID|REFUND)/.test(state) ? ['failed' as const] : [] },
        payment: { reason, state: became },
      })),
    ),
  );

  it('agree on the possible actions for a payment to reconcile', async () => {
    const all = [
      ...payments,
      { of: { state: 'EXPIRED / Batal' as const, units: [], erased: true as const }, payment: {} },
    ].map(({ of, payment }, index) => {
      const [orderId, reconciliationId] = [idOf(index), `pay-${index}`];
      const closed = payment.state === 'open' ? {} : { closedAt: moment, closedBy: 'ani' };
      const stored = reconciliation({
        reconciliationId,
        orderId,
        reference: `x-${index}`,
        ...closed,
        ...payment,
      });
      const fill = async (store: Store): Promise<void> => {
        await addOrder(store, orderId, of);
        await store.addReconciliation(stored);
      };
      return { of, payment, reconciliationId, fill };
    });
    const shown = await own.inStore(async (store) => {
      for (const { fill } of all) await fill(store);
      const [deps, view] = overStore(store);
      const page = createPaymentsPage(deps, createPaymentActions(deps));
      return `${await pageOf(page, view)}${await pageOf(page, view, {}, { closed: '1' })}`;
    });
    for (const { of, payment, reconciliationId: id, fill } of all) {
      const told = {
        ...{ of, payment },
        may: await namesOf({
          settle: isDone(fill, (deps) =>
            settleReconciliation(deps, { reconciliationId: id, otherAmount: true }),
          ),
          return: isDone(fill, (deps) => returnPayment(deps, id, 'by transfer')),
        }),
      };
      const may = await namesOf({
        settle: isTaken(['payments', 'settle', id, '--other-amount']),
        return: isTaken(['payments', 'return', id, '--note', 'x']),
      });
      expect({ of, payment, may }).toEqual(told);
      const links = [...shown.matchAll(new RegExp(`payments/${id}/(settle|return)\\b`, 'g'))];
      expect({ of, payment, may: [...new Set(links.map(([, name]) => name))].toSorted() }).toEqual(told);
    }
  });

  it.each(refundStates)('agree on the possible actions for a refund that is %s', async (state) => {
    const orderId = idOf(0);
    const fill = async (store: Store): Promise<void> => {
      await store.placeOrder(place(order({ orderId })));
      const closed = state === 'to-pay' ? {} : { closedAt: moment, closedBy: 'ani', reference: 'x' };
      const refunds = [refund({ orderId, refundId: `${orderId}-R1`, state, ...closed })];
      await store.changeOrder(change({ orderId, units: [unit(1, items.failed)], refunds }));
    };
    const shown = await own.inStore(async (store) => {
      await fill(store);
      const [deps, view] = overStore(store);
      return pageOf(createPaymentsPage(deps, createPaymentActions(deps)), view, {}, { closed: '1' });
    });
    const refundId = `${orderId}-R1`;
    const close = (ending: 'paid' | 'cancelled') => (deps: OperatorDependencies) =>
      closeRefund(deps, { refundId, state: ending, reference: 'x' });
    const may = state === 'to-pay' ? ['cancel', 'paid'] : [];
    expect(
      await namesOf({ paid: isDone(fill, close('paid')), cancel: isDone(fill, close('cancelled')) }),
    ).toEqual(may);
    expect(
      await namesOf({
        paid: isTaken(['refunds', 'paid', refundId, '--reference', 'x']),
        cancel: isTaken(['refunds', 'cancel', refundId, '--note', 'x']),
      }),
    ).toEqual(may);
    const links = [...shown.matchAll(/refunds\/[^/]+\/(paid|cancel)\b/g)].map(([, name]) => name);
    expect(links.toSorted()).toEqual(may);
  });
});
