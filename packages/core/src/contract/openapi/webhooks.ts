import { eventMeanings } from '../event-object.ts';
import { eventSchemas } from '../event-schemas.ts';
import { type EventType, eventTypes, testEventType } from '../event-types.ts';
import type * as Wire from '../generated/types.ts';
import { webhookHeaderNames } from '../webhook-signature.ts';
import { refTo, requireDocs } from './components.ts';
import { responseExamples } from './examples.ts';
import type { OpenApiDocument, ParameterObject, WebhookObject } from './types.ts';

type AnyType = EventType | typeof testEventType;

export const webhookTag = {
  name: 'Webhooks',
  description:
    'Events that the service sends to your server, signed as Standard Webhooks specifies. If your server does not respond with a 2xx status within 15 seconds, the service retries for about three days with the same `webhook-id`.',
};

const header = (
  name: string,
  description: string,
  schema: ParameterObject['schema'],
  example: string | number,
): ParameterObject => ({
  name,
  in: 'header',
  required: true,
  description,
  schema,
  example,
  'x-topup-source': 'ours',
});

const parameters = [
  header(
    webhookHeaderNames.id,
    'Id of the event, the same in every attempt. If you have already handled an event with this id, ignore it.',
    { type: 'string' },
    'evt_5d41402abc4b2a76b9719d91',
  ),
  header(
    webhookHeaderNames.timestamp,
    'Time of this attempt, in unix seconds. Reject a request whose time differs by more than five minutes.',
    { type: 'integer', format: 'int64' },
    1774667100,
  ),
  header(
    webhookHeaderNames.signature,
    'Signatures, separated by a space: `v1,` and the base64 of the HMAC-SHA256 over `{webhook-id}.{webhook-timestamp}.{body}`, keyed with the bytes whose base64 follows `whsec_` in the secret. One matching signature is enough. There are two while a secret is rotated.',
    { type: 'string' },
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  ),
];

const { success: _success, ...invoice } = responseExamples.getInvoice;

const orderData = (changes: Partial<Wire.InvoiceOrder>): Wire.OrderEventData => ({
  ...invoice,
  order: { ...invoice.order, ...changes },
});

const alert: Wire.AlertEventData = {
  kind: 'failed-deliveries',
  sentence: 'A paid order was not delivered.',
  count: 1,
  names: [invoice.order.order_id],
};

type DataOf<Type, Event = Wire.TopupEvent> = Event extends { type: infer Own; data: infer Data }
  ? Type extends Own
    ? Data
    : never
  : never;

/** Example data: the events of the example order, and one event of each other kind. */
const examples: { [Type in AnyType]: DataOf<Type> } = {
  'order.created': orderData({}),
  'order.paid': orderData({ payment_status: 'PAID', buy_status: 'Proses' }),
  'order.processing': orderData({ payment_status: 'PAID', buy_status: 'Proses' }),
  'order.delivered': orderData({ payment_status: 'PAID', buy_status: 'Sukses', serial_number: 'SN-4711' }),
  'order.failed': orderData({
    payment_status: 'PAID',
    buy_status: 'Gagal',
    failure_reason: 'account_not_found',
  }),
  'order.expired': orderData({ payment_status: 'EXPIRED', buy_status: 'Batal' }),
  'order.refunded': orderData({
    payment_status: 'REFUND',
    buy_status: 'Gagal',
    failure_reason: 'account_not_found',
    refund_amount: 40000,
  }),
  'alert.raised': alert,
  'alert.cleared': { ...alert, count: 0, names: [] },
  'catalog.changed': { number: 17, command: 'set-price ML86', by: 'rina', changes: 1, keys: ['ML86'] },
  'balance.low': { supplier: 'main-supplier', balance: 180000, alert_below: 500000 },
  'webhook.test': { message: 'A test of this endpoint.' },
};

function componentOf(type: AnyType): string {
  const found = Object.values(eventSchemas).find(({ types }) => types.some((own) => own === type));
  if (!found) throw new Error(`There is no schema of ${type}.`);
  return requireDocs(found.body).id;
}

const sentence = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}`;

function webhookObject(type: AnyType): WebhookObject {
  const value = { type, timestamp: '2026-03-28T03:05:00.000Z', data: examples[type] };
  return {
    operationId: type,
    tags: [webhookTag.name],
    summary: sentence(eventMeanings[type]),
    description: 'The service sends this request to your endpoint; it needs no API key of yours.',
    'x-topup-source': 'ours',
    security: [],
    parameters,
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: {
            allOf: [{ $ref: refTo(componentOf(type)) }, { properties: { type: { const: type } } }],
          },
          examples: { event: { summary: 'An event of the sandbox catalogue', value } },
        },
      },
    },
    responses: {
      '2XX': {
        description: 'The event was received, and is not sent again. The service does not read the body.',
      },
      '410': { description: 'The endpoint is gone. The service disables it and sends nothing more.' },
      default: {
        description:
          'The service sends the event again later, but not before the time in `Retry-After`. It follows no redirects.',
      },
    },
  };
}

const types: readonly AnyType[] = [...eventTypes, testEventType];

/** The service's webhooks: one entry for each event type. */
export const webhooks: OpenApiDocument['webhooks'] = Object.fromEntries(
  types.map((type) => [type, { post: webhookObject(type) }]),
);
