import {
  type DialectName,
  dialects,
  type MockOptions,
  type ScenarioName,
  type TopupMock,
} from '@topup-kit/mock';
import { orderBook } from '../orders/placed-orders.ts';
import { wake } from '../orders/use-order.ts';
import { createSignal } from '../signal.ts';
import type { Seen } from './as-test.ts';
import { type Action, type Deed, type NotedDeed, type Step, stepsOf } from './session.ts';

/** A state of an order, and since when it was seen, in unix milliseconds of world time. */
export interface Sight extends Seen {
  at: number;
}

/** The mock's world in the hands of whoever develops: what is done to it is noted, and the shop told. */
export function createWorld(mock: TopupMock, dialect: DialectName) {
  const { paymentStatuses, buyStatuses }: NonNullable<MockOptions['dialect']> = dialects[dialect];
  const words: Record<string, string | undefined> = { ...paymentStatuses, ...buyStatuses };
  /** What the service calls a status. */
  const toldAs = (status: string): string => words[status] ?? status;

  const sights = createSignal<ReadonlyMap<string, readonly Sight[]>>(new Map());
  const scenarios = createSignal<ReadonlySet<ScenarioName>>(new Set());
  let deeds: NotedDeed[] = [];

  const note = (deed: Deed): void => {
    deeds.push({ after: mock.requests.length, deed });
  };

  function see({ order_id, payment_status, buy_status }: Seen): void {
    const before = sights.get().get(order_id) ?? [];
    const last = before.at(-1);
    if (last?.payment_status === payment_status && last.buy_status === buy_status) return;
    const sight = { order_id, payment_status, buy_status, at: mock.clock.now() };
    sights.set(new Map(sights.get()).set(order_id, [...before, sight]));
  }

  /** Looks how the orders stand; an answer that a scenario keeps back comes another time. */
  async function look(): Promise<void> {
    for (const { order } of orderBook.list()) {
      try {
        const answer = await mock.fetch(`${mock.baseUrl}/invoice/${order.order_id}/payment-status`, {
          headers: { Accept: 'application/json' },
        });
        if (answer.ok) see((await answer.json()).data);
      } catch {}
    }
  }

  async function changed(): Promise<void> {
    wake();
    await look();
  }

  async function act(action: Action, orderId: string): Promise<void> {
    const deed: Deed = { kind: 'act', at: mock.clock.now(), action, orderId };
    const state = await mock.orders[action](orderId);
    see({
      order_id: orderId,
      payment_status: toldAs(state.payment_status),
      buy_status: toldAs(state.buy_status),
    });
    note(deed);
    await changed();
  }

  async function advance(by: number): Promise<void> {
    note({ kind: 'advance', at: mock.clock.now(), by });
    await mock.clock.advance(by);
    await changed();
  }

  function use(name: ScenarioName): void {
    note({ kind: 'scenario', at: mock.clock.now(), name });
    mock.scenarios.use(name);
    scenarios.set(new Set([...scenarios.get(), name]));
  }

  function clear(): void {
    note({ kind: 'clear', at: mock.clock.now() });
    mock.scenarios.clear();
    scenarios.set(new Set());
  }

  /** Turns one scenario on or off; the others stay. */
  function turn(name: ScenarioName, on: boolean): void {
    const others = [...scenarios.get()].filter((one) => one !== name);
    if (on) use(name);
    else {
      clear();
      others.forEach(use);
    }
    wake();
  }

  function reset(): void {
    mock.reset();
    deeds = [];
    scenarios.set(new Set());
    sights.set(new Map());
    orderBook.clear();
    wake();
  }

  return {
    seed: mock.seed,
    dialect,
    /** What an order is called that is paid and not delivered yet. */
    undelivered: { payment: toldAs('PAID'), buy: toldAs('Proses') },
    now: mock.clock.now,
    useSights: sights.use,
    useScenarios: scenarios.use,
    look,
    act,
    advance,
    use,
    clear,
    turn,
    reset,
    steps: (): Step[] => stepsOf(mock.requests, deeds),
    /** How each order stands, in the order of their making. */
    orders: (): Seen[] =>
      orderBook
        .list()
        .toReversed()
        .flatMap(({ order }) => sights.get().get(order.order_id)?.at(-1) ?? []),
  };
}

export type SandboxWorld = ReturnType<typeof createWorld>;
