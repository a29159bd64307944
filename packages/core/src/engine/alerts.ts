import type { Store, SupplierBalance } from '../store/index.ts';

/** What an operator has to look after; each is a section of the runbook in docs/going-live.md, too. */
export type AlertKind =
  | 'stuck-orders'
  | 'failed-deliveries'
  | 'contradictions'
  | 'money-without-an-order'
  | 'unclear-payments'
  | 'low-balance';

/** Something that waits for an operator. */
export interface Alert {
  kind: AlertKind;
  /** The first ten of the ids that it is about: orders, payments to reconcile, or the supplier. */
  names: string[];
  /** How many there are; counted up to {@link maxCount}. */
  count: number;
  /** What it is, as a sentence without the names. */
  sentence: string;
}

/** How many names an alert has at most, and up to which number it counts. */
const maxNames = 10;
export const maxCount = 1_000;

/** How long a delivery may be without an outcome, and a payment without one, in milliseconds of world time. */
const stuckAfter = 15 * 60_000;
const unclearAfter = 5 * 60_000;

export type AlertSource = Pick<Store, 'findProblemOrders' | 'listReconciliations' | 'readSupplierBalance'>;

type Words = (subject: string, isOne: boolean) => string;

function alertAbout(kind: AlertKind, found: readonly string[], noun: string, words: Words): Alert[] {
  const count = Math.min(found.length, maxCount);
  if (count === 0) return [];
  const amount = `${found.length > maxCount ? 'over ' : ''}${count.toLocaleString('en')}`;
  const sentence = words(`${amount} ${noun}${count === 1 ? '' : 's'}`, count === 1);
  return [{ kind, names: found.slice(0, maxNames), count, sentence }];
}

function lowBalance(balance: SupplierBalance | null): Alert[] {
  if (!balance || balance.balance >= balance.alertBelow) return [];
  const [left, limit] = [balance.balance, balance.alertBelow].map((amount) => amount.toLocaleString('en'));
  const sentence = `The balance at the supplier ${balance.supplier} is ${left}, below ${limit}`;
  return [{ kind: 'low-balance', names: [balance.supplier], count: 1, sentence }];
}

/** Finds everything in a store that waits for an operator, at most one alert of each kind. `now` is world time. */
export async function findAlerts(store: AlertSource, now: number): Promise<Alert[]> {
  // One more than is counted shows whether there are more.
  const orders = (problem: Parameters<Store['findProblemOrders']>[0]): Promise<string[]> =>
    store.findProblemOrders(problem, maxCount + 1);
  const [stuck, failed, contradicted, open, unclear, balance] = await Promise.all([
    orders({ kind: 'stuck', before: now - stuckAfter }),
    orders({ kind: 'failed' }),
    orders({ kind: 'contradicted' }),
    store.listReconciliations('open'),
    orders({ kind: 'reserved', before: now - unclearAfter }),
    store.readSupplierBalance(),
  ]);
  const payments = open.map(({ reconciliationId }) => reconciliationId);
  return [
    ...alertAbout(
      'stuck-orders',
      stuck,
      'order',
      (subject, isOne) =>
        `${subject} ${isOne ? 'has' : 'have'} been in delivery for over 15 minutes, or ${isOne ? 'its outcome is' : 'their outcomes are'} unknown`,
    ),
    ...alertAbout(
      'failed-deliveries',
      failed,
      'paid order',
      (subject, isOne) =>
        `${subject} could not be delivered and ${isOne ? 'waits' : 'wait'} for a retry or a refund`,
    ),
    ...alertAbout(
      'contradictions',
      contradicted,
      'order',
      (subject, isOne) =>
        `The supplier contradicted the outcome of ${subject}, so it ${isOne ? 'is' : 'is each time'} not clear what was delivered`,
    ),
    ...alertAbout(
      'money-without-an-order',
      payments,
      'payment',
      (subject, isOne) =>
        `${subject} ${isOne ? 'fits' : 'fit'} no order and ${isOne ? 'has' : 'have'} to be settled or returned`,
    ),
    ...alertAbout(
      'unclear-payments',
      unclear,
      'order',
      (subject, isOne) =>
        `For over 5 minutes the gateway has not said whether ${subject} ${isOne ? 'has' : 'have'} a payment`,
    ),
    ...lowBalance(balance),
  ];
}
