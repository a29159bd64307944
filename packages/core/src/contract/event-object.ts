import * as z from 'zod/mini';
import type { EventType, testEventType } from './event-types.ts';
import { field, fieldsFrom, type ObjectDocs, object } from './schema-docs.ts';

/** The meaning of each event type. */
export const eventMeanings: Readonly<Record<EventType | typeof testEventType, string>> = {
  'order.created': 'an order was placed',
  'order.paid': 'an order was paid',
  'order.processing': 'the delivery of an order began, or began again',
  'order.delivered': 'an order was delivered',
  'order.failed': 'the payment or the delivery of an order failed',
  'order.expired': 'an order was not paid in time',
  'order.refunded': 'the customer gets all or part of the payment back',
  'alert.raised': 'a problem needs an operator',
  'alert.cleared': 'the problem is solved',
  'catalog.changed': 'an operator edited games, products, prices or promo codes',
  'balance.low': 'the balance at a supplier fell below its limit',
  'webhook.test': 'an operator sent a test',
};

const id = field(
  z.string(),
  'Id of the event, the same each time that it is sent; the `webhook-id` of a webhook. If you have already handled an event with this id, ignore it.',
  { source: 'ours' },
);

/** Creates a text field. */
export const text = (description: string) => field(z.string(), description);

/**
 * Creates the schema of an event, and the schema of its webhook body, which lacks the id, because a header has it. No route's response
 * contains the event unless `more` says so.
 */
export function event<
  const Types extends readonly (keyof typeof eventMeanings)[],
  Data extends z.ZodMiniObject,
>(
  name: string,
  description: string,
  types: Types,
  data: Data,
  more: Pick<ObjectDocs, 'typeOnly'> = { typeOnly: true },
) {
  const meanings = types.map((type) => `\`${type}\` (${eventMeanings[type]})`).join(', ');
  const fields = fieldsFrom('ours', {
    type: field(z.literal(types), `What happened: ${meanings}.`),
    timestamp: text('When it happened: ISO 8601, in UTC.'),
    data: field(data, 'The order, alert or other subject of the event, as it was at that moment.'),
  });
  return {
    types,
    event: object(name, 'ours', description, { id, ...fields }, more),
    body: object(`${name}Body`, 'ours', `Body of a webhook: ${description.toLowerCase()}`, fields),
  };
}
