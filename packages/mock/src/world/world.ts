import type { Operation } from '@topup-kit/core/contract';
import {
  createSandbox,
  createScenarioSwitch,
  type Engine,
  type Refusal,
  type Sandbox,
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
import { type Fate, fatefulSupplier, fateOf, unreliableGateway } from '../scenario-effects.ts';
import {
  type ActiveScenario,
  type CallScenarios,
  createScenarioBoard,
  orderScenarios,
  type ScenarioBoard,
  type ScenarioName,
} from '../scenarios.ts';
import { createCatchUp, createDeclines, createWorldTime, watchStore } from './due-work.ts';
import { createService, type Service, seededGateway } from './service.ts';

/** All that makes up a mock's world at a moment. What it holds is never changed in place. */
export interface WorldState {
  store: MemorySnapshot;
  scenarios: readonly ActiveScenario[];
  /** By order id. */
  fates: ReadonlyMap<string, Fate>;
  /** How often the same was ordered, by what was ordered. */
  repeats: ReadonlyMap<string, number>;
  /** How often each operation was called. */
  calls: ReadonlyMap<Operation | null, number>;
  requests: readonly MockRequest[];
}

/** A world: the service, what happened in it, and the hands on it. */
export interface World {
  store: Store;
  /** The catalogue in force. */
  catalog(): Catalog;
  scenarios: ScenarioBoard;
  requests: MockRequest[];
  now(): number;
  /** Counts a call to an operation; how many there were before. */
  count(operation: Operation | null): number;
  /** Whether something may have fallen due since somebody last looked. */
  mayBeDue(): boolean;
  /** Does what fell due. */
  catchUp(): Promise<void>;
  /** Lets the app answer, as the call's scenarios have it; it refuses with the fault, if there is one. */
  answer(
    request: Request,
    how?: { fault?: Refusal | undefined; scenarios?: CallScenarios },
  ): Promise<Response>;
  act: Sandbox['act'];
  advance: Sandbox['advance'];
  state(): WorldState;
}

const noScenarios: CallScenarios = { names: [], limited: [] };

/** Opens a world as it was at a moment. The state stays as it is, for others to be opened from it. */
export function openWorld(config: MockConfig, state: WorldState): World {
  const memory = createMemoryStore(state.store);
  const watched = watchStore(memory);
  const clock = createWorldTime(state.store.worldOffset);
  const scenarios = createScenarioBoard(state.scenarios);
  const fates = new Map(state.fates);
  const repeats = new Map(state.repeats);
  const calls = new Map(state.calls);
  const requests = copyRequests(state.requests);
  const faults = new WeakMap<Request, Refusal>();

  function supplierFate(orderId: string): Fate['supplier'] {
    const decided = fates.get(orderId)?.supplier;
    if (decided) return decided;
    if (scenarios.isOn('supplier-down')) return 'supplier-down';
    return scenarios.isOn('supplier-fails') ? 'supplier-fails' : null;
  }

  const gateway = seededGateway(config, clock.now);
  const parts = {
    store: watched.store,
    now: clock.now,
    supplier: fatefulSupplier(createSimulatedSupplier({ clock: clock.now }), supplierFate),
    repeats,
    fault: (_operation: Operation, request: Request) => faults.get(request),
  };
  const service = createService(config, { ...parts, name: '', gateway });

  /** The same world, with the parts that one call's scenarios give it. */
  function serviceUnder({ names, limited }: CallScenarios, name: string): Service {
    // Used up when it takes effect and not before: an order may still be refused, or another one be faster.
    const takesEffect = (one: ScenarioName): boolean =>
      names.includes(one) && (!limited.includes(one) || scenarios.spend(one));
    return createService(config, {
      ...parts,
      name,
      gateway: unreliableGateway(gateway, () => takesEffect('gateway-down')),
      placed(orderId) {
        const fate = fateOf(names.filter(takesEffect), clock.unheld());
        if (!fate) return;
        fates.set(orderId, fate);
        if (fate.declinedAt !== null) watched.expect(fate.declinedAt);
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

  const declines = createDeclines(service.engine, watched, fates);
  const engine: Engine = {
    ...service.engine,
    dueWork: {
      async run() {
        await declines.run(clock.now());
        await service.engine.dueWork.run();
      },
    },
  };
  const sandbox = createSandbox({
    store: { ...watched.store, nextDueAt: () => declines.nextDueAt() },
    engine,
    world: clock,
    // The scenarios of a mock are its own: they can be about one call alone.
    scenario: createScenarioSwitch(),
  });

  const catchUp = createCatchUp(clock, {
    mayBeDue: watched.mayBeDue,
    nextAt: declines.nextDueAt,
    run: engine.dueWork.run,
    async done() {
      await watched.lookAgain();
      declines.expect();
    },
  });

  const declined = (orderId: string): boolean =>
    scenarios.isOn('payment-declined') || (fates.get(orderId)?.declinedAt ?? null) !== null;

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
    answer(request, { fault, scenarios: asked = noScenarios } = {}) {
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
      // Not the sandbox's own way, in which real time goes on between the moments: what falls due does so to the millisecond.
      clock.setOffset(await watched.store.moveWorld(by));
      await catchUp.run();
    },
    state: () => ({
      store: memory.snapshot(),
      scenarios: scenarios.active(),
      fates: new Map(fates),
      repeats: new Map(repeats),
      calls: new Map(calls),
      requests: copyRequests(requests),
    }),
  };
}
