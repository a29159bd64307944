import {
  type DialectName,
  dialects,
  type MockOptions,
  type ScenarioName,
  type TopupMock,
} from '@topup-kit/mock';
import { placedOrders } from '../orders/placed-orders.ts';
import { refreshOrders } from '../orders/use-order.ts';
import { createSignal } from '../signal.ts';
import type { OrderState } from './as-test.ts';
import { type Action, type ManualAction, type RecordedAction, type Step, toSteps } from './session.ts';

/** State of an order, and the time of the sandbox clock when it was first seen, in unix milliseconds. */
export interface OrderStateAt extends OrderState {
  at: number;
}

/** Creates the controls of the mock for the drawer. Every action is recorded, and the shop refreshes after it. */
export function createWorld(mock: TopupMock, dialect: DialectName) {
  const { paymentStatuses, buyStatuses }: NonNullable<MockOptions['dialect']> = dialects[dialect];
  const statusNames: Record<string, string | undefined> = { ...paymentStatuses, ...buyStatuses };
  /** Returns the name of a status in the dialect. */
  const statusName = (status: string): string => statusNames[status] ?? status;

  const histories = createSignal<ReadonlyMap<string, readonly OrderStateAt[]>>(new Map());
  const scenarios = createSignal<ReadonlySet<ScenarioName>>(new Set());
  let recordedActions: RecordedAction[] = [];

  const recordAction = (action: ManualAction): void => {
    recordedActions.push({ after: mock.requests.length, action });
  };

  function recordState({ order_id, payment_status, buy_status }: OrderState): void {
    const before = histories.get().get(order_id) ?? [];
    const last = before.at(-1);
    if (last?.payment_status === payment_status && last.buy_status === buy_status) return;
    const state = { order_id, payment_status, buy_status, at: mock.clock.now() };
    histories.set(new Map(histories.get()).set(order_id, [...before, state]));
  }

  /** Loads the state of each order. If a scenario makes a request fail, the request is repeated the next time. */
  async function loadStates(): Promise<void> {
    for (const { order } of placedOrders.list()) {
      try {
        const response = await mock.fetch(`${mock.baseUrl}/invoice/${order.order_id}/payment-status`, {
          headers: { Accept: 'application/json' },
        });
        if (response.ok) recordState((await response.json()).data);
      } catch {}
    }
  }

  /** Returns the actions that the current state of an order allows. */
  function possibleActions({ payment_status, buy_status }: OrderState): readonly Action[] {
    if (payment_status === statusName('UNPAID')) return ['pay', 'fail', 'expire'];
    if (payment_status !== statusName('PAID')) return [];
    if (buy_status === statusName('Proses')) return ['deliver', 'failDelivery'];
    return buy_status === statusName('Gagal') ? ['refund'] : [];
  }

  async function refresh(): Promise<void> {
    refreshOrders();
    await loadStates();
  }

  async function act(action: Action, orderId: string): Promise<void> {
    const entry: ManualAction = { kind: 'act', at: mock.clock.now(), action, orderId };
    const state = await mock.orders[action](orderId);
    recordState({
      order_id: orderId,
      payment_status: statusName(state.payment_status),
      buy_status: statusName(state.buy_status),
    });
    recordAction(entry);
    await refresh();
  }

  async function advance(by: number): Promise<void> {
    recordAction({ kind: 'advance', at: mock.clock.now(), by });
    await mock.clock.advance(by);
    await refresh();
  }

  function startScenario(name: ScenarioName): void {
    recordAction({ kind: 'scenario', at: mock.clock.now(), name });
    mock.scenarios.use(name);
    scenarios.set(new Set([...scenarios.get(), name]));
  }

  function clearScenarios(): void {
    recordAction({ kind: 'clear', at: mock.clock.now() });
    mock.scenarios.clear();
    scenarios.set(new Set());
  }

  /** Turns one scenario on or off, and leaves the others unchanged. */
  function toggle(name: ScenarioName, on: boolean): void {
    const others = [...scenarios.get()].filter((other) => other !== name);
    if (on) startScenario(name);
    else {
      clearScenarios();
      others.forEach(startScenario);
    }
    refreshOrders();
  }

  function reset(): void {
    mock.reset();
    recordedActions = [];
    scenarios.set(new Set());
    histories.set(new Map());
    placedOrders.clear();
    refreshOrders();
  }

  return {
    seed: mock.seed,
    dialect,
    possibleActions,
    now: mock.clock.now,
    useHistories: histories.use,
    useScenarios: scenarios.use,
    loadStates,
    act,
    advance,
    startScenario,
    clearScenarios,
    toggle,
    reset,
    steps: (): Step[] => toSteps(mock.requests, recordedActions),
    /** Returns the last known state of each order, oldest order first. */
    orders: (): OrderState[] =>
      placedOrders
        .list()
        .toReversed()
        .flatMap(({ order }) => histories.get().get(order.order_id)?.at(-1) ?? []),
  };
}

export type SandboxWorld = ReturnType<typeof createWorld>;
