import type { Operation } from '@topup-kit/core/contract';
import {
  createSandbox,
  createScenarioSwitch,
  type Engine,
  gatewayWithOutage,
  type Refusal,
  type Sandbox,
  supplierWithOutcomes,
} from '@topup-kit/core/engine';
import {
  type Catalog,
  createMemoryStore,
  emptyCatalog,
  type MemorySnapshot,
  type Store,
  type StoredOrder,
} from '@topup-kit/core/store';
import { createSimulatedSupplier } from '@topup-kit/core/supplier';
import { copyRequests, type MockRequest } from '../calls.ts';
import type { MockConfig } from '../options.ts';
import {
  type ActiveScenario,
  type CallScenarios,
  createScenarioRegistry,
  orderScenarios,
  type PlannedOutcome,
  planOutcome,
  type ScenarioName,
  type ScenarioRegistry,
} from '../scenarios.ts';
import { createCatchUp, createScheduledDeclines, createWorldTime, watchStore } from './due-work.ts';
import { createService, type Service, seededGateway } from './service.ts';

/** All of a mock's world at one moment. It is never changed in place. */
export interface WorldState {
  store: MemorySnapshot;
  scenarios: readonly ActiveScenario[];
  /** By order id. */
  plannedOutcomes: ReadonlyMap<string, PlannedOutcome>;
  /** How often the same was ordered, by fingerprint. */
  repeats: ReadonlyMap<string, number>;
  /** How often each operation was called. */
  calls: ReadonlyMap<Operation | null, number>;
  requests: readonly MockRequest[];
}

/** A world: the service, its history and its controls. */
export interface World {
  store: Store;
  /** The catalogue in force. */
  catalog(): Catalog;
  scenarios: ScenarioRegistry;
  requests: MockRequest[];
  now(): number;
  /** Counts a call to an operation, and returns how many there were before. */
  count(operation: Operation | null): number;
  /** Whether something may have fallen due since the last request. */
  mayBeDue(): boolean;
  /** Does what fell due. */
  catchUp(): Promise<void>;
  /** Passes a request to the app, under the scenarios of the call; with a fault, the app rejects it. */
  handle(
    request: Request,
    how?: { fault?: Refusal | undefined; scenarios?: CallScenarios },
  ): Promise<Response>;
  act: Sandbox['act'];
  advance: Sandbox['advance'];
  state(): WorldState;
}

/** The order that a reference sent to the supplier is about: `{order_id}-{unit}-{attempt}`. */
const orderIdOf = (reference: string): string => reference.replace(/-\d+-\d+$/, '');

const noScenarios: CallScenarios = { names: [], limited: [] };

/** Opens a world as it was at a moment. The state stays as it is, for others to be opened from it. */
export function openWorld(config: MockConfig, state: WorldState): World {
  const memory = createMemoryStore(state.store);
  const watched = watchStore(memory);
  const clock = createWorldTime(state.store.worldOffset);
  const scenarios = createScenarioRegistry(state.scenarios);
  const plannedOutcomes = new Map(state.plannedOutcomes);
  const repeats = new Map(state.repeats);
  const calls = new Map(state.calls);
  const requests = copyRequests(state.requests);
  const faults = new WeakMap<Request, Refusal>();

  function supplierOutcome(reference: string): PlannedOutcome['supplier'] {
    const planned = plannedOutcomes.get(orderIdOf(reference))?.supplier;
    if (planned) return planned;
    if (scenarios.isOn('supplier-down')) return 'supplier-down';
    return scenarios.isOn('supplier-fails') ? 'supplier-fails' : null;
  }

  const gateway = seededGateway(config, clock.now);
  const parts = {
    store: watched.store,
    now: clock.now,
    supplier: supplierWithOutcomes(createSimulatedSupplier({ clock: clock.now }), supplierOutcome),
    repeats,
    fault: (_operation: Operation, request: Request) => faults.get(request),
  };
  const service = createService(config, { ...parts, name: '', gateway });

  /** The same world, with the parts that one call's scenarios give it. */
  function serviceUnder({ names, limited }: CallScenarios, name: string): Service {
    // Used up only when it takes effect: the order may still be rejected, or another one be faster.
    const takesEffect = (one: ScenarioName): boolean =>
      names.includes(one) && (!limited.includes(one) || scenarios.spend(one));
    return createService(config, {
      ...parts,
      name,
      gateway: gatewayWithOutage(gateway, () => takesEffect('gateway-down')),
      onPlaced(orderId) {
        const outcome = planOutcome(names.filter(takesEffect), clock.unheld());
        if (!outcome) return;
        plannedOutcomes.set(orderId, outcome);
        if (outcome.declinedAt !== null) watched.expect(outcome.declinedAt);
      },
    });
  }
  const others = new Map<string, Service>();

  function serviceFor({ names, limited }: CallScenarios): Service {
    const own = names.filter(
      // A supplier that is down for all is back for all when the scenario ends.
      (name) => orderScenarios.has(name) && !(name === 'supplier-down' && scenarios.isOn(name)),
    );
    if (own.length === 0) return service;
    const counted = own.filter((name) => limited.includes(name));
    const key = [own, counted].map((some) => [...new Set(some)].sort().join()).join('/');
    const known = others.get(key) ?? serviceUnder({ names: own, limited: counted }, key);
    others.set(key, known);
    return known;
  }

  const scheduledDeclines = createScheduledDeclines(service.engine, watched, plannedOutcomes);
  const engine: Engine = {
    ...service.engine,
    dueWork: {
      async run() {
        await scheduledDeclines.run(clock.now());
        await service.engine.dueWork.run();
      },
    },
  };
  const sandbox = createSandbox({
    store: { ...watched.store, nextDueAt: () => scheduledDeclines.nextDueAt() },
    engine,
    world: clock,
    // The scenarios of a mock are its own: they can be about one call alone.
    scenario: createScenarioSwitch(),
  });

  const catchUp = createCatchUp(clock, {
    mayBeDue: watched.mayBeDue,
    nextAt: scheduledDeclines.nextDueAt,
    run: engine.dueWork.run,
    async done() {
      await watched.refresh();
      scheduledDeclines.expect();
    },
  });

  const declined = (orderId: string): boolean =>
    scenarios.isOn('payment-declined') || (plannedOutcomes.get(orderId)?.declinedAt ?? null) !== null;

  return {
    store: watched.store,
    catalog: () => memory.snapshot().catalog ?? emptyCatalog,
    scenarios,
    requests,
    now: clock.unheld,
    count(operation) {
      const before = calls.get(operation) ?? 0;
      calls.set(operation, before + 1);
      return before;
    },
    mayBeDue: catchUp.mayBeDue,
    catchUp: catchUp.run,
    handle(request, { fault, scenarios: asked = noScenarios } = {}) {
      if (fault) faults.set(request, fault);
      return serviceFor(asked).app.fetch(request);
    },
    async act(orderId, action): Promise<StoredOrder> {
      await catchUp.run();
      const meant = action === 'pay' && declined(orderId) ? 'fail' : action;
      return sandbox.act(orderId, meant);
    },
    async advance(by) {
      await catchUp.run();
      // Unlike a sandbox's advance, real time doesn't go on in between: what falls due does so to the millisecond.
      clock.setOffset(await watched.store.moveWorld(by));
      await catchUp.run();
    },
    state: () => ({
      store: memory.snapshot(),
      scenarios: scenarios.active(),
      plannedOutcomes: new Map(plannedOutcomes),
      repeats: new Map(repeats),
      calls: new Map(calls),
      requests: copyRequests(requests),
    }),
  };
}
