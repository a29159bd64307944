import * as z from 'zod/mini';
import { type EventType, orderEventTypes, testEventType } from './event-types.ts';
import { field, fieldsFrom, object } from './schema-docs.ts';
import { amount, invoiceFields } from './schemas.ts';

/** What each type of event says. */
export const eventMeanings: Readonly<Record<EventType | typeof testEventType, string>> = {
  'order.created': 'an order was placed',
  'order.paid': 'an order was paid',
  'order.processing': 'the delivery of an order began, or began again',
  'order.delivered': 'an order was delivered',
  'order.failed': 'the payment or the delivery of an order failed',
  'order.expired': 'an order was not paid in time',
  'order.refunded': 'the payment of an order goes back to the customer',
  'alert.raised': 'something waits for an operator',
  'alert.cleared': 'what waited for an operator no longer does',
  'catalog.changed': 'games, products, prices or promo codes were edited',
  'balance.low': 'the balance at a supplier fell below its limit',
  'webhook.test': 'an operator sent a test',
};

const id = field(
  z.string(),
  'Id of the event, the same each time that it is sent; the `webhook-id` of a webhook. Handle an event whose id you know as done.',
  { source: 'ours' },
);

const text = (description: string) => field(z.string(), description);

/** The schema of an event, and that of the body of its webhook, which has the id in a header. */
function event<const Types extends readonly (keyof typeof eventMeanings)[], Data extends z.ZodMiniObject>(
  name: string,
  description: string,
  types: Types,
  data: Data,
) {
  const meanings = types.map((type) => `\`${type}\` (${eventMeanings[type]})`).join(', ');
  const fields = fieldsFrom('ours', {
    type: field(z.literal(types), `What happened: ${meanings}.`),
    timestamp: text('When it happened: ISO 8601, in UTC.'),
    data: field(data, 'What it happened to, as it was at that moment.'),
  });
  return {
    types,
    event: object(name, 'ours', description, { id, ...fields }, { typeOnly: true }),
    body: object(`${name}Body`, 'ours', `Body of a webhook: ${description.toLowerCase()}`, fields),
  };
}

const orderEventData = object('OrderEventData', 'ours', 'An order as the invoice shows it.', invoiceFields);

const alertEventData = object(
  'AlertEventData',
  'ours',
  'Something that waits for an operator, or no longer does.',
  {
    kind: text('Kind of the alert, such as `low-balance`; each has a section in the runbook.'),
    sentence: text('What it is, as a sentence for operators.'),
    count: field(z.int(), 'How many there are, up to 1,000.'),
    names: field(z.array(z.string()), 'The first ten of what it is about, such as ids of orders.'),
  },
);

const catalogEventData = object('CatalogEventData', 'ours', 'An edit of the catalogue.', {
  number: field(z.int(), "The edit's number in the history of the catalogue."),
  command: text('What was done, such as `set-price ML86`.'),
  by: field(z.nullable(z.string()), "The operator's name; null when it was not given.", {
    nullIsStated: true,
  }),
  changes: field(z.int(), 'How many values were changed.'),
  keys: field(
    z.array(z.string()),
    'The slugs of games and codes of products that were changed; the first 100.',
  ),
});

const balanceEventData = object('BalanceEventData', 'ours', "The shop's balance at a supplier.", {
  supplier: text('Name of the supplier.'),
  balance: field(amount, 'What the account holds, in the smallest unit: integer rupiah.'),
  alert_below: field(amount, 'Below this balance an operator is told.'),
});

const testEventData = object('TestEventData', 'ours', 'Data of a test.', {
  message: text('Text for people.'),
});

/** The schemas of each kind of event. */
export const eventSchemas = {
  order: event('OrderEvent', 'An order was created or changed.', orderEventTypes, orderEventData),
  alert: event(
    'AlertEvent',
    'Something waits for an operator, or no longer does.',
    ['alert.raised', 'alert.cleared'],
    alertEventData,
  ),
  catalog: event('CatalogChangedEvent', 'The catalogue was edited.', ['catalog.changed'], catalogEventData),
  balance: event('BalanceLowEvent', 'The balance at a supplier is low.', ['balance.low'], balanceEventData),
  test: event(
    'WebhookTestEvent',
    'An operator sent a test, to see whether webhooks arrive.',
    [testEventType],
    testEventData,
  ),
};
