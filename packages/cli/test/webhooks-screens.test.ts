import type { IncomingHttpHeaders } from 'node:http';
import type { WebhookAttempt, WebhookState } from '@topup-kit/core/store';
import { verifyWebhook } from '@topup-kit/sdk';
import { openStore } from '@topup-kit/server';
import { beforeEach, describe, expect, it } from 'vitest';
import { ownStore } from './helpers/own-store.ts';
import { run } from './helpers/run.ts';
import { screensOf, withoutAnyTimes } from './helpers/screens.ts';
import { startService } from './helpers/servers.ts';

const url = 'https://shop.example/hooks';
let [shop, web] = ['', ''];
const own = ownStore(async (path) => {
  const store = openStore({ kind: 'file', path });
  await store.claimMode('sandbox');
  await store.close();
  const create = async (...args: string[]): Promise<string> => {
    const { stdout } = await run(['webhooks', 'create', ...args, '--store', `file:${path}`, '--json']);
    return JSON.parse(stdout).endpoint_id;
  };
  shop = await create('--url', url, '--events', 'all', '--description', 'books');
  web = await create('--url', `${url}/web`, '--events', 'order.paid,order.failed', '--account', 'web');
});

const [one, two] = [`evt_${'1'.repeat(24)}`, `evt_${'2'.repeat(24)}`];
const plain = (text: string): string =>
  withoutAnyTimes(text)
    .replaceAll(own.path, '<store>')
    .replaceAll(shop, '<shop>')
    .replaceAll(web, '<web>')
    .replaceAll(/ep_[a-z2-9]{8}/g, '<new>')
    .replaceAll(/whsec_[\w+/=]+/g, '<secret>')
    .replaceAll(/evt_(?!1{24}|2{24})[\da-f]{24}/g, '<event>');
const options = (columns?: number) => ({ columns, environment: { TOPUP_STORE: own.url } });
const { shown, failing, json } = screensOf((args) => ['webhooks', ...args], options, plain);

const { inStore } = own;

const moment = Date.parse('2026-03-29T10:00:00+07:00');
const attempt = (text: string, status: number | null = null): WebhookAttempt => ({
  at: moment,
  ms: 12,
  status,
  text,
});

/** Stores an event for a webhook, and its outcome. */
const sent = (
  eventId: string,
  {
    state,
    log,
    nextAt = null,
    attempts = log.length,
  }: { state: WebhookState; log: WebhookAttempt[]; nextAt?: number | null; attempts?: number },
  endpointId = shop,
): Promise<void> =>
  inStore(async (store) => {
    const event = {
      eventId,
      type: 'order.paid',
      accountId: 'web',
      orderId: 'INV-1',
      createdAt: moment,
      body: '{}',
    } as const;
    await store.addWebhookEvents([{ event, endpointIds: [endpointId] }], null);
    if (log.length > 0)
      await store.recordWebhookAttempt({
        ...{ endpointId, eventId, state, nextAt, log, endpoint: { failingSince: moment, disabled: null } },
        ...{ attempts: 0, step: attempts },
      });
  });

describe('webhooks list and show', () => {
  it('lists and shows webhooks', async () => {
    await sent(one, { state: 'pending', log: [] }, web);
    expect(await shown('list')).toMatchInlineSnapshot(`
      "WEBHOOK      ACCOUNT  URL                             EVENTS                    ABOUT  WAITING  STATE
      <shop>  (all)    https://shop.example/hooks      all                       books           enabled
      <web>  web      https://shop.example/hooks/web  order.paid, order.failed               1  enabled
      exit 0"
    `);
    expect(await json('list', '--account', 'web')).toMatchInlineSnapshot(`
      {
        "webhooks": [
          {
            "account_id": "web",
            "created_at": "<time>",
            "description": "",
            "disabled_reason": null,
            "enabled": true,
            "endpoint_id": "<web>",
            "events": [
              "order.paid",
              "order.failed",
            ],
            "failing_since": null,
            "pending": 1,
            "previous_secret_until": null,
            "url": "https://shop.example/hooks/web",
          },
        ],
      }
    `);
    expect(await shown('list', '--account', 'nobody')).toBe('No such webhooks in <store>.\nexit 0');
    expect(await shown('show', shop)).toMatchInlineSnapshot(`
      "  Webhook   <shop>
        URL       https://shop.example/hooks
        Account   all accounts, and events of the shop
        Events    all
        About     books
        State     enabled
        Created   <time>
      exit 0"
    `);
    expect(await shown('show', web)).toMatchInlineSnapshot(`
      "  Webhook   <web>
        URL       https://shop.example/hooks/web
        Account   web
        Events    order.paid, order.failed
        State     enabled
        Waiting   1
        Created   <time>
      exit 0"
    `);
    expect((await run(['webhooks', 'list', '--quiet'], options())).stdout.split('\n').toSorted()).toEqual(
      ['', shop, web].toSorted(),
    );
  });

  it('shows a webhook that fails, is gone or was disabled', async () => {
    await sent(one, { state: 'pending', log: [attempt('refused')] });
    expect(await shown('show', shop)).toMatchInlineSnapshot(`
      "  Webhook   <shop>
        URL       https://shop.example/hooks
        Account   all accounts, and events of the shop
        Events    all
        About     books
        State     failing
        Failing   since <time>
        Waiting   1
        Created   <time>

      To see its responses:
        topup webhooks deliveries --endpoint <shop> --attempts
      exit 0"
    `);
    for (const disabled of ['gone', 'failing', 'operator'] as const) {
      await sent(`evt_${disabled.charCodeAt(0).toString(16).padEnd(24, '0')}`, { state: 'failed', log: [] });
      await inStore((store) =>
        store.recordWebhookAttempt({
          ...{ endpointId: shop, eventId: one, state: 'failed', nextAt: null, log: [attempt('x')] },
          ...{ attempts: 1, step: 1, endpoint: { failingSince: moment, disabled } },
        }),
      );
      expect(await shown('show', shop)).toMatchSnapshot();
      expect(await json('show', shop)).toMatchSnapshot();
      expect(await json('edit', shop, '--enable')).toMatchObject({ enabled: true, failing_since: null });
      await inStore((store) => store.resendWebhooks({ eventId: one }, moment));
    }
  });

  it('rejects an unknown webhook', async () => {
    expect(await failing('show', 'ep_none')).toMatchInlineSnapshot(`
      "Error: There is no webhook ep_none in <store>.
      This lists them:
        topup webhooks list
      exit 3, WEBHOOK_NOT_FOUND"
    `);
  });
});

describe('webhooks create and edit', () => {
  it.each([
    [['--url', 'x']],
    [['--url', 'https://user:secret@shop.example']],
    [['--url', url, '--events', 'order.payed']],
    [['--url', url, '--description', 'x'.repeat(256)]],
    [['--url', url, '--account', '']],
    [['--url', url, '--events', 'alert.opened', '--account', 'web']],
  ])('rejects the command webhooks create %j', async (args) => {
    const events = args.includes('--events') ? [] : ['--events', 'order.paid'];
    expect(await failing('create', ...args, ...events)).toMatchSnapshot();
  });

  it('explains the next step after webhooks create', async () => {
    expect(
      await shown('create', '--url', url, '--events', 'all', '--account', 'nobody', '--disabled'),
    ).toMatchInlineSnapshot(`
      "<secret>
      Made <new> in <store>.
      The secret is shown only once: give it to the receiver, which verifies events with it.
      To see whether events arrive:
        topup webhooks edit <new> --enable
      Warning: account nobody has no key, so it places no orders. Accounts with keys: sandbox.
      exit 0"
    `);
    expect(
      (await json('create', '--url', url, '--events', 'order.paid', '--events', 'order.created')).events,
    ).toEqual(['order.created', 'order.paid']);
  });

  it('changes only the given fields', async () => {
    expect(await shown('edit', web, '--disable')).toMatchInlineSnapshot(`
      "  Webhook   <web>
        URL       https://shop.example/hooks/web
        Account   web
        Events    order.paid, order.failed
        State     disabled
        Created   <time>
      exit 0"
    `);
    expect(await shown('edit', web, '--enable')).toMatchInlineSnapshot(`
      "  Webhook   <web>
        URL       https://shop.example/hooks/web
        Account   web
        Events    order.paid, order.failed
        State     enabled
        Created   <time>
      The server stored no events for it while it was disabled, so they are not sent.
      exit 0"
    `);
    expect(
      await shown('edit', web, '--url', `${url}/2`, '--events', 'order.created', '--description', 'new'),
    ).toMatchInlineSnapshot(`
      "  Webhook   <web>
        URL       https://shop.example/hooks/2
        Account   web
        Events    order.created
        About     new
        State     enabled
        Created   <time>
      exit 0"
    `);
    expect(await json('edit', web, '--description', '')).toMatchInlineSnapshot(`
      {
        "account_id": "web",
        "created_at": "<time>",
        "description": "",
        "disabled_reason": null,
        "enabled": true,
        "endpoint_id": "<web>",
        "events": [
          "order.created",
        ],
        "failing_since": null,
        "pending": 0,
        "previous_secret_until": null,
        "url": "https://shop.example/hooks/2",
      }
    `);
  });

  it.each([[[]], [['--enable', '--disable']], [['--url', 'x']], [['--description', 'x'.repeat(256)]]])(
    'rejects webhooks edit %j',
    async (args) => {
      expect(await failing('edit', web, ...args)).toMatchSnapshot();
    },
  );
});

describe('webhooks rotate and delete', () => {
  it('shows when an old secret ends', async () => {
    expect(await shown('rotate', web)).toMatchInlineSnapshot(`
      "<secret>
      Made a new secret for <web> in <store>.
      The previous one signs as well until <time>.
      The secret is shown only once: give it to the receiver, which verifies events with it.
      exit 0"
    `);
    expect(await shown('show', web)).toMatchInlineSnapshot(`
      "  Webhook   <web>
        URL       https://shop.example/hooks/web
        Account   web
        Events    order.paid, order.failed
        State     enabled
        Secrets   two; the previous one signs until <time>
        Created   <time>
      exit 0"
    `);
    expect(await shown('rotate', web, '--overlap', '0s')).toMatchInlineSnapshot(`
      "<secret>
      Made a new secret for <web> in <store>.
      The previous one no longer signs.
      The secret is shown only once: give it to the receiver, which verifies events with it.
      exit 0"
    `);
    expect(await json('rotate', web)).toMatchInlineSnapshot(`
      {
        "account_id": "web",
        "created_at": "<time>",
        "description": "",
        "disabled_reason": null,
        "enabled": true,
        "endpoint_id": "<web>",
        "events": [
          "order.paid",
          "order.failed",
        ],
        "failing_since": null,
        "pending": 0,
        "previous_secret_until": "<time>",
        "secret": "<secret>",
        "url": "https://shop.example/hooks/web",
      }
    `);
    expect(await failing('rotate', web, '--overlap', 'x')).toMatchInlineSnapshot(`
      "Error: Option '--overlap <duration>' argument 'x' is invalid. Give a duration such as 24h or 7d, at most 31d.
      \`topup webhooks rotate --help\` shows how to use it.
      exit 2, USAGE"
    `);
  });

  it('asks before it deletes pending events', async () => {
    expect(await failing('delete', web)).toMatchInlineSnapshot(`
      "Error: This needs --yes: <web> (https://shop.example/hooks/web) will be deleted for good.
      Nothing was done.
      exit 2, USAGE"
    `);
    await sent(one, { state: 'pending', log: [] }, web);
    expect(await failing('delete', web)).toMatchInlineSnapshot(`
      "Error: This needs --yes: <web> (https://shop.example/hooks/web) will be deleted for good, and 1 event on the way there is not sent.
      Nothing was done.
      exit 2, USAGE"
    `);
    await sent(two, { state: 'pending', log: [] }, web);
    expect(await failing('delete', web)).toMatchInlineSnapshot(`
      "Error: This needs --yes: <web> (https://shop.example/hooks/web) will be deleted for good, and 2 events on the way there are not sent.
      Nothing was done.
      exit 2, USAGE"
    `);
    expect(await shown('delete', web, '--dry-run')).toMatchInlineSnapshot(`
      "<web> would be deleted.
      Nothing was changed: this was a dry run.
      exit 0"
    `);
    expect(await json('delete', web, '--dry-run')).toMatchObject({
      endpoint_id: '<web>',
      pending: 2,
      dry_run: true,
    });
    expect(await shown('delete', web, '--yes')).toMatchInlineSnapshot(`
      "<web> is deleted.
      exit 0"
    `);
    expect(await failing('delete', web, '--yes')).toMatchInlineSnapshot(`
      "Error: There is no webhook <web> in <store>.
      This lists them:
        topup webhooks list
      exit 3, WEBHOOK_NOT_FOUND"
    `);
  });
});

describe('webhooks deliveries', () => {
  beforeEach(async () => {
    await sent(one, {
      state: 'failed',
      log: [attempt('shop.example refused the connection.'), attempt(' <h1>no\nway</h1> ', 500)],
      attempts: 7,
    });
    await sent(
      two,
      { state: 'pending', log: [attempt('', 503)], nextAt: Date.parse('2099-01-01T10:00:00+07:00') },
      web,
    );
  });

  it('shows sent events with their outcomes', async () => {
    expect(await shown('deliveries')).toMatchInlineSnapshot(`
      "NOTICED (GMT+7)  EVENT                         TYPE        ORDER  WEBHOOK      STATE    LAST
      <second>  evt_222222222222222222222222  order.paid  INV-1  <web>  pending  503
      <second>  evt_111111111111111111111111  order.paid  INV-1  <shop>  failed   500
      exit 0"
    `);
    expect(await shown('deliveries', '--attempts')).toMatchInlineSnapshot(`
      "evt_222222222222222222222222 order.paid INV-1 <web> pending
        <second> (GMT+7), 12 ms: HTTP 503
        next attempt <second> (GMT+7)

      evt_111111111111111111111111 order.paid INV-1 <shop> failed
        <second> (GMT+7), 12 ms: shop.example refused the connection.
        <second> (GMT+7), 12 ms: HTTP 500
          <h1>no way</h1>
      exit 0"
    `);
    expect((await json('deliveries', '--event', one)).deliveries).toMatchInlineSnapshot(`
      [
        {
          "attempt_count": 1,
          "attempts": [
            {
              "at": "<time>",
              "duration_ms": 12,
              "status": null,
              "text": "shop.example refused the connection.",
            },
            {
              "at": "<time>",
              "duration_ms": 12,
              "status": 500,
              "text": " <h1>no
      way</h1> ",
            },
          ],
          "created_at": "<time>",
          "endpoint_id": "<shop>",
          "event_id": "evt_111111111111111111111111",
          "next_attempt_at": null,
          "order_id": "INV-1",
          "state": "failed",
          "type": "order.paid",
        },
      ]
    `);
    expect(await shown('deliveries', '--limit', '1', '--quiet')).toMatch(/^evt_.*\nexit 0$/);
    expect(
      (await shown('deliveries', '--limit', '1')).split('\n').slice(-3).join('\n'),
    ).toMatchInlineSnapshot(`
      "
      There are more: --limit 5 shows more, and options such as --since narrow the list.
      exit 0"
    `);
  });

  it('shows due and delivered events', async () => {
    await inStore((store) => store.resendWebhooks({ eventId: one }, moment));
    expect(await shown('deliveries', '--event', one, '--attempts')).toMatchInlineSnapshot(`
      "evt_111111111111111111111111 order.paid INV-1 <shop> pending
        <second> (GMT+7), 12 ms: shop.example refused the connection.
        <second> (GMT+7), 12 ms: HTTP 500
          <h1>no way</h1>
        to be sent now
      exit 0"
    `);
  });

  it.each([
    [['--state', 'failed'], 1],
    [['--type', 'order.paid'], 2],
    [['--type', 'order.failed'], 0],
    [['--order', 'INV-1'], 2],
    [['--order', 'INV-2'], 0],
    [['--since', '2026-03-29'], 2],
    [['--since', '2026-03-30'], 0],
  ])('selects %j %i deliveries with a filter', async (args, count) => {
    expect((await json('deliveries', ...args)).deliveries).toHaveLength(count);
  });

  it('selects deliveries by webhook', async () => {
    expect((await json('deliveries', '--endpoint', web)).deliveries).toMatchObject([{ event_id: two }]);
    expect(await failing('deliveries', '--endpoint', 'ep_none')).toContain('There is no webhook ep_none');
    expect(await failing('deliveries', '--limit', '0')).toMatchInlineSnapshot(`
      "Error: --limit must be a whole number from 1.
      exit 2, USAGE"
    `);
    expect(await shown('deliveries', '--order', 'INV-2')).toBe('No matching deliveries in <store>.\nexit 0');
  });
});

describe('webhooks resend and test', () => {
  beforeEach(async () => {
    await sent(one, { state: 'failed', log: [attempt('x')] });
    await sent(two, { state: 'delivered', log: [attempt('ok', 200)] }, web);
  });

  it('asks before it resends several events, and explains who sends them', async () => {
    expect(await shown('resend', one)).toMatchInlineSnapshot(`
      "1 delivery is sent again.
      No server runs on this store: nothing is sent until you start one. To see the result:
        topup webhooks deliveries
      exit 0"
    `);
    expect(await failing('resend', '--type', 'order.paid')).toMatchInlineSnapshot(`
      "Error: This needs --yes: 2 deliveries to <web>, <shop> will be sent again, including events that have already arrived.
      Nothing was done.
      exit 2, USAGE"
    `);
    expect(await failing('resend', '--failed-since', '2026-03-29')).toMatchInlineSnapshot(`
      "Error: This needs --yes: 1 delivery to <shop> will be sent again.
      Nothing was done.
      exit 2, USAGE"
    `);
    expect(await shown('resend', '--type', 'order.paid', '--dry-run')).toMatchInlineSnapshot(`
      "2 deliveries would be sent again.
      Nothing was changed: this was a dry run.
      exit 0"
    `);
    await run(['webhooks', 'edit', web, '--disable'], options());
    expect(await shown('resend', '--type', 'order.paid', '--yes')).toMatchInlineSnapshot(`
      "2 deliveries are sent again.
      <web> is disabled, so it receives nothing until you enable it:
        topup webhooks edit <web> --enable
      No server runs on this store: nothing is sent until you start one. To see the result:
        topup webhooks deliveries
      exit 0"
    `);
    expect(await json('resend', two)).toMatchInlineSnapshot(`
      {
        "count": 1,
        "endpoint_ids": [
          "<web>",
        ],
      }
    `);
    expect(await shown('resend', '--type', 'order.failed')).toMatchInlineSnapshot(`
      "0 deliveries are sent again.
      No matching deliveries.
      exit 0"
    `);
  });

  it.each([
    [[]],
    [['evt_none']],
    [['evt_none', '--endpoint', 'ep_none']],
    [['evt_none', '--type', 'order.paid']],
    [['evt_none', '--failed-since', '2026-03-29']],
  ])('rejects webhooks resend %j', async (args) => {
    expect(await failing('resend', ...args)).toMatchSnapshot();
  });

  it("lists an endpoint's missed events", async () => {
    expect(await failing('resend', one, '--endpoint', web)).toMatchInlineSnapshot(`
      "Error: There is no delivery of evt_111111111111111111111111 to <web> in <store>.
      This lists them:
        topup webhooks deliveries
      exit 3, EVENT_NOT_FOUND"
    `);
  });

  it('leaves a test event to the next server if no server runs', async () => {
    expect(await shown('test', web)).toMatchInlineSnapshot(`
      "<event> was not sent yet.
      No server runs on this store. The next one sends it. Then:
        topup webhooks deliveries --event <event> --attempts
      exit 8"
    `);
    await run(['webhooks', 'edit', web, '--disable'], options());
    expect(await failing('test', web)).toMatchInlineSnapshot(`
      "Error: <web> is disabled, so it receives nothing.
      To enable it:
        topup webhooks edit <web> --enable
      exit 6, WEBHOOK_DISABLED"
    `);
  });
});

describe('webhooks test --to', () => {
  it("sends a test event, signed with the webhook's secret, to a receiver on this machine", async () => {
    const received: { headers: IncomingHttpHeaders; body: string }[] = [];
    await using receiver = await startService(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      received.push({ headers: request.headers, body });
      response.writeHead(received.length === 1 ? 204 : 500).end('no room');
    });
    const live = own.fileIn('live.db');
    const onLive = (...args: string[]) =>
      run(['webhooks', ...args], { environment: { TOPUP_STORE: `file:${live}`, TOPUP_MODE: 'live' } });
    await openStore({ kind: 'file', path: live }).close();
    const { endpoint_id, secret } = JSON.parse(
      (await onLive('create', '--url', url, '--events', 'all', '--json')).stdout,
    );
    const to = receiver.baseUrl.replace('/api', '/hooks');
    const sentTo = await onLive('test', endpoint_id, '--to', to);
    expect([sentTo.code, sentTo.stdout]).toEqual([
      0,
      expect.stringMatching(/^evt_\w{24} arrived: HTTP 204\n$/),
    ]);
    const [first] = received;
    const event = await verifyWebhook(first?.body ?? '', first?.headers ?? {}, secret);
    expect(event.type).toBe('webhook.test');
    expect(await onLive('test', endpoint_id, '--to', to)).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('did not arrive: HTTP 500, no room'),
    });
    // Nothing was registered or stored.
    expect(JSON.parse((await onLive('deliveries', '--json')).stdout).deliveries).toEqual([]);
    expect(JSON.parse((await onLive('list', '--json')).stdout).webhooks[0].url).toBe(url);
  });

  it.each([
    'http://192.168.1.7/hooks',
    'https://shop.example/hooks',
    'http://127.0.0.1.evil.example/',
    'http://user:word@127.0.0.1/',
    'file:///etc/passwd',
    'hooks',
  ])('rejects %s, which is not a receiver on this machine', async (to) => {
    expect(await run(['webhooks', 'test', shop, '--to', to], options())).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--to takes the URL of a receiver on this machine'),
    });
  });
});
