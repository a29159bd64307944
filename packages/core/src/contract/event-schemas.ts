import * as z from 'zod/mini';
import { event, text } from './event-object.ts';
import { testEventType } from './event-types.ts';
import { field, object } from './schema-docs.ts';
import { amount, orderEvent } from './schemas.ts';

const alertEventData = object(
  'AlertEventData',
  'ours',
  'A problem that needs an operator, or that is solved.',
  {
    kind: text('Kind of the alert, such as `low-balance`; each has a section in the runbook.'),
    sentence: text('The problem, as a sentence for operators.'),
    count: field(z.int(), 'Number of affected orders or other subjects, up to 1,000.'),
    names: field(z.array(z.string()), 'Ids of the first ten affected orders or other subjects.'),
  },
);

const catalogEventData = object('CatalogEventData', 'ours', 'An edit of the catalogue.', {
  number: field(z.int(), "The edit's number in the history of the catalogue."),
  command: text('The command of the edit, such as `set-price ML86`.'),
  by: field(z.nullable(z.string()), "The operator's name; null if it is unknown.", {
    nullIsStated: true,
  }),
  changes: field(z.int(), 'Number of changed values.'),
  keys: field(z.array(z.string()), 'The slugs of changed games and codes of changed products, up to 100.'),
});

const balanceEventData = object('BalanceEventData', 'ours', "The shop's balance at a supplier.", {
  supplier: text('Name of the supplier.'),
  balance: field(amount, 'The balance, in the smallest unit: integer rupiah.'),
  alert_below: field(amount, 'The limit below which the alert is raised.'),
});

const testEventData = object('TestEventData', 'ours', 'Data of a test.', {
  message: text('Text for people.'),
});

/** The schemas of each kind of event. */
export const eventSchemas = {
  order: orderEvent,
  alert: event(
    'AlertEvent',
    'A problem needs an operator, or is solved.',
    ['alert.raised', 'alert.cleared'],
    alertEventData,
  ),
  catalog: event('CatalogChangedEvent', 'The catalogue was edited.', ['catalog.changed'], catalogEventData),
  balance: event('BalanceLowEvent', 'The balance at a supplier is low.', ['balance.low'], balanceEventData),
  test: event('WebhookTestEvent', 'An operator sent a test event.', [testEventType], testEventData),
};
