import { createWebhookSecret, type TopupEvent, webhookHeaders } from '../../contract/index.ts';
import type { EventPage, FeedEvent } from '../../engine/feed.ts';
import type { RandomBytes } from '../../platform/index.ts';

/**
 * A fault in sending an event. `late`: it is sent at `release`. `twice`: it is sent two times. `out-of-order`: it is sent after the next
 * event, or at `settled`. `forged`: it is signed with another secret. `lost`: it is never sent.
 */
export type WebhookFault = 'late' | 'twice' | 'out-of-order' | 'forged' | 'lost';

export const webhookFaults = [
  'late',
  'twice',
  'out-of-order',
  'forged',
  'lost',
] as const satisfies WebhookFault[];

const isFault = (name: string): boolean => webhookFaults.some((known) => known === name);

/** An event that was sent to a handler or a receiver, or that a fault withheld. */
export interface SentWebhook {
  /** The id of the event, which is its `webhook-id`. */
  readonly id: string;
  /** The type of the event, such as `order.paid`. */
  readonly type: string;
  /** The status of the response, and 204 for a function. Null if the handler or receiver failed, and for a lost event. */
  readonly status: number | null;
  /** The fault of the event; null if it had none. */
  readonly fault: WebhookFault | null;
}

/** A receiver of webhooks: the `fetch` of a server, or the handler of a route. */
export type WebhookReceiver = (request: Request) => Response | Promise<Response>;

/** Sends an event to its URL with `fetch`. */
export const postEvent: WebhookReceiver = (request) =>
  fetch(request, { redirect: 'manual', signal: AbortSignal.timeout(15_000) });

/** The webhooks of the mock's orders, with a server's bytes and signatures. Nothing is sent until there is a handler or a receiver. */
export interface MockWebhooks {
  /** The secret that signs events: `verifyWebhook(body, headers, mock.webhooks.secret)`. */
  readonly secret: string;
  /**
   * Calls a function for each future event of the orders of `apiKey`. Returns a function that removes the handler.
   *
   * @example
   * mock.webhooks.on((event) => event.type === 'order.delivered' && thank(event.data.order.order_id));
   */
  on(handler: (event: TopupEvent) => unknown): () => void;
  /**
   * Sends each future event to a receiver as a signed `POST`. Returns a function that removes the receiver.
   *
   * @example
   * mock.webhooks.deliverTo((request) => app.fetch(request), 'http://shop.test/hooks');
   */
  deliverTo(receiver: WebhookReceiver, url?: string): () => void;
  /**
   * Sets a fault for the next event, or for the next `times` events.
   *
   * @throws TypeError for an unknown fault, or a number that is not positive.
   */
  fault(name: WebhookFault, times?: number): void;
  /** Sends the late events. */
  release(): Promise<void>;
  /** Sends a sent or lost event once more, with the same id. Rejects with an Error if no event has the id. */
  resend(id: string): Promise<void>;
  /**
   * Resolves when all events so far were sent, and each receiver has responded. Rejects with an error that a handler or a receiver has
   * thrown since the last call, so that a test notices it.
   */
  settled(): Promise<void>;
  /** Removes all receivers and handlers. */
  off(): void;
  /** The URLs of {@link deliverTo}. */
  readonly receivers: readonly string[];
  /** Events since the start or the last reset or restore, oldest first; at most the last 1,000. */
  readonly sent: readonly SentWebhook[];
}

/** Sends an event, and resolves with the status; undefined if the receiver doesn't get this event. */
type Deliver = (event: FeedEvent, secret: string) => Promise<number | undefined>;

const send =
  (receiver: WebhookReceiver, url: string): Deliver =>
  async ({ id, body }, secret) => {
    const signed = await webhookHeaders({
      id,
      timestamp: Math.floor(Date.now() / 1_000),
      body,
      secrets: [secret],
    });
    const headers = { 'Content-Type': 'application/json', ...signed };
    const response = await receiver(new Request(url, { method: 'POST', headers, body }));
    return response.status;
  };

/** Creates the sender for a handler, which gets only events with a valid signature. */
const call =
  (handler: (event: TopupEvent) => unknown, ownSecret: string): Deliver =>
  async ({ id, body }, secret) => {
    // Safe: the engine rendered the body of an event.
    if (secret === ownSecret) await handler({ id, ...JSON.parse(body) } as TopupEvent);
    return secret === ownSecret ? 204 : undefined;
  };

function needFunction(value: unknown, of: string): void {
  if (typeof value !== 'function')
    throw new TypeError(`mock.webhooks.${of} needs a function; got ${JSON.stringify(value)}.`);
}

export interface EventSource {
  /** The cursor before the first event of this world. */
  firstCursor: string;
  /** Returns the cursor after the last event. */
  cursor(): string | Promise<string>;
  /** Returns the events of its orders after a cursor. */
  eventsAfter(cursor: string): Promise<EventPage>;
}

/** Webhooks in a snapshot: the faults of the next events, and the waiting events. */
export interface WebhooksSnapshot {
  /** The URLs of the receivers. */
  receivers: readonly string[];
  faults: readonly WebhookFault[];
  late: readonly FeedEvent[];
  overtaken: readonly FeedEvent[];
}

/** Maximum number of stored events and errors, so that a sandbox can run for months. */
const maxKept = 1_000;

function keep<Item>(list: Item[], item: Item): void {
  list.push(item);
  if (list.length > maxKept) list.shift();
}

/** Creates the webhooks of the current world. Call `note` when an event may have happened. */
export function createSandboxWebhooks<World extends EventSource>({
  current,
  random,
  reportError,
}: {
  current: () => World;
  random: RandomBytes;
  reportError: (error: unknown) => void;
}): {
  webhooks: MockWebhooks;
  note: () => void;
  reset: () => void;
  snapshot: () => WebhooksSnapshot;
  /** Replaces the faults of the next events, and the waiting events. The receivers stay. */
  restore: (from: Omit<WebhooksSnapshot, 'receivers'>) => void;
  orderOf: (eventId: string) => string | undefined;
} {
  const secret = createWebhookSecret(random(24));
  const forgedSecret = createWebhookSecret(random(24));
  /** Receivers, each with its URL if it has one. */
  const receivers = new Map<Deliver, string | null>();
  /** The queue of each receiver. Separate queues prevent a slow receiver from delaying the others. */
  const queues = new WeakMap<Deliver, Promise<void>>();
  let delivered: Promise<unknown> = Promise.resolve();
  let queued = 0;
  /** The cursor after the last sent event of each world. */
  const cursors = new WeakMap<World, string | Promise<string>>();
  const known = new Map<string, FeedEvent>();
  let faults: WebhookFault[] = [];
  let late: FeedEvent[] = [];
  let overtaken: FeedEvent[] = [];
  /** Sent events by their positions in the queues, because a slow receiver responds late. */
  const sent = new Map<number, SentWebhook>();
  let thrown: unknown[] = [];
  let work: Promise<void> = Promise.resolve();
  let resets = 0;

  /** Starts after the events so far. Reading the cursor may fail in a store. */
  function beginNow(world: World): void {
    const cursor = Promise.resolve(world.cursor());
    cursor.catch(() => {});
    cursors.set(world, cursor);
  }

  const typeOf = ({ body }: FeedEvent): string =>
    // Safe: the engine rendered the body of an event.
    (JSON.parse(body) as TopupEvent).type;

  function noteSent(
    place: number,
    event: FeedEvent,
    status: number | null,
    fault: WebhookFault | null,
  ): void {
    sent.set(place, { id: event.id, type: typeOf(event), status, fault });
    const [oldest] = sent.keys();
    if (sent.size > maxKept && oldest !== undefined) sent.delete(oldest);
  }

  /** Queues an event for each receiver. A reset drops queued events. */
  function deliver(event: FeedEvent, fault: WebhookFault | null, by = secret): void {
    const [world, before] = [current(), resets];
    for (const receiver of receivers.keys()) {
      queued += 1;
      const place = queued;
      const next = (queues.get(receiver) ?? Promise.resolve()).then(async () => {
        if (!receivers.has(receiver) || current() !== world || resets !== before) return;
        const status = await receiver(event, by).catch((error: unknown) => {
          keep(thrown, error);
          return null;
        });
        if (status !== undefined && resets === before) noteSent(place, event, status, fault);
      });
      queues.set(receiver, next);
      delivered = Promise.all([delivered, next]);
    }
  }

  function sendOvertaken(): void {
    for (const earlier of overtaken.splice(0)) deliver(earlier, 'out-of-order');
  }

  function sendNext(event: FeedEvent): void {
    known.set(event.id, event);
    const [oldest] = known.keys();
    if (known.size > maxKept && oldest !== undefined) known.delete(oldest);
    const fault = faults.shift() ?? null;
    switch (fault) {
      case 'lost':
        queued += 1;
        noteSent(queued, event, null, fault);
        break;
      case 'late':
        keep(late, event);
        break;
      case 'out-of-order':
        overtaken.push(event);
        return;
      case 'forged':
        deliver(event, fault, forgedSecret);
        break;
      case 'twice':
        deliver(event, fault);
        deliver(event, fault);
        break;
      case null:
        deliver(event, fault);
    }
    sendOvertaken();
  }

  async function sendNew(world: World): Promise<void> {
    if (receivers.size === 0) return;
    const before = resets;
    const start = cursors.get(world) ?? world.firstCursor;
    const { events, cursor } = await Promise.resolve(start).then(world.eventsAfter, (error: unknown) => {
      beginNow(world);
      throw error;
    });
    cursors.set(world, cursor);
    // A reset ends deliveries in progress.
    for (const event of events) if (current() === world && resets === before) sendNext(event);
    if (events.length > 0) await sendNew(world);
  }

  const enqueue = (task: () => Promise<void> | void): Promise<void> => {
    work = work.then(task).catch(reportError);
    return work;
  };

  function note(): void {
    if (receivers.size === 0) return;
    const world = current();
    void enqueue(() => sendNew(world));
  }

  /** Adds a receiver. Earlier events are not sent to it. */
  function add(receiver: Deliver, url: string | null = null): () => void {
    const world = current();
    if (receivers.size === 0) beginNow(world);
    receivers.set(receiver, url);
    return () => void receivers.delete(receiver);
  }

  const webhooks: MockWebhooks = {
    secret,
    on(handler) {
      needFunction(handler, 'on');
      return add(call(handler, secret));
    },
    deliverTo(receiver, url = 'http://localhost/webhooks') {
      needFunction(receiver, 'deliverTo');
      return add(send(receiver, url), url);
    },
    fault(name, times = 1) {
      if (!isFault(name))
        throw new TypeError(
          `Unknown webhook fault ${JSON.stringify(name)}. The faults are ${webhookFaults.join(', ')}.`,
        );
      if (!Number.isInteger(times) || times < 1)
        throw new TypeError(
          `The number of events must be a whole number from 1; got ${JSON.stringify(times)}.`,
        );
      faults.push(...Array.from({ length: times }, () => name));
    },
    async release() {
      await enqueue(() => {
        for (const event of late.splice(0)) deliver(event, 'late');
      });
      await delivered;
    },
    async resend(id) {
      await work;
      const event = known.get(id);
      if (!event) throw new Error(`There is no event ${JSON.stringify(id)}.`);
      await enqueue(() => deliver(event, null));
      await delivered;
    },
    async settled() {
      note();
      // A receiver may have changed the world in response to an event.
      for (let before: Promise<void> | undefined; before !== work; await delivered) {
        before = work;
        await before;
      }
      await enqueue(sendOvertaken);
      await delivered;
      const [first, ...others] = thrown.splice(0);
      if (others.length > 0)
        throw new AggregateError(
          [first, ...others],
          `Webhook handlers threw ${others.length + 1} times: ${[first, ...others].map(String).join('; ')}`,
        );
      if (first !== undefined) throw first;
    },
    off: () => receivers.clear(),
    get receivers() {
      return [...receivers.values()].filter((url) => url !== null);
    },
    get sent() {
      return [...sent].sort(([a], [b]) => a - b).map(([, webhook]) => webhook);
    },
  };
  function reset(): void {
    resets += 1;
    faults = [];
    late = [];
    overtaken = [];
    sent.clear();
    thrown = [];
    known.clear();
  }

  return {
    webhooks,
    note,
    orderOf(eventId) {
      const event = known.get(eventId);
      // Safe: the engine rendered the body of an event, and a sandbox sends only those of orders.
      return (
        event && (JSON.parse(event.body) as { data: { order: { order_id: string } } }).data.order.order_id
      );
    },
    reset,
    snapshot: () => ({
      receivers: webhooks.receivers,
      faults: [...faults],
      late: [...late],
      overtaken: [...overtaken],
    }),
    restore(from) {
      reset();
      faults = [...from.faults];
      late = [...from.late];
      overtaken = [...from.overtaken];
    },
  };
}
