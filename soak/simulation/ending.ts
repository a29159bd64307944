import { findAlerts } from '@topup-kit/core/engine';
import type { HistoryEntry, Store, StoredUnit } from '@topup-kit/core/store';
import type { Snapshot } from './check.ts';
import { Mismatch } from './model/model.ts';
import type { Weather } from './providers.ts';
import type { Shop } from './shop.ts';

const minute = 60_000;
const patience = 15 * minute;

/** Responses of a supplier without faults, which may still fail or hold every purchase. */
const answers = ['delivered', 'failed', 'pending', 'busy', 'broke'] as const satisfies Weather['supply'][];

/** Returns the responses in the first 15 minutes after the faults, and in the next 15. Each pair belongs to some seeds. */
export const answersOf = (seed: number): [Weather['supply'], Weather['supply']] => [
  answers[seed % answers.length] ?? 'delivered',
  answers[Math.floor(seed / answers.length) % answers.length] ?? 'delivered',
];

/** Steps of the clock in each 15 minutes, in milliseconds. One more step completes the 15 minutes. */
export const steps = {
  first: [0, 1_000, 9_000, 50_000, 2 * minute, 3 * minute, 4 * minute, 5 * minute + 1],
  next: [minute, minute, 3 * minute, 10 * minute],
};

/** Order or payment that is not final. */
interface Waiting {
  /** Name of the order or payment in an alert. */
  name: string;
  what: string;
  /** Time from which an alert must name it, unless it is final by then, in unix milliseconds of world time. */
  until: number;
}

/** Returns when the delivery of an order began: it was paid, or an operator had it tried again. */
const began = (history: readonly HistoryEntry[]): number =>
  history.findLast(
    ({ event, by }) => event === 'paid' || event === 'settled' || (event === 'retried' && by === 'operator'),
  )?.at ?? 0;

const needsOperator = ({ state, contradiction }: StoredUnit): boolean =>
  state === 'unknown' || contradiction !== null;

/**
 * Returns everything that is not final, with the time until an alert must name it:
 * - an order with an unclear payment: 15 minutes from its creation, or from the end of the faults if that is later;
 * - an unpaid order: 15 minutes from the expiry of its payment, or from the end of the faults; it is never named, so it must be final then;
 * - an order in delivery: 15 minutes from its payment, from the last retry by an operator, or from the end of the faults;
 * - a refund that an operator decided on and has to pay by hand: a day;
 * - an order whose delivery failed, is unknown or is contradicted, and a payment that fits no order: no time.
 */
async function findWaiting(
  store: Pick<Store, 'findHistory'>,
  { orders, reserved, reconciliations, refunds }: Snapshot,
  stoppedAt: number,
): Promise<Waiting[]> {
  const waiting: Waiting[] = [];
  for (const [name, { createdAt }] of reserved)
    waiting.push({
      name,
      what: 'has an unclear payment',
      until: Math.max(createdAt, stoppedAt) + patience,
    });
  for (const [name, { order, units }] of orders) {
    const { paymentStatus, buyStatus, expiresAt } = order;
    const what = `is ${paymentStatus} / ${buyStatus}`;
    if (paymentStatus === 'UNPAID')
      waiting.push({ name, what, until: Math.max(expiresAt, stoppedAt) + patience });
    else if (units.some(needsOperator) || (paymentStatus === 'PAID' && buyStatus === 'Gagal'))
      waiting.push({ name, what, until: 0 });
    else if (buyStatus === 'Proses')
      waiting.push({
        name,
        what,
        until: Math.max(began(await store.findHistory(name)), stoppedAt) + patience,
      });
  }
  for (const { reconciliationId: name, state } of reconciliations)
    if (state === 'open') waiting.push({ name, what: 'is to be reconciled', until: 0 });
  for (const { refundId: name, state, at } of refunds)
    if (state === 'to-pay') waiting.push({ name, what: 'is to be paid back', until: at + 24 * 60 * minute });
  return waiting;
}

/** Checks that an alert names everything that is not final and has waited for its maximum time, so that none may pause. */
export async function expectNamed(
  { store, clock: { now } }: Shop,
  snapshot: Snapshot,
  stoppedAt: number,
): Promise<void> {
  const alerts = await findAlerts(store, { now, realNow: now });
  // An alert shows ten names; the command that it prints lists all of them.
  const named = new Set(alerts.flatMap(({ names, subjects }) => [...names, ...subjects]));
  for (const { name, what, until } of await findWaiting(store, snapshot, stoppedAt))
    if (until < now && !named.has(name))
      throw new Mismatch(
        `${name} ${what} ${(now - stoppedAt) / minute} minutes after the faults, and no alert names it`,
      );
}
