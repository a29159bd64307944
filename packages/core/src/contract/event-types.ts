/** What an account's webhooks tell of: the changes of its orders (source: ours). */
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

/** What only an operator's webhooks tell of (source: ours). */
export const shopEventTypes = ['alert.raised', 'alert.cleared', 'catalog.changed', 'balance.low'] as const;

/** What a webhook is sent to see whether it arrives. */
export const testEventType = 'webhook.test';

/** What an endpoint can be sent. */
export const eventTypes = [...orderEventTypes, ...shopEventTypes] as const;
export type EventType = (typeof eventTypes)[number];
