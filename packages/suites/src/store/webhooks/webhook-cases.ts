import type {
  PlannedEvent,
  RecordAttempt,
  WebhookEndpoint,
  WebhookEvent,
  WebhookFilter,
  WebhookStore,
} from '@topup-kit/core/store';
import { assertEqual } from '../../assertions.ts';
import { another, catalog, idOf, ok, place } from '../fixtures.ts';
import type { StoreCases } from '../store-case.ts';

const endpoint = (letter: string, changes: Partial<WebhookEndpoint> = {}): WebhookEndpoint => ({
  endpointId: `ep_${letter}`,
  accountId: null,
  url: `https://shop.test/${letter}`,
  types: ['order.paid'],
  description: `endpoint ${letter}`,
  secret: `whsec_${letter}`,
  previousSecret: null,
  previousUntil: null,
  disabled: null,
  createdAt: 1_000,
  failingSince: null,
  version: 1,
  ...changes,
});

const event = (name: string, changes: Partial<WebhookEvent> = {}): WebhookEvent => ({
  eventId: `evt_${name}`,
  type: 'order.paid',
  accountId: 'web',
  orderId: null,
  createdAt: 2_000,
  body: `{"event":"${name}"}`,
  ...changes,
});

const planned = (letters: string, ...events: WebhookEvent[]): PlannedEvent[] =>
  events.map((event) => ({ event, endpointIds: [...letters].map((letter) => `ep_${letter}`) }));

const record = (letter: string, name: string, changes: Partial<RecordAttempt> = {}): RecordAttempt => ({
  endpointId: `ep_${letter}`,
  eventId: `evt_${name}`,
  attempts: 0,
  state: 'delivered',
  step: 1,
  nextAt: null,
  log: [{ at: 2_001, ms: 12, status: 200, text: 'ok' }],
  endpoint: { failingSince: null, disabled: null },
  ...changes,
});

const fails = { state: 'pending', nextAt: 9_000 } as const;

const names = (items: readonly { eventId: string }[]): string[] => items.map(({ eventId }) => eventId);

const pending = async (store: WebhookStore): Promise<[endpointId: string, count: number][]> => [
  ...(await store.countPendingWebhooks()),
];

export const webhookCases: StoreCases = {
  'endpoints are listed oldest first, and one is changed on the version that is known': async (store) => {
    const [a, b] = [endpoint('b', { createdAt: 5 }), endpoint('a', { createdAt: 6, accountId: 'web' })];
    assertEqual(await store.addWebhookEndpoint(b), ok, 'add');
    assertEqual(await store.addWebhookEndpoint(a), ok, 'add');
    assertEqual(await store.addWebhookEndpoint(endpoint('a')), { conflict: 'endpoint_taken' }, 'again');
    assertEqual(await store.listWebhookEndpoints(), [a, b], 'list');
    const edited = {
      ...a,
      url: 'https://other.test/',
      types: ['order.created', 'alert.raised'],
      description: '',
      secret: 'whsec_new',
      previousSecret: a.secret,
      previousUntil: 77,
      disabled: 'operator',
      failingSince: 3,
    } satisfies WebhookEndpoint;
    assertEqual(await store.changeWebhookEndpoint(edited), ok, 'change');
    assertEqual(await store.listWebhookEndpoints(), [{ ...edited, version: 2 }, b], 'changed');
    assertEqual(await store.changeWebhookEndpoint(a), { conflict: 'endpoint_changed' }, 'of an old version');
    assertEqual(
      await store.changeWebhookEndpoint(endpoint('c')),
      { conflict: 'endpoint_missing' },
      'of none',
    );
  },
  'an endpoint is deleted with its deliveries': async (store) => {
    for (const letter of 'ab') await store.addWebhookEndpoint(endpoint(letter));
    await store.addWebhookEvents(planned('ab', event('1')), null);
    assertEqual(await store.deleteWebhookEndpoint('ep_a'), ok, 'delete');
    assertEqual(await store.deleteWebhookEndpoint('ep_a'), { conflict: 'endpoint_missing' }, 'again');
    const left = await store.listWebhookDeliveries({ limit: 10 });
    assertEqual(
      left.map(({ endpointId }) => endpointId),
      ['ep_b'],
      'deliveries',
    );
    await store.addWebhookEvents(planned('ab', event('2')), null);
    assertEqual(await pending(store), [['ep_b', 2]], 'of later events');
  },
  'events are added once, with the progress from which they were planned': async (store) => {
    await store.addWebhookEndpoint(endpoint('a'));
    const start = await store.readEventProgress();
    const to = { position: start.position + 5, edit: start.edit + 1 };
    assertEqual(await store.addWebhookEvents(planned('a', event('1')), { from: start, to }), ok, 'add');
    assertEqual(await store.readEventProgress(), to, 'progress');
    const late = await store.addWebhookEvents(planned('a', event('2')), { from: start, to });
    assertEqual(late, { conflict: 'events_added' }, 'by another server');
    assertEqual(await store.readEventProgress(), to, 'progress');
    await store.addWebhookEvents(planned('a', event('1', { body: 'other' })), null);
    assertEqual(await store.findWebhookEvent('evt_1'), event('1'), 'event');
    assertEqual(await store.findWebhookEvent('evt_2'), null, 'of a conflict');
    assertEqual(names(await store.listWebhookDeliveries({ limit: 10 })), ['evt_1'], 'deliveries');
  },
  'events are numbered without gaps, in the order in which they were added': async (store) => {
    await store.addWebhookEndpoint(endpoint('a'));
    await store.addWebhookEvents(planned('a', event('1')), null);
    await store.addWebhookEvents(planned('a', event('2'), event('3')), null);
    await store.addWebhookEvents(planned('a', event('4')), null);
    const newestFirst = await store.listWebhookDeliveries({ limit: 10 });
    const last = newestFirst[0]?.sequence ?? 0;
    assertEqual(names(newestFirst), ['evt_4', 'evt_3', 'evt_2', 'evt_1'], 'order');
    assertEqual(
      newestFirst.map(({ sequence }) => last - sequence),
      [0, 1, 2, 3],
      'numbers',
    );
  },
  'raised alerts are replaced once, with their events': async (store) => {
    await store.addWebhookEndpoint(endpoint('a'));
    const before = await store.readRaisedAlerts();
    assertEqual(before.alerts, [], 'at first');
    const alerts = [{ kind: 'stuck-orders', sentence: '1 order', count: 1, names: ['INV-1'] }];
    const raised = event('1', { type: 'alert.raised', accountId: null });
    assertEqual(await store.saveRaisedAlerts({ ...before, alerts }, planned('a', raised)), ok, 'save');
    assertEqual(await store.readRaisedAlerts(), { version: before.version + 1, alerts }, 'saved');
    const late = await store.saveRaisedAlerts({ ...before, alerts: [] }, planned('a', event('2')));
    assertEqual(late, { conflict: 'alerts_changed' }, 'by another server');
    assertEqual(names(await store.listWebhookDeliveries({ limit: 10 })), ['evt_1'], 'deliveries');
  },
  'what is due is found for each endpoint, and what was sent is due again at its time': async (store) => {
    for (const letter of 'ab') await store.addWebhookEndpoint(endpoint(letter));
    await store.addWebhookEvents(planned('ab', event('1'), event('2')), null);
    assertEqual(await store.findDueWebhooks('ep_a', 1_999, 10), [], 'too early');
    assertEqual(names(await store.findDueWebhooks('ep_a', 2_000, 10)), ['evt_1', 'evt_2'], 'in their order');
    assertEqual(names(await store.findDueWebhooks('ep_a', 2_000, 1)), ['evt_1'], 'at most');
    await store.recordWebhookAttempt(record('a', '1', fails));
    await store.recordWebhookAttempt(record('a', '2'));
    assertEqual(await store.findDueWebhooks('ep_a', 8_999, 10), [], 'while it waits');
    const [again, ...more] = await store.findDueWebhooks('ep_a', 9_000, 10);
    assertEqual(more, [], 'what arrived');
    const { accountId: _ofEndpoint, ...known } = event('1');
    const { log } = record('a', '1');
    assertEqual(
      { ...again, sequence: 0 },
      {
        ...known,
        endpointId: 'ep_a',
        sequence: 0,
        state: 'pending',
        attempts: 1,
        step: 1,
        nextAt: 9_000,
        log,
      },
      'all of it',
    );
    assertEqual(names(await store.findDueWebhooks('ep_b', 9_000, 10)), ['evt_1', 'evt_2'], 'elsewhere');
  },
  'the event of an order waits until each earlier one of it was sent once': async (store) => {
    await store.addWebhookEndpoint(endpoint('a'));
    const [first, second] = [{ orderId: 'INV-1' }, { orderId: 'INV-2' }];
    await store.addWebhookEvents(
      planned('a', event('1', first), event('2', first), event('3', second), event('4'), event('5')),
      null,
    );
    const due = async (): Promise<string[]> => names(await store.findDueWebhooks('ep_a', 3_000, 10));
    assertEqual(await due(), ['evt_1', 'evt_3', 'evt_4', 'evt_5'], 'at first');
    await store.recordWebhookAttempt(record('a', '1', fails));
    assertEqual(await due(), ['evt_2', 'evt_3', 'evt_4', 'evt_5'], 'after the first attempt');
  },
  'one of two attempts is recorded, and what it shows of the endpoint': async (store) => {
    await store.addWebhookEndpoint(endpoint('a'));
    await store.addWebhookEvents(planned('a', event('1'), event('2')), null);
    const failing = { failingSince: 50, disabled: null };
    assertEqual(
      await store.recordWebhookAttempt(record('a', '1', { ...fails, endpoint: failing })),
      ok,
      'one',
    );
    const late = await store.recordWebhookAttempt(record('a', '1'));
    assertEqual(late, { conflict: 'delivery_changed' }, 'the other');
    const endpointNow = async () => (await store.listWebhookEndpoints())[0];
    assertEqual(await endpointNow(), endpoint('a', { failingSince: 50 }), 'failing');
    const gone = { failingSince: 60, disabled: 'gone' } as const;
    await store.recordWebhookAttempt(record('a', '1', { attempts: 1, state: 'failed', endpoint: gone }));
    assertEqual(await endpointNow(), endpoint('a', { failingSince: 50, disabled: 'gone' }), 'gone');
    await store.recordWebhookAttempt(record('a', '2'));
    assertEqual(await endpointNow(), endpoint('a', { disabled: 'gone' }), 'after one that arrived');
  },
  'the page after a delivery of a list has those older than it, of any filter': async (store) => {
    for (const letter of 'abc') await store.addWebhookEndpoint(endpoint(letter));
    await store.addWebhookEvents(planned('abc', event('1'), event('2')), null);
    for (const letter of 'ac') await store.recordWebhookAttempt(record(letter, '1'));
    const all = await store.listWebhookDeliveries({ limit: 10 });
    assertEqual(all.length, 6, 'all');
    const states = [undefined, 'delivered', 'pending'] as const;
    for (const state of states)
      for (const [index, after] of all.entries())
        assertEqual(
          await store.listWebhookDeliveries({ state, after, limit: 2 }),
          all
            .slice(index + 1)
            .filter((delivery) => state === undefined || delivery.state === state)
            .slice(0, 2),
          `after ${index}, ${state}`,
        );
  },
  'deliveries are listed newest first by any filter, and sent again by it': async (store) => {
    for (const letter of 'ab') await store.addWebhookEndpoint(endpoint(letter));
    await store.addWebhookEvents(
      planned('ab', event('1', { orderId: 'INV-1' }), event('2', { type: 'order.failed', createdAt: 3_000 })),
      null,
    );
    await store.recordWebhookAttempt(record('a', '1', { state: 'failed' }));
    await store.recordWebhookAttempt(record('a', '2'));
    const listed = async (filter: WebhookFilter, limit = 10): Promise<string[]> =>
      (await store.listWebhookDeliveries({ ...filter, limit })).map(
        ({ endpointId, eventId }) => `${endpointId} ${eventId}`,
      );
    assertEqual(await listed({}), ['ep_a evt_2', 'ep_b evt_2', 'ep_a evt_1', 'ep_b evt_1'], 'all');
    assertEqual(await listed({}, 1), ['ep_a evt_2'], 'at most');
    const filters: [WebhookFilter, string[]][] = [
      [{ endpointId: 'ep_b' }, ['ep_b evt_2', 'ep_b evt_1']],
      [{ eventId: 'evt_1' }, ['ep_a evt_1', 'ep_b evt_1']],
      [{ orderId: 'INV-1' }, ['ep_a evt_1', 'ep_b evt_1']],
      [{ state: 'failed' }, ['ep_a evt_1']],
      [{ type: 'order.failed' }, ['ep_a evt_2', 'ep_b evt_2']],
      [{ from: 2_001 }, ['ep_a evt_2', 'ep_b evt_2']],
      [{ endpointId: 'ep_a', type: 'order.failed', state: 'failed' }, []],
    ];
    for (const [filter, expected] of filters)
      assertEqual(await listed(filter), expected, JSON.stringify(filter));
    assertEqual(await store.resendWebhooks({ endpointId: 'ep_a', from: 2_000 }, 7_000), 2, 'again');
    assertEqual(names(await store.findDueWebhooks('ep_a', 6_999, 10)), [], 'not yet');
    const due = await store.findDueWebhooks('ep_a', 7_000, 10);
    assertEqual(names(due), ['evt_1', 'evt_2'], 'due');
    assertEqual(
      due.map(({ attempts, step }) => [attempts, step]),
      [
        [1, 0],
        [1, 0],
      ],
      'from the beginning',
    );
  },
  'old events are deleted with their deliveries, and orders with theirs': async (store) => {
    await store.addWebhookEndpoint(endpoint('a'));
    await store.addWebhookEvents(
      planned('a', event('1'), event('2', { createdAt: 2_001 }), event('3', { createdAt: 2_002 })),
      null,
    );
    assertEqual(await store.purgeWebhookEvents(2_002, 1), 1, 'at most');
    assertEqual(await store.purgeWebhookEvents(2_002, 10), 1, 'the rest');
    assertEqual(await store.purgeWebhookEvents(2_002, 10), 0, 'no more');
    assertEqual(names(await store.listWebhookDeliveries({ limit: 10 })), ['evt_3'], 'deliveries');
    assertEqual(await pending(store), [['ep_a', 1]], 'pending deliveries');
    await store.clearOrders();
    assertEqual(await store.listWebhookDeliveries({ limit: 10 }), [], 'deliveries');
    assertEqual(await store.findWebhookEvent('evt_3'), null, 'event');
    assertEqual((await store.listWebhookEndpoints()).length, 1, 'endpoints');
  },
  'the events of an erased order keep no personal data, nor does what was responded to them': async (
    store,
  ) => {
    await store.replaceCatalog(catalog());
    for (const letter of 'AB') await store.placeOrder(place(another(letter)));
    await store.addWebhookEndpoint(endpoint('a'));
    const personal = { id_games: '55544433', server_games: '2012', nickname: 'BudiPro' };
    const more = { email: 'budi@mail.test', whatsapp: '0812-7771-2345', serial_number: 'BudiPro/7' };
    for (const letter of 'AB') {
      const order = { order_id: idOf(letter), ...personal, ...more };
      const body = JSON.stringify({ type: 'order.delivered', data: { order: order, game: { id: 11 } } });
      await store.addWebhookEvents(
        [{ event: event(letter, { orderId: idOf(letter), body }), endpointIds: ['ep_a'] }],
        null,
      );
      await store.recordWebhookAttempt({
        endpointId: 'ep_a',
        eventId: `evt_${letter}`,
        attempts: 0,
        state: 'pending',
        step: 1,
        nextAt: 2_000,
        log: [{ at: 1_500, ms: 5, status: 500, text: 'no such customer: BudiPro' }],
        endpoint: { failingSince: null, disabled: null },
      });
    }
    const other = await store.findWebhookEvent('evt_B');
    const erasure = { at: 9_000, by: 'ani' };
    assertEqual(
      await store.eraseOrder({ orderId: idOf('A'), version: 1, customerHash: 'a'.repeat(64), erasure }),
      ok,
      'erased',
    );
    const player = { id_games: 'erased', server_games: null, nickname: null };
    const contact = { email: null, whatsapp: 'erased' };
    const payment = { payment_code: 'erased', payment_code_display: 'erased', payment_url: 'erased' };
    assertEqual(
      JSON.parse((await store.findWebhookEvent('evt_A'))?.body ?? ''),
      {
        type: 'order.delivered',
        data: { order: { order_id: idOf('A'), ...player, ...contact, ...payment }, game: { id: 11 } },
      },
      'event',
    );
    const texts = await store.listWebhookDeliveries({ limit: 10 });
    assertEqual(
      texts.map(({ eventId, log }) => [eventId, log.map(({ text }) => text)]),
      [
        ['evt_B', ['no such customer: BudiPro']],
        ['evt_A', ['']],
      ],
      'responses',
    );
    assertEqual(await store.findWebhookEvent('evt_B'), other, 'the event of another order');
    assertEqual(await store.listErasures(), [{ ...erasure, orders: 1, callbacks: 0, events: 1 }], 'counted');
  },
};
