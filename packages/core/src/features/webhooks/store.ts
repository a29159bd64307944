import type { EventType, testEventType } from '../../contract/index.ts';
import type { Conflict, Done, RaisedAlerts } from '../../store/index.ts';

/** Reasons for a disabled endpoint. `gone`: it responded 410. `failing`: no event arrived for days. */
export const disabledReasons = ['operator', 'gone', 'failing'] as const;

/** A registered URL that receives events. Times are unix milliseconds of real time. */
export interface WebhookEndpoint {
  /** Id of the endpoint, such as `ep_k3v9x2ma`. */
  endpointId: string;
  /**
   * The account whose order events it receives; null for an operator's endpoint, which receives the events of all orders and of the shop.
   */
  accountId: string | null;
  url: string;
  types: readonly EventType[];
  /** The operator's description; may be empty. */
  description: string;
  /** The secret that signs its events, as stored: encrypted if the host has a key. */
  secret: string;
  /** The previous secret, which also signs until `previousUntil`; null without an overlap. */
  previousSecret: string | null;
  previousUntil: number | null;
  /** Reason why it is disabled; null while it receives events. */
  disabled: (typeof disabledReasons)[number] | null;
  createdAt: number;
  /** Start of the current failures; null if the last event arrived, or if none was sent yet. */
  failingSince: number | null;
  /** Increases with every change by an operator. */
  version: number;
}

/** An event as endpoints receive it. */
export interface WebhookEvent {
  /** Id of the event, such as `evt_0c5d…`; the same for all endpoints and attempts. */
  eventId: string;
  type: EventType | typeof testEventType;
  /** The account of the order; null for an event of the shop. */
  accountId: string | null;
  orderId: string | null;
  /** Time at which the event was created, in unix milliseconds of real time. */
  createdAt: number;
  /** The JSON body of the request. */
  body: string;
}

/** An event and its recipients. */
export interface PlannedEvent {
  event: WebhookEvent;
  endpointIds: readonly string[];
}

/** One attempt to send an event. */
export interface WebhookAttempt {
  /** Start of the attempt, in unix milliseconds of real time. */
  at: number;
  /** Duration in milliseconds. */
  ms: number;
  /** HTTP status of the response; null without a response. */
  status: number | null;
  /** Start of the response body, or the reason for a missing response. */
  text: string;
}

/** States of a delivery. `failed` means that there are no more automatic retries. */
export const webhookStates = ['pending', 'delivered', 'failed'] as const;
export type WebhookState = (typeof webhookStates)[number];

/** One event for one endpoint. */
export interface WebhookDelivery extends Omit<WebhookEvent, 'body' | 'accountId'> {
  endpointId: string;
  /** Position in the sequence of all events. */
  sequence: number;
  state: WebhookState;
  attempts: number;
  /** Number of attempts in the current retry schedule. Resending an event resets it to 0. */
  step: number;
  /** Time of the next attempt, in unix milliseconds of real time; null unless it is pending. */
  nextAt: number | null;
  /** The last attempts, oldest first. */
  log: readonly WebhookAttempt[];
}

/** A due delivery with its body. */
export interface DueWebhook extends WebhookDelivery {
  body: string;
}

/** The last changes that became events: the position in the changes of orders, and the number of catalogue edits. */
export interface EventProgress {
  position: number;
  edit: number;
}

export interface RecordAttempt
  extends Pick<WebhookDelivery, 'endpointId' | 'eventId' | 'state' | 'step' | 'nextAt'> {
  /** Number of earlier attempts. It identifies the attempt, so that only one of two simultaneous attempts is recorded. */
  attempts: number;
  log: readonly WebhookAttempt[];
  /** The endpoint's new state after the attempt. */
  endpoint: Pick<WebhookEndpoint, 'failingSince' | 'disabled'>;
}

/** A filter for deliveries. An omitted field matches all. */
export interface WebhookFilter {
  endpointId?: string | undefined;
  eventId?: string | undefined;
  orderId?: string | undefined;
  state?: WebhookState | undefined;
  type?: string | undefined;
  /** Selects only events created at or after this time. */
  from?: number | undefined;
}

/** The part of a store for webhooks. */
export interface WebhookStore {
  addWebhookEndpoint(endpoint: WebhookEndpoint): Promise<Done | Conflict<'endpoint_taken'>>;
  /** Lists the endpoints, oldest first. */
  listWebhookEndpoints(): Promise<WebhookEndpoint[]>;
  /** Replaces an endpoint if it still has the given version, and increments the version. */
  changeWebhookEndpoint(
    endpoint: WebhookEndpoint,
  ): Promise<Done | Conflict<'endpoint_missing' | 'endpoint_changed'>>;
  /** Deletes an endpoint and all its deliveries. */
  deleteWebhookEndpoint(endpointId: string): Promise<Done | Conflict<'endpoint_missing'>>;

  readEventProgress(): Promise<EventProgress>;
  /**
   * Adds events in the given order and moves the progress forward, but only if the stored progress is still `from`. So only one server adds
   * each event. Known events and deliveries stay unchanged.
   */
  addWebhookEvents(
    events: readonly PlannedEvent[],
    progress: { from: EventProgress; to: EventProgress } | null,
  ): Promise<Done | Conflict<'events_added'>>;
  /** Replaces the raised alerts, and adds the events for the difference. */
  saveRaisedAlerts(
    raised: RaisedAlerts,
    events: readonly PlannedEvent[],
  ): Promise<Done | Conflict<'alerts_changed'>>;

  /**
   * Finds the deliveries of an endpoint that are due at `now`, the longest due first. An event of an order waits until every earlier event
   * of the same order was sent once.
   */
  findDueWebhooks(endpointId: string, now: number, limit: number): Promise<DueWebhook[]>;
  recordWebhookAttempt(record: RecordAttempt): Promise<Done | Conflict<'delivery_changed'>>;
  /** Lists deliveries, newest first, starting after the delivery `after`, the last of the previous page. */
  listWebhookDeliveries(
    filter: WebhookFilter & { after?: Pick<WebhookDelivery, 'sequence' | 'endpointId'>; limit: number },
  ): Promise<WebhookDelivery[]>;
  /** Finds an event with its body; null if it is not found. */
  findWebhookEvent(eventId: string): Promise<WebhookEvent | null>;
  /** Schedules deliveries again, starting at `now`. Returns their number. */
  resendWebhooks(filter: WebhookFilter, now: number): Promise<number>;
  /** Counts the pending deliveries per endpoint. */
  countPendingWebhooks(): Promise<ReadonlyMap<string, number>>;
  /** Deletes up to `limit` events that were created before a given time, with their deliveries. Returns the number of events. */
  purgeWebhookEvents(before: number, limit: number): Promise<number>;
}
