import { isStoreFailure, stuckAfterMs } from '@topup-kit/core/engine';
import type { Section } from './texts.ts';
import type { ConsoleDependencies, View } from './view.ts';
import { waitBriefly } from './wait-briefly.ts';

/** Lifetime of counts in milliseconds, so that many tabs need as few queries as one tab. */
const freshMs = 2_000;

/** Maximum number of counted orders: one more than an alert counts, so that both show the same text. */
const most = 1_001;

/** Reads the ids of orders with each problem. An order can have several problems. */
export async function readProblems({ open, now }: View) {
  const [contradicted, unfunded, stuck, refunds, payments] = await Promise.all([
    open.findProblemOrders({ kind: 'contradicted' }, most),
    open.findProblemOrders({ kind: 'unfunded' }, most),
    open.findProblemOrders({ kind: 'stuck', before: now - stuckAfterMs }, most),
    open.listRefunds('to-pay'),
    open.listReconciliations({ state: 'open' }),
  ]);
  return {
    contradicted: new Set(contradicted),
    unfunded: new Set(unfunded),
    stuck: new Set(stuck),
    owing: new Set(refunds.map(({ orderId }) => orderId)),
    money: new Map(payments.map(({ orderId, reason }) => [orderId ?? '', reason])),
  };
}

async function read(view: View): Promise<Partial<Record<Section, number>>> {
  const [{ owing: _owing, money: _money, ...problems }, failed, payments, refunds] = await Promise.all([
    readProblems(view),
    view.open.findProblemOrders({ kind: 'failed' }, most),
    view.open.listReconciliations({ state: 'open' }),
    view.open.listRefunds('to-pay'),
  ]);
  const orders = new Set(failed);
  for (const ids of Object.values(problems)) for (const id of ids) orders.add(id);
  return { orders: orders.size, payments: payments.length + refunds.length };
}

/** Creates a function that counts the orders and payments that wait for an operator; empty if the store doesn't respond. */
export function createCounts({
  reportError,
}: Pick<ConsoleDependencies, 'reportError'>): (view: View) => Promise<Partial<Record<Section, number>>> {
  let last: { at: number; counts: ReturnType<typeof read> } | undefined;
  return async (view) => {
    const at = performance.now();
    if (last === undefined || at - last.at > freshMs) {
      const counts = read(view).catch((error: unknown) => {
        last = undefined;
        if (!isStoreFailure(error)) reportError(error);
        return {};
      });
      last = { at, counts };
    }
    return (await waitBriefly(last.counts)) ?? {};
  };
}
