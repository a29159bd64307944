import { createRecord, inProcess, type RequestRecord, toResponse } from '@topup-kit/core/app';
import type { Operation } from '@topup-kit/core/contract';
import {
  createWorldClock,
  type DomainError,
  type Engine,
  type EventPage,
  sandboxAccount,
} from '@topup-kit/core/engine';
import {
  createFaults,
  createSandbox,
  createScenarioSwitch,
  type Faults,
  type FaultsSnapshot,
  gatewayWithOutage,
  type Sandbox,
  supplierWithOutcomes,
} from '@topup-kit/core/features/sandbox';
import {
  type Catalog,
  createMemoryStore,
  emptyCatalog,
  type MemorySnapshot,
  type Store,
  type StoredOrder,
} from '@topup-kit/core/store';
import { createSimulatedSupplier, readSupplyReference } from '@topup-kit/core/supplier';
import { copyRequests, type MockRequest } from '../calls.ts';
import type { MockConfig } from '../options.ts';
import { isPlainGet, type PlainGet } from '../plain-get.ts';
import {
  type ActiveScenario,
  type CallScenarios,
  createScenarioRegistry,
  isAboutOrders,
  type PlannedOutcome,
  planOutcome,
  type ScenarioName,
  type ScenarioRegistry,
} from '../scenarios.ts';
import { createCatchUp, createScheduledDeclines, watchStore } from './due-work.ts';
import { createService, type Service, seededGateway } from './service.ts';

/** The immutable state of a mock's world at one time. */
export interface WorldState {
  store: MemorySnapshot;
  scenarios: readonly ActiveScenario[];
  faults: FaultsSnapshot;
  /** Planned outcomes by order id. */
  plannedOutcomes: ReadonlyMap<string, PlannedOutcome>;
  /** Number of identical orders so far, by fingerprint. */
  repeats: ReadonlyMap<string, number>;
  /** Number of calls to each operation. */
  calls: ReadonlyMap<Operation | null, number>;
  requests: readonly MockRequest[];
}

/** The world of a mock: the service, its history and its controls. */
export interface MockWorld {
  store: Store;
  catalog(): Catalog;
  scenarios: ScenarioRegistry;
  faults: Faults;
  requests: MockRequest[];
  now(): number;
  /** Counts a call to an operation, and returns the number of earlier calls. */
  count(operation: Operation | null): number;
  /** The cursor before this world's first event. */
  firstCursor: string;
  cursor(): string;
  /** Returns the events after a cursor, for orders of the mock's key. */
  eventsAfter(cursor: string): Promise<EventPage>;
  /** Tells whether work may have become due since the last request. */
  mayBeDue(): boolean;
  catchUp(): Promise<void>;
  /** Passes a request to the app, with the scenarios of the call. For a fault, the app returns its error. */
  handle(
    request: Request | PlainGet,
    options?: { fault?: DomainError | undefined; scenarios?: CallScenarios },
  ): Promise<Response>;
  /** Handles a request for an order that a test prepares. No fault affects it. */
  place(request: Request): Promise<Response>;
  act: Sandbox['act'];
  advance: Sandbox['advance'];
  /** The controls that don't need overdue work to be done first. */
  sandbox: Pick<Sandbox, 'find' | 'complete' | 'create' | 'chooseScenario' | 'active' | 'catalog' | 'world'>;
  state(): WorldState;
}

const noScenarios: CallScenarios = { names: [], limited: [] };

const worldSupplier = (now: () => number, outcomeOf: (reference: string) => PlannedOutcome['supplier']) =>
  supplierWithOutcomes(createSimulatedSupplier({ clock: now }), outcomeOf);

/** Creates a world from a state. The state is not changed, so that more worlds can be created from it. */
export function openWorld(config: MockConfig, state: WorldState): MockWorld {
  const memory = createMemoryStore(state.store);
  const watched = watchStore(memory);
  // Date.now is looked up at each call, because a test may replace `Date`.
  const clock = createWorldClock(() => Date.now(), state.store.worldOffset);
  const scenarios = createScenarioRegistry(state.scenarios);
  const plannedOutcomes = new Map(state.plannedOutcomes);
  const repeats = new Map(state.repeats);
  const calls = new Map(state.calls);
  const requests = copyRequests(state.requests);
  const faults = new WeakMap<RequestRecord, DomainError>();

  function supplierOutcome(reference: string): PlannedOutcome['supplier'] {
    const planned = plannedOutcomes.get(readSupplyReference(reference).orderId)?.supplier;
    return planned ?? (['supplier-down', 'supplier-fails'] as const).find(scenarios.isOn) ?? null;
  }

  const worldFaults = createFaults(clock.now, state.faults);
  const choice = createScenarioSwitch({ faults: worldFaults, findOrder: memory.findOrder });
  const gateway = choice.gateway(seededGateway(config, clock.now));
  const parts = {
    store: watched.store,
    now: clock.now,
    supplier: choice.supplier(worldSupplier(clock.now, supplierOutcome)),
    repeats,
    faults: worldFaults,
    fault: (record: RequestRecord) => faults.get(record),
  };
  const service = createService(config, { ...parts, name: '', gateway });

  let unfaulted: Service | undefined;

  /** Creates a service of the same world that no fault affects. */
  function unfaultedService(): Service {
    const undisturbed = { gateway: seededGateway(config, clock.now), faults: createFaults(clock.now) };
    unfaulted ??= createService(config, { ...parts, ...undisturbed, name: 'unfaulted' });
    return unfaulted;
  }

  /** Creates a service of the same world that applies the scenarios of a call, too. */
  function createScenarioService({ names, limited }: CallScenarios, name: string): Service {
    // A scenario is counted only if it takes effect, because the order may still be rejected, or another order may be faster.
    const takesEffect = (scenario: ScenarioName): boolean =>
      names.includes(scenario) && (!limited.includes(scenario) || scenarios.spend(scenario));
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
  const scenarioServices = new Map<string, Service>();

  function serviceFor({ names, limited }: CallScenarios): Service {
    const own = names.filter(
      // If the supplier is down for all orders, the end of the scenario is not planned for each order.
      (name) => isAboutOrders(name) && !(name === 'supplier-down' && scenarios.isOn(name)),
    );
    if (own.length === 0) return service;
    const counted = own.filter((name) => limited.includes(name));
    const key = [own, counted].map((some) => [...new Set(some)].sort().join()).join('/');
    const known = scenarioServices.get(key) ?? createScenarioService({ names: own, limited: counted }, key);
    scenarioServices.set(key, known);
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
    scenario: choice,
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
    faults: worldFaults,
    requests,
    now: clock.unheld,
    count(operation) {
      const before = calls.get(operation) ?? 0;
      calls.set(operation, before + 1);
      return before;
    },
    firstCursor: String(state.store.lastChange),
    cursor: () => String(memory.snapshot().lastChange),
    async eventsAfter(after) {
      const page = await service.engine.readEvents(sandboxAccount, { after, limit: 100 });
      return page ?? { events: [], cursor: after };
    },
    mayBeDue: catchUp.mayBeDue,
    catchUp: catchUp.run,
    handle(request, { fault, scenarios: ofCall = noScenarios } = {}) {
      const record = createRecord(request.method);
      if (fault) faults.set(record, fault);
      const { app } = serviceFor(ofCall);
      if (!isPlainGet(request)) return app.fetch(request, inProcess, record);
      const { method, url, target, headers } = request;
      const sent = {
        method,
        target,
        header: (name: string) => headers.get(name),
        headers: () => [...headers].flat(),
        readBody: async () => new Uint8Array(),
        toRequest: () => new Request(url, { headers }),
      };
      return app.handle(sent, inProcess, record).then(toResponse);
    },
    place: (request) => unfaultedService().app.fetch(request, inProcess, createRecord('POST')),
    sandbox,
    async act(orderId, action, reason): Promise<StoredOrder> {
      await catchUp.run();
      return sandbox.act(orderId, action === 'pay' && declined(orderId) ? 'fail' : action, reason);
    },
    async advance(by) {
      await catchUp.run();
      // This can't use sandbox.advance: catchUp also serves requests that arrive meanwhile, and only one caller may hold the clock.
      clock.setOffset(await watched.store.moveWorld(by));
      await catchUp.run();
    },
    state: () => ({
      store: memory.snapshot(),
      scenarios: scenarios.active(),
      faults: worldFaults.snapshot(),
      plannedOutcomes: new Map(plannedOutcomes),
      repeats: new Map(repeats),
      calls: new Map(calls),
      requests: copyRequests(requests),
    }),
  };
}
