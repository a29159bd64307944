import type { EventType, testEventType } from '../../contract/index.ts';
import type { Conflict, Done, RaisedAlerts } from '../../store/index.ts';

/** Why an endpoint is sent nothing. `gone`: it responded 410. `failing`: nothing arrived there for days. */
export const disabledReasons = ['operator', 'gone', 'failing'] as const;

/** Where events are sent. Moments are unix milliseconds of real time. */
export interface WebhookEndpoint {
  /** Such as `ep_k3v9x2ma`. */
  endpointId: string;
  /** The account whose orders it is told of; null for an operator's, which is told of all orders and of the shop. */
  accountId: string | null;
  url: string;
  types: readonly EventType[];
  /** What the operator calls it; may be empty. */
  description: string;
  /** By which what is sent is signed, as the store keeps it: sealed where the host has a key for that. */
  secret: string;
  /** The one before it, which signs as well until `previousUntil`; null with it. */
  previousSecret: string | null;
  previousUntil: number | null;
  /** Null while it is sent events. */
  disabled: (typeof disabledReasons)[number] | null;
  createdAt: number;
  /** Since when nothing has arrived; null once something did, and while nothing was sent. */
  failingSince: number | null;
  /** Grows with every change by an operator. */
  version: number;
}

/** What an endpoint is sent. */
export interface WebhookEvent {
  /** The same for all endpoints and attempts, such as `evt_0c5d…`. */
  eventId: string;
  type: EventType | typeof testEventType;
  /** The account that it concerns; null when it is of the shop. */
  accountId: string | null;
  orderId: string | null;
  /** When it was noticed, in unix milliseconds of real time. */
  createdAt: number;
  /** The JSON that is sent. */
  body: string;
}

/** An event, and who is sent it. */
export interface PlannedEvent {
  event: WebhookEvent;
  endpointIds: readonly string[];
}

/** What came of sending an event. */
export interface WebhookAttempt {
  /** When it began, in unix milliseconds of real time. */
  at: number;
  /** How long it took, in milliseconds. */
  ms: number;
  /** The HTTP status of the response; null when there was none. */
  status: number | null;
  /** Why there was none, or the first of the response's body. */
  text: string;
}

/** `failed`: it is not tried again by itself. */
export const webhookStates = ['pending', 'delivered', 'failed'] as const;
export type WebhookState = (typeof webhookStates)[number];

/** An event on its way to an endpoint. */
export interface WebhookDelivery extends Omit<WebhookEvent, 'body' | 'accountId'> {
  endpointId: string;
  /** Its place among all events, which later ones have after it. */
  sequence: number;
  state: WebhookState;
  /** How often it was sent. */
  attempts: number;
  /** How many of them count for the schedule of the retries: to send it again begins with none. */
  step: number;
  /** When it is sent next, in unix milliseconds of real time; null unless it is pending. */
  nextAt: number | null;
  /** The last attempts, the oldest first. */
  log: readonly WebhookAttempt[];
}

/** A delivery that is due, with what is sent. */
export interface DueWebhook extends WebhookDelivery {
  body: string;
}

/** Up to where the sequences of changes were made events: the position of orders' changes, and the number of edits of the catalogue. */
export interface EventProgress {
  position: number;
  edit: number;
}

export interface RecordAttempt
  extends Pick<WebhookDelivery, 'endpointId' | 'eventId' | 'state' | 'step' | 'nextAt'> {
  /** How often it was sent before: of another attempt at the same time, only one is recorded. */
  attempts: number;
  log: readonly WebhookAttempt[];
  /** Whether something arrived, from when on nothing did, and why the endpoint is sent no more, if so. */
  endpoint: Pick<WebhookEndpoint, 'failingSince' | 'disabled'>;
}

/** Which deliveries; a filter that is left out matches every one. */
export interface WebhookFilter {
  endpointId?: string | undefined;
  eventId?: string | undefined;
  orderId?: string | undefined;
  state?: WebhookState | undefined;
  type?: string | undefined;
  /** Only those of events that were noticed at or after this moment. */
  from?: number | undefined;
}

/** The part of a store that sends events to others. */
export interface WebhookStore {
  addWebhookEndpoint(endpoint: WebhookEndpoint): Promise<Done | Conflict<'endpoint_taken'>>;
  /** Oldest first. */
  listWebhookEndpoints(): Promise<WebhookEndpoint[]>;
  /** Replaces an endpoint that still has the version given, and gives it the next one. */
  changeWebhookEndpoint(
    endpoint: WebhookEndpoint,
  ): Promise<Done | Conflict<'endpoint_missing' | 'endpoint_changed'>>;
  /** Deletes an endpoint and all its deliveries. */
  deleteWebhookEndpoint(endpointId: string): Promise<Done | Conflict<'endpoint_missing'>>;

  readEventProgress(): Promise<EventProgress>;
  /**
   * Adds events in their order, and moves the progress on, if it is still the one given: of several servers, one adds each event. An event
   * or a delivery that is known already stays as it is.
   */
  addWebhookEvents(
    events: readonly PlannedEvent[],
    progress: { from: EventProgress; to: EventProgress } | null,
  ): Promise<Done | Conflict<'events_added'>>;
  /** Replaces the alerts that were raised, and adds the events of the difference. */
  saveRaisedAlerts(
    raised: RaisedAlerts,
    events: readonly PlannedEvent[],
  ): Promise<Done | Conflict<'alerts_changed'>>;

  /**
   * What an endpoint is to be sent at `now`, the longest due first. The event of an order waits until each earlier one of that order was
   * sent for the first time.
   */
  findDueWebhooks(endpointId: string, now: number, limit: number): Promise<DueWebhook[]>;
  recordWebhookAttempt(record: RecordAttempt): Promise<Done | Conflict<'delivery_changed'>>;
  /** The newest first; only those older than `after`, which is the last of the previous page. */
  listWebhookDeliveries(
    filter: WebhookFilter & { after?: Pick<WebhookDelivery, 'sequence' | 'endpointId'>; limit: number },
  ): Promise<WebhookDelivery[]>;
  /** The body of an event; null when there is no such event. */
  findWebhookEvent(eventId: string): Promise<WebhookEvent | null>;
  /** Has deliveries sent again from `now` on; returns how many. */
  resendWebhooks(filter: WebhookFilter, now: number): Promise<number>;
  /** How many deliveries are pending, by endpoint. */
  countPendingWebhooks(): Promise<ReadonlyMap<string, number>>;
  /** Deletes up to `limit` events that were noticed before a moment, and their deliveries; returns how many. */
  purgeWebhookEvents(before: number, limit: number): Promise<number>;
}
