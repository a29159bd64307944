import { type DeliveryDependencies, deliverUnits } from '../delivery/deliver-units.ts';
import { happen } from '../orders/change-order.ts';
import { type RecoveryDependencies, recoverOrders } from '../orders/recover-orders.ts';

/** How much of each kind one round takes on, so that a long backlog leaves room for requests. */
const batch = 100;

/** Work that falls due by itself. */
export interface DueWork {
  /** Does what is due now: expires orders, asks suppliers, recovers what a crash left, forgets old answers. One round at a time. */
  run(): Promise<void>;
}

/**
 * Does what falls due. All that is to be done stands in the store, so it goes on where it was after any end of the
 * process, and each piece happens once: every step is a compare-and-set.
 */
export function createDueWork(deps: DeliveryDependencies & RecoveryDependencies): DueWork {
  const { store, worldClock, reportError } = deps;
  let running: Promise<void> | undefined;

  async function expireOrders(): Promise<number> {
    const overdue = await store.findOverdueOrders(worldClock(), batch);
    for (const { orderId } of overdue)
      await happen(store, orderId, { event: 'expired', by: 'clock', at: worldClock() });
    return overdue.length;
  }

  async function askSuppliers(): Promise<number> {
    const due = await store.findDueUnits(worldClock(), batch);
    const orderIds = new Set(due.map(({ orderId }) => orderId));
    // What fails for one order must not hold up the others; it is due again at once.
    const deliveries = [...orderIds].map((orderId) =>
      deliverUnits(deps, orderId).catch((error: unknown) => reportError(error, orderId)),
    );
    await Promise.all(deliveries);
    return due.length;
  }

  async function round(): Promise<void> {
    for (let busy = true; busy; ) {
      const expired = await expireOrders();
      const asked = await askSuppliers();
      await recoverOrders(deps);
      const purged = await store.purgeAnswers(worldClock(), batch);
      busy = [expired, asked, purged].includes(batch);
    }
  }

  return {
    run() {
      running ??= round()
        .catch((error: unknown) => reportError(error, 'due work'))
        .finally(() => {
          running = undefined;
        });
      return running;
    },
  };
}
