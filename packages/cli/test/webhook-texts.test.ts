import { eventTypes } from '@topup-kit/core/contract';
import type { WebhookDelivery, WebhookEndpoint } from '@topup-kit/core/store';
import { describe, expect, it } from 'vitest';
import { attemptLine, deliveryDocument, deliveryScreen } from '../src/commands/webhooks/deliveries.ts';
import { endpointDocument, endpointScreen, stateOf, stateStyle } from '../src/commands/webhooks/endpoints.ts';
import { type OutputStyle, plain } from '../src/output/style.ts';

const moment = Date.parse('2026-03-29T02:30:00Z');
const marked: OutputStyle = { paint: (name, text) => (name ? `<${name}>${text}</>` : text) };

const endpoint: WebhookEndpoint = {
  endpointId: 'ep_1',
  accountId: null,
  url: 'https://shop.example/hooks',
  types: ['order.paid', 'order.failed'],
  description: 'the shop',
  secret: 'sealed',
  previousSecret: null,
  previousUntil: null,
  disabled: null,
  createdAt: moment,
  failingSince: null,
  version: 1,
};

describe('a webhook on the screen', () => {
  it('shows a working webhook', () => {
    expect(endpointScreen(endpoint, 0, plain)).toBe(`  Webhook   ep_1
  URL       https://shop.example/hooks
  Account   all accounts, and events of the shop
  Events    order.paid, order.failed
  About     the shop
  State     enabled
  Created   29 Mar 2026, 09:30 GMT+7
`);
  });

  it('shows a failing webhook with pending events and two secrets', () => {
    const previousUntil = Date.now() + 60_000;
    const text = endpointScreen(
      { ...endpoint, failingSince: moment, previousUntil, accountId: 'web', types: eventTypes },
      3,
      plain,
    );
    expect(text).toContain('  Account   web\n  Events    all\n');
    expect(text).toContain(
      '  State     failing\n  Failing   since 29 Mar 2026, 09:30 GMT+7\n  Waiting   3\n  Secrets   two; the previous one signs until ',
    );
    expect(endpointScreen({ ...endpoint, previousUntil: Date.now() - 1 }, 0, plain)).not.toContain('Secrets');
  });

  it.each<[Partial<WebhookEndpoint>, string, string]>([
    [{}, 'enabled', 'good'],
    [{ failingSince: 1 }, 'failing', 'bad'],
    [{ disabled: 'operator', failingSince: 1 }, 'disabled', 'quiet'],
    [{ disabled: 'gone' }, 'disabled: it responded 410 Gone', 'bad'],
    [{ disabled: 'failing' }, 'disabled: nothing arrived for five days', 'bad'],
  ])('shows the state of a webhook with %j as %s', (more, state, style) => {
    expect(stateOf({ ...endpoint, ...more })).toBe(state);
    expect(stateStyle(state)).toBe(style);
    expect(endpointScreen({ ...endpoint, ...more }, 0, marked)).toContain(`<${style}>${state}</>`);
  });

  it('prints a webhook as a document without its secrets', () => {
    const more = { disabled: 'gone', failingSince: moment, previousUntil: moment } as const;
    expect(endpointDocument({ ...endpoint, ...more }, 2)).toEqual({
      ...{ endpoint_id: 'ep_1', account_id: null, url: endpoint.url, events: endpoint.types },
      ...{ description: 'the shop', enabled: false, disabled_reason: 'gone', pending: 2 },
      ...{ failing_since: '2026-03-29T02:30:00.000Z', previous_secret_until: '2026-03-29T02:30:00.000Z' },
      created_at: '2026-03-29T02:30:00.000Z',
    });
    expect(endpointDocument(endpoint, 0)).toMatchObject({
      ...{ enabled: true, disabled_reason: null, failing_since: null, previous_secret_until: null },
    });
  });
});

describe('an attempt on the screen', () => {
  const when = '  29 Mar 2026, 09:30:00 (GMT+7), 25 ms';
  it.each([
    ['a response without a body', 204, ' \n', ': HTTP 204\n'],
    ['a response with a body', 500, ' no\n  way\u001b[2J ', ': HTTP 500\n    no way\\u{1b}[2J\n'],
    ['no response', null, 'no\nanswer', ': no answer\n'],
  ])('shows an attempt with %s', (_case, status, text, end) => {
    expect(attemptLine({ at: moment, ms: 25, status, text })).toBe(`${when}${end}`);
  });

  it('shows 300 characters of a body', () => {
    const line = attemptLine({ at: moment, ms: 25, status: 500, text: 'x'.repeat(400) });
    expect(line.split('\n')[1]).toBe(`    ${'x'.repeat(299)}…`);
  });
});

describe('a delivery on the screen', () => {
  const attempt = { at: moment, ms: 25, status: 500, text: '' };
  // Safe: the code shows only these parts of the value.
  const delivery = (more: Partial<WebhookDelivery> = {}): WebhookDelivery =>
    ({
      ...{ eventId: 'evt_1', type: 'order.paid', orderId: 'INV-1', endpointId: 'ep_1', state: 'delivered' },
      ...{ createdAt: moment, nextAt: null, attempts: 1, log: [attempt] },
      ...more,
    }) as WebhookDelivery;
  const line = '  29 Mar 2026, 09:30:00 (GMT+7), 25 ms: HTTP 500\n';

  it('shows an event delivery with its attempts', () => {
    expect(deliveryScreen(delivery(), marked)).toBe(
      `<title>evt_1</> order.paid INV-1 ep_1 <good>delivered</>\n${line}`,
    );
    expect(deliveryScreen(delivery({ orderId: null, state: 'failed' }), marked)).toContain(
      '</> order.paid ep_1 <bad>failed</>',
    );
  });

  it('shows the number of hidden attempts', () => {
    expect(deliveryScreen(delivery({ attempts: 9 }), plain)).toContain(
      `delivered\n  the last 1 of 9 attempts:\n${line}`,
    );
  });

  it.each<[string, Partial<WebhookDelivery>, string]>([
    ['to be sent now', { state: 'pending', nextAt: Date.now() - 1 }, '  to be sent now\n'],
    [
      'to be tried again later',
      { state: 'pending', nextAt: Date.parse('2099-03-29T02:30:00Z') },
      '  next attempt 29 Mar 2099, 09:30:00 (GMT+7)\n',
    ],
    ['pending without a time', { state: 'pending', nextAt: null }, ''],
    ['that failed', { state: 'failed', nextAt: 1 }, ''],
  ])('shows an event delivery %s', (_case, more, end) => {
    expect(deliveryScreen(delivery(more), plain).split(line)[1]).toBe(end);
  });

  it('prints an event delivery as a document', () => {
    expect(deliveryDocument(delivery({ nextAt: moment }))).toEqual({
      ...{ event_id: 'evt_1', type: 'order.paid', order_id: 'INV-1', endpoint_id: 'ep_1' },
      ...{ state: 'delivered', created_at: '2026-03-29T02:30:00.000Z', attempt_count: 1 },
      next_attempt_at: '2026-03-29T02:30:00.000Z',
      attempts: [{ at: '2026-03-29T02:30:00.000Z', duration_ms: 25, status: 500, text: '' }],
    });
  });
});
