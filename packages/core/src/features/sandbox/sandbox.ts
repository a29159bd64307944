import type { FailureReason, OrderInput, Scenario } from '../../contract/index.ts';
import { readCatalogFile } from '../../engine/catalog/file.ts';
import type { Engine } from '../../engine/engine.ts';
import { DomainError, invalidFields } from '../../engine/errors.ts';
import type { EmitEvent } from '../../engine/events.ts';
import { sandboxAccount } from '../../engine/keys.ts';
import type { InvoicedOrder } from '../../engine/orders/orders.ts';
import { stateConflict } from '../../engine/orders/states.ts';
import type { WorldClock } from '../../engine/time.ts';
import { yieldToEventLoop } from '../../engine/waiting.ts';
import { secureRandom } from '../../platform/index.ts';
import type { Catalog, StoredOrder } from '../../store/index.ts';
import type { MemorySnapshot, MemoryStore, Store } from '../store.ts';
import {
  actionsOfPayment,
  actionsTo,
  performAction,
  type ReachableState,
  type SandboxAction,
} from './actions.ts';
import { completeOrder } from './complete-order.ts';
import { parseDocument } from './document.ts';
import { type Faults, subjectOfOrder } from './faults.ts';
import type { RequestJournal } from './journal.ts';
import type { ActiveScenario, ScenarioSnapshot, ScenarioSwitch } from './scenarios.ts';
import { createKeptSnapshots, keptOf, readSnapshot, type WorldSnapshot, writeSnapshot } from './snapshot.ts';
import {
  createSandboxWebhooks,
  type EventSource,
  type MockWebhooks,
  postEvent,
  type WebhooksSnapshot,
} from './webhooks.ts';

/** Maximum number of due times to visit individually. */
const maxMoments = 2_000;

/** Visits the times up to `end` at which work falls due, in order. It stops if a time is due again, because its work can't be done yet. */
export async function visitDueMoments(
  nextDueAt: () => Promise<number | null>,
  end: number,
  visit: (moment: number) => Promise<void>,
): Promise<void> {
  let reached = Number.NEGATIVE_INFINITY;
  for (let count = 1; count <= maxMoments; count += 1) {
    const next = await nextDueAt();
    if (next === null || next > end || next <= reached) return;
    reached = next;
    await visit(next);
    if (count % 50 === 0) await yieldToEventLoop();
  }
}

/** The target state of a new order. */
export interface CreatedOrder {
  /** The state; `UNPAID / Pending` if left out. */
  state?: ReachableState | undefined;
  /** Reason why its delivery failed, for a state with a failed delivery. */
  reason?: FailureReason | undefined;
  /** The account of the order; the sandbox's own account if left out. */
  accountId?: string | undefined;
}

/** Controls a sandbox: its orders, its clock and its simulated failures. Live mode has none. */
export interface Sandbox {
  /**
   * Performs an action of the customer, the gateway or the supplier on an order. Some actions need an operator afterwards: a late, wrong,
   * repeated or unknown payment, and a delivery with a lost or contradicted outcome. A fault can change the gateway's report of a payment.
   *
   * @throws DomainError INVOICE_NOT_FOUND, or STATE_CONFLICT if the order's state doesn't allow it.
   */
  act(orderId: string, action: SandboxAction, reason?: FailureReason): Promise<StoredOrder>;
  /** @throws DomainError INVOICE_NOT_FOUND. */
  find(orderId: string): Promise<InvoicedOrder>;
  /**
   * Places an order and brings it to a state. No fault strikes during this.
   *
   * @throws DomainError of the order.
   */
  create(order: OrderInput, to?: CreatedOrder): Promise<StoredOrder>;
  /** Completes an order with default values from the catalogue. */
  complete(order: Partial<OrderInput>): Promise<OrderInput>;
  /**
   * Moves world time ahead by exactly `by` milliseconds; work that falls due in between is done at its own time.
   *
   * @throws DomainError VALIDATION_ERROR if it would be more than ten years ahead of real time.
   */
  advance(by: number): Promise<void>;
  /** Deletes all orders, sets world time to real time, and ends all faults. */
  reset(): Promise<void>;
  chooseScenario(scenario: Scenario): void;
  readonly active: ActiveScenario;
  /** The simulated faults. */
  readonly faults: Faults;
  /**
   * Takes a snapshot as JSON, and keeps it in memory with an id for {@link restore}. The last 20 snapshots are kept.
   *
   * @throws DomainError VALIDATION_ERROR if the store is not in memory, or the JSON is too long.
   */
  snapshot(): Promise<{ id: number; snapshot: WorldSnapshot }>;
  /**
   * Restores a snapshot and its world time: from its JSON, or else by its id. If it fails, nothing changes.
   *
   * @throws DomainError VALIDATION_ERROR if the snapshot is not found or can't be read.
   */
  restore(from: { id?: number | undefined; snapshot?: unknown }): Promise<void>;
  /** Returns a function that restores the current state of the world. @throws DomainError like {@link snapshot}. */
  checkpoint(): Promise<() => Promise<void>>;
  /** Sets world time, in unix milliseconds, after doing all work that falls due until then. @throws DomainError like {@link advance}. */
  setClock(to: number): Promise<void>;
  readonly catalog: {
    read(): Promise<object>;
    /** Replaces the catalogue with a document, as text or parsed. @throws DomainError VALIDATION_ERROR that names its problems. */
    replace(document: unknown): Promise<void>;
  };
  /** The webhooks of its orders, which have their own faults. */
  readonly webhooks: MockWebhooks;
  /** Returns the order id of a sent event. */
  orderOfWebhook(eventId: string): string | undefined;
  /** Returns the requests to the interface since the start or the last reset. */
  requests(): readonly SeenRequest[];
  /** Sends new events to the receivers. */
  note(): void;
  /** Returns world time in unix milliseconds, and the number of milliseconds by which it is `ahead` of real time. */
  world(): { now: number; ahead: number };
}

/** A request to the interface. */
export interface SeenRequest {
  operation: string | null;
  /** Status of the response; null if there was none. */
  status: number | null;
}

/** Ten years, in milliseconds: later than any due work, and within the range of `Date`. */
const furthestMs = 3_650 * 24 * 60 * 60_000;

/** @throws DomainError VALIDATION_ERROR for a world clock that is too far from real time, in milliseconds. */
export function checkWorldOffset(offset: number): void {
  if (Math.abs(offset) > furthestMs)
    throw invalidFields({ by: [{ rule: 'worldClock', params: { limit: '3650d' } }] });
}

interface KeptSnapshot {
  store: MemorySnapshot;
  scenario: ScenarioSnapshot;
  webhooks: WebhooksSnapshot;
}

/** Maximum size of a catalogue, snapshot or seed, in bytes: larger than the body of any other request. */
export const maxDocumentBytes = 16_000_000;

const bytesOf = (json: unknown): number => new TextEncoder().encode(JSON.stringify(json)).length;

const isInMemory = (store: Store): store is MemoryStore => 'snapshot' in store && 'restore' in store;

/** @throws DomainError VALIDATION_ERROR that names its problems. */
export function parseCatalog(sent: unknown): Catalog {
  const read = readCatalogFile(parseDocument(sent, 'document'));
  if ('catalog' in read) return read.catalog;
  const problems = read.problems.map(({ path, rule }) => `${path} ${rule}`).join('; ');
  throw invalidFields({ document: [{ rule: 'catalog', params: { problems } }] });
}

interface SandboxDependencies {
  store: Store;
  engine: Engine;
  world: WorldClock;
  scenario: ScenarioSwitch;
  journal?: Pick<RequestJournal, 'list'>;
  emit?: EmitEvent;
}

export function createSandbox({
  store,
  engine,
  world,
  scenario,
  journal,
  emit,
}: SandboxDependencies): Sandbox {
  async function find(orderId: string): Promise<StoredOrder> {
    const order = await store.findOrder(orderId);
    if (!order) throw new DomainError('INVOICE_NOT_FOUND');
    return order;
  }

  const events: EventSource = {
    firstCursor: '0',
    cursor: async () =>
      (await engine.readEvents(sandboxAccount, { after: undefined, limit: 1 }))?.cursor ?? '0',
    eventsAfter: async (after) =>
      (await engine.readEvents(sandboxAccount, { after, limit: 100 })) ?? { events: [], cursor: after },
  };
  const sending = createSandboxWebhooks({
    current: () => events,
    random: secureRandom,
    reportError: (error) => emit?.({ type: 'error', error, about: 'webhooks' }),
  });

  let last: Promise<unknown> = Promise.resolve();
  let resets = 0;
  /** Number of the last request before the last reset. */
  let lastRequest = 0;

  /** Runs one command at a time, so that two commands don't move the clock at once. */
  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = last.then(work, work);
    last = turn.catch(() => {});
    return turn;
  }

  async function moveTo(moment: number): Promise<void> {
    const by = moment - world.now();
    if (by > 0) {
      world.setOffset(await store.moveWorld(by));
      world.hold(moment);
    }
    await engine.dueWork.run();
  }

  async function advance(by: number): Promise<void> {
    const start = world.now();
    const before = resets;
    // If the clock ran between the steps, new work that is due at the end would be due just after it, and not be done.
    world.hold(start);
    try {
      const nextDueAt = async (): Promise<number | null> => (resets === before ? store.nextDueAt() : null);
      await visitDueMoments(nextDueAt, start + by, moveTo);
      await moveTo(start + by);
    } finally {
      world.hold(null);
    }
  }

  /** Returns the actions for a customer's payment, which a fault of the gateway may change. */
  function payActions(order: StoredOrder): readonly SandboxAction[] {
    if (order.paymentStatus !== 'UNPAID') return ['pay'];
    const [struck] = scenario.faults.strike('payment', subjectOfOrder(order));
    return struck ? actionsOfPayment[struck.payment ?? 'declined'] : ['pay'];
  }

  async function act(orderId: string, action: SandboxAction, reason?: FailureReason): Promise<StoredOrder> {
    const actions = action === 'pay' ? payActions(await find(orderId)) : [action];
    for (const step of actions) {
      const done = await performAction({ store, at: world.now(), emit, reason }, await find(orderId), step);
      if (!done) throw stateConflict(await find(orderId));
    }
    await engine.dueWork.run();
    return find(orderId);
  }

  const snapshots = createKeptSnapshots<KeptSnapshot>();

  function memory(): MemoryStore {
    if (isInMemory(store)) return store;
    throw invalidFields({ store: [{ rule: 'memoryStore' }] });
  }

  const keep = (): KeptSnapshot => ({
    store: memory().snapshot(),
    scenario: scenario.snapshot(),
    webhooks: sending.snapshot(),
  });

  async function take(): Promise<{ id: number; snapshot: WorldSnapshot }> {
    const kept = keep();
    const id = snapshots.add(kept);
    const [time, ahead] = [world.now(), world.offset()];
    const snapshot = writeSnapshot({ ...kept, time, ahead });
    if (bytesOf(snapshot) <= maxDocumentBytes) return { id, snapshot };
    throw invalidFields({
      snapshot: [{ rule: 'snapshotLength', params: { id, limit: maxDocumentBytes } }],
    });
  }

  const realNow = (): number => world.unheld() - world.offset();

  /** Restores everything except webhooks, because a seed sends none before it is undone. */
  function goTo(from: Omit<KeptSnapshot, 'webhooks'>): void {
    memory().restore({ ...from.store, ...keptOf(memory().snapshot()) });
    world.setOffset(from.store.worldOffset);
    scenario.restore(from.scenario);
  }

  /** Reads a snapshot file. The clock is set to the time of the snapshot. */
  function readFile(snapshot: unknown, current: MemorySnapshot): KeptSnapshot {
    const { store: content, time, ...rest } = readSnapshot(snapshot, current);
    return { ...rest, store: { ...content, worldOffset: time - realNow() } };
  }

  async function restore({ id, snapshot }: { id?: number | undefined; snapshot?: unknown }): Promise<void> {
    const current = memory().snapshot();
    const from = snapshot === undefined ? snapshots.get(id) : readFile(snapshot, current);
    goTo(from);
    sending.restore(from.webhooks);
    sending.webhooks.off();
    for (const url of from.webhooks.receivers) sending.webhooks.deliverTo(postEvent, url);
  }

  return {
    snapshot: () => inTurn(take),
    restore: (from) => inTurn(() => restore(from)),
    checkpoint: () =>
      inTurn(async () => {
        const kept = keep();
        return () => inTurn(async () => goTo(kept));
      }),
    setClock: (to) =>
      inTurn(async () => {
        const by = to - world.now();
        checkWorldOffset(world.offset() + by);
        if (by < 0) world.setOffset(await store.moveWorld(by));
        else await advance(by);
      }),
    catalog: {
      read: async () => ({ format: 'topup-kit/catalog@1', ...(await store.readCatalog()) }),
      async replace(document) {
        const outcome = await store.replaceCatalog(parseCatalog(document));
        if (!('conflict' in outcome)) return;
        const problems = `the promo ${outcome.code} was used ${outcome.uses} times`;
        throw invalidFields({ document: [{ rule: 'catalog', params: { problems } }] });
      },
    },
    act: (orderId, action, reason) => inTurn(() => act(orderId, action, reason)),
    find: async (orderId) => engine.orders.invoiced(await find(orderId)),
    complete: async (order) => completeOrder(await engine.catalog(), order),
    async create(input, { state = 'UNPAID / Pending', reason, accountId = sandboxAccount } = {}) {
      const place = () => engine.orders.place({ accountId, input, idempotency: null });
      const { orderId } = await scenario.faults.sparing(undefined, place);
      return scenario.faults.sparing(orderId, async () => {
        for (const action of actionsTo[state]) await inTurn(() => act(orderId, action, reason));
        return find(orderId);
      });
    },
    advance: (by) =>
      inTurn(async () => {
        checkWorldOffset(world.offset() + by);
        await advance(by);
      }),
    reset() {
      // An advance in progress ends early, because its orders will be deleted.
      resets += 1;
      lastRequest = journal?.list({ limit: 1 })[0]?.number ?? 0;
      return inTurn(async () => {
        await store.clearOrders();
        world.setOffset(0);
        scenario.faults.clear();
        sending.reset();
      });
    },
    chooseScenario: scenario.choose,
    active: scenario.active,
    faults: scenario.faults,
    webhooks: sending.webhooks,
    orderOfWebhook: sending.orderOf,
    requests: () => journal?.list({ after: lastRequest }) ?? [],
    note: sending.note,
    world: () => ({ now: world.now(), ahead: world.offset() }),
  };
}
