import * as z from 'zod/mini';
import { event, text } from './event-object.ts';
import { testEventType } from './event-types.ts';
import { field, object } from './schema-docs.ts';
import { amount, orderEvent } from './schemas.ts';

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
  order: orderEvent,
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
