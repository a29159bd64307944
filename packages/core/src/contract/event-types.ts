/** Events for an account's webhooks: changes of its orders (source: ours). */
export const orderEventTypes = [
  'order.created',
  'order.paid',
  'order.processing',
  'order.delivered',
  'order.failed',
  'order.expired',
  'order.refunded',
] as const;
export type OrderEventType = (typeof orderEventTypes)[number];

/** Events for operators' webhooks only (source: ours). */
export const shopEventTypes = ['alert.raised', 'alert.cleared', 'catalog.changed', 'balance.low'] as const;

/** The event that tests a webhook. */
export const testEventType = 'webhook.test';

/** All events that an endpoint can receive. */
export const eventTypes = [...orderEventTypes, ...shopEventTypes] as const;
export type EventType = (typeof eventTypes)[number];
