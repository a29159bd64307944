import type { Store, StoredOrder } from '../../store/index.ts';
import { settledChange } from '../delivery/deliver-units.ts';
import type { Engine } from '../engine.ts';
import { happen } from '../orders/change-order.ts';
import { takePaymentNews } from '../payments/payment-news.ts';
import { Refusal } from '../refusal.ts';
import type { Scenario, ScenarioSwitch } from './scenarios.ts';
import type { WorldClock } from './world-clock.ts';

/** What can be done to an order of a sandbox from outside. */
export const sandboxActions = ['pay', 'fail', 'expire', 'deliver'] as const;
export type SandboxAction = (typeof sandboxActions)[number];

/** Hands on a sandbox's world. Nothing of it is there in live mode. */
export interface Sandbox {
  /**
   * Lets something happen to an order.
   *
   * @throws Refusal INVOICE_NOT_FOUND, or STATE_CONFLICT when it can't happen to the order as it is.
   */
  act(orderId: string, action: SandboxAction): Promise<StoredOrder>;
  /** Moves world time on by milliseconds; what falls due on the way happens, in its order. */
  advance(by: number): Promise<void>;
  /** Forgets all orders, sets world time right and ends any scenario. */
  reset(): Promise<void>;
  chooseScenario(scenario: Scenario): void;
  /** How the world stands. */
  world(): { now: number; scenario: Scenario };
}

interface SandboxDependencies {
  store: Store;
  engine: Engine;
  world: WorldClock;
  scenario: ScenarioSwitch;
}

const conflict = ({ paymentStatus, buyStatus }: StoredOrder): Refusal =>
  new Refusal('STATE_CONFLICT', { words: { payment: paymentStatus, buy: buyStatus } });

/** Delivers at once what is still on its way. */
async function deliverNow(store: Store, order: StoredOrder, at: number): Promise<boolean> {
  if (order.paymentStatus !== 'PAID' || order.buyStatus !== 'Proses') return false;
  const units = await store.findUnits(order.orderId);
  const delivered = units
    .filter(({ state }) => state !== 'delivered')
    .map((unit) => ({
      ...unit,
      state: 'delivered' as const,
      nextAt: null,
      serialNumber: `SN-${order.orderId}-${unit.unit}-${unit.attempt}`,
    }));
  return 'done' in (await store.changeOrder(settledChange({ order, units }, delivered, 'sandbox', at)));
}

export function createSandbox({ store, engine, world, scenario }: SandboxDependencies): Sandbox {
  async function find(orderId: string): Promise<StoredOrder> {
    const order = await store.findOrder(orderId);
    if (!order) throw new Refusal('INVOICE_NOT_FOUND');
    return order;
  }

  async function apply(order: StoredOrder, action: SandboxAction): Promise<boolean> {
    const at = world.now();
    const { orderId, payment, pricing } = order;
    if (action === 'deliver') return deliverNow(store, order, at);
    if (action === 'expire')
      return (await happen(store, orderId, { event: 'expired', by: 'sandbox', at }))?.changed ?? false;
    const status = action === 'pay' ? 'paid' : 'failed';
    const news = { reference: payment.reference, status, amount: pricing.total_price, at } as const;
    const after = await takePaymentNews({ store, now: at, by: 'sandbox' }, news);
    return after !== null && after.version !== order.version;
  }

  async function moveTo(moment: number): Promise<void> {
    const by = moment - world.now();
    if (by > 0) world.setOffset(await store.moveWorld(by));
    await engine.dueWork.run();
  }

  return {
    async act(orderId, action) {
      const order = await find(orderId);
      if (!(await apply(order, action))) throw conflict(await find(orderId));
      await engine.dueWork.run();
      return find(orderId);
    },
    async advance(by) {
      const end = world.now() + by;
      // What is due at one moment is done in one round; a next moment that doesn't move on waits for the clock.
      for (let last = Number.NEGATIVE_INFINITY; ; ) {
        const next = await store.nextDueAt();
        if (next === null || next > end || next <= last) break;
        last = next;
        await moveTo(next);
      }
      await moveTo(end);
    },
    async reset() {
      await store.clearOrders();
      world.setOffset(0);
      scenario.choose('none');
    },
    chooseScenario: scenario.choose,
    world: () => ({ now: world.now(), scenario: scenario.current() }),
  };
}
