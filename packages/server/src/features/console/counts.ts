import { isOfStore, stuckAfter } from '@topup-kit/core/engine';
import type { Section } from './texts.ts';
import type { ConsoleDependencies } from './view.ts';
import { waitBriefly } from './wait-briefly.ts';

/** Lifetime of counts in milliseconds, so that many tabs cost as much as one. */
const freshMs = 2_000;

/** Maximum count of orders. */
const most = 1_000;

/** The ids of orders with each problem. An order can have several problems. */
export async function readProblems({ store, now }: Pick<ConsoleDependencies, 'store' | 'now'>) {
  const [contradicted, unfunded, stuck, refunds] = await Promise.all([
    store.findProblemOrders({ kind: 'contradicted' }, most),
    store.findProblemOrders({ kind: 'unfunded' }, most),
    store.findProblemOrders({ kind: 'stuck', before: now() - stuckAfter }, most),
    store.listRefunds('to-pay'),
  ]);
  return {
    contradicted: new Set(contradicted),
    unfunded: new Set(unfunded),
    stuck: new Set(stuck),
    owing: new Set(refunds.map(({ orderId }) => orderId)),
  };
}

async function read(deps: ConsoleDependencies): Promise<Partial<Record<Section, number>>> {
  const { store } = deps;
  const [{ owing: _owing, ...problems }, failed, payments, refunds] = await Promise.all([
    readProblems(deps),
    store.findProblemOrders({ kind: 'failed' }, most),
    store.listReconciliations({ state: 'open' }),
    store.listRefunds('to-pay'),
  ]);
  const orders = new Set(failed);
  for (const ids of Object.values(problems)) for (const id of ids) orders.add(id);
  return { orders: orders.size, payments: payments.length + refunds.length };
}

/**
 * Returns a function that counts the orders and payments that wait for an operator; empty if the store doesn't respond.
 */
export function createCounts(deps: ConsoleDependencies): () => Promise<Partial<Record<Section, number>>> {
  let last: { at: number; counts: ReturnType<typeof read> } | undefined;
  return async () => {
    const at = performance.now();
    if (last === undefined || at - last.at > freshMs) {
      const counts = read(deps).catch((error: unknown) => {
        last = undefined;
        if (!isOfStore(error)) deps.reportError(error);
        return {};
      });
      last = { at, counts };
    }
    return (await waitBriefly(last.counts)) ?? {};
  };
}
