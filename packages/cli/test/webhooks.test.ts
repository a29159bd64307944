import { randomBytes } from 'node:crypto';
import { isWebhookSecret } from '@topup-kit/core/contract';
import type { WebhookAttempt, WebhookEvent, WebhookState } from '@topup-kit/core/store';
import { createSecretCipher } from '@topup-kit/server/internal';
import { beforeEach, describe, expect, it } from 'vitest';
import { outputError } from '../src/errors/cli-error.ts';
import { fakeTerminal } from './helpers/fake-terminal.ts';
import { steady } from './helpers/order.ts';
import { inStore, ownStore } from './helpers/own-store.ts';
import { type RunOptions, run, start, until } from './helpers/run.ts';
import { startSandbox } from './helpers/servers.ts';

const own = ownStore((path) => inStore(path, (store) => store.claimMode('sandbox')));

const webhooks = (args: string[], { environment = {}, ...options }: RunOptions = {}) =>
  run(['webhooks', ...args], { ...options, environment: { TOPUP_STORE: own.url, ...environment } });
const json = async (args: string[], options?: RunOptions) =>
  JSON.parse((await webhooks([...args, '--json'], options)).stdout);
const url = 'https://shop.example/hooks';

async function made(...args: string[]): Promise<{ endpoint_id: string; secret: string }> {
  return json([
    'create',
    '--url',
    url,
    ...(args.includes('--events') ? [] : ['--events', 'order.paid']),
    ...args,
  ]);
}

const plain = (text: string): string =>
  steady(text)
    .replaceAll(/ep_[a-z2-9]{8}/g, '<webhook>')
    .replaceAll(/evt_[\da-f]{24}/g, '<event>')
    .replaceAll(own.path, '<path>');

const endpoints = () => own.inStore((store) => store.listWebhookEndpoints());

/** Stores an event for a webhook, and its outcome. */
async function sent(
  endpointId: string,
  event: Partial<WebhookEvent> & { eventId: string },
  outcome?: { state: WebhookState; attempts: WebhookAttempt[]; nextAt?: number },
): Promise<void> {
  const whole: WebhookEvent = {
    type: 'order.paid',
    accountId: 'web',
    orderId: 'INV-1',
    createdAt: Date.now(),
    body: '{}',
    ...event,
  };
  await own.inStore(async (store) => {
    await store.addWebhookEvents([{ event: whole, endpointIds: [endpointId] }], null);
    if (!outcome) return;
    const { state, nextAt = null, attempts: log } = outcome;
    const { eventId } = whole;
    const endpoint = { failingSince: null, disabled: null };
    await store.recordWebhookAttempt({
      ...{ endpointId, eventId, state, nextAt, log, endpoint },
      attempts: 0,
      step: 1,
    });
  });
}

const [one, two, three] = ['1', '2', '3'].map((digit) => `evt_${digit.repeat(24)}`) as [
  string,
  string,
  string,
]; // Safe: all three values exist.
const refused: WebhookAttempt = {
  at: Date.parse('2026-03-29T10:00:00+07:00'),
  ms: 12,
  status: null,
  text: 'shop.example refused the connection.',
};
const accepted: WebhookAttempt = { at: refused.at, ms: 40, status: 200, text: 'ok\u001b[31m\nthanks' };

describe('webhooks create', () => {
  it('prints only the secret on stdout, and the next step on stderr', async () => {
    const { code, stdout, stderr } = await webhooks(['create', '--url', url, '--events', 'order.paid']);
    expect(code).toBe(0);
    expect(isWebhookSecret(stdout.trimEnd())).toBe(true);
    expect(plain(stderr)).toMatchInlineSnapshot(`
      "Made <webhook> in <path>.
      The secret is shown only once: give it to the receiver, which verifies events with it.
      To see whether events arrive:
        topup webhooks test <webhook>
      "
    `);
    const [endpoint] = await endpoints();
    expect(endpoint).toMatchObject({
      accountId: null,
      url,
      types: ['order.paid'],
      secret: stdout.trimEnd(),
      disabled: null,
    });
  });

  it('prints the new webhook under --json', async () => {
    const args = ['--events', 'order.paid,order.created', 'order.failed', '--account', 'web'];
    expect(await made(...args, '--description', 'the shop', '--disabled')).toEqual({
      secret: expect.stringMatching(/^whsec_/),
      endpoint_id: expect.stringMatching(/^ep_[a-z2-9]{8}$/),
      account_id: 'web',
      url,
      events: ['order.created', 'order.paid', 'order.failed'],
      description: 'the shop',
      enabled: false,
      disabled_reason: 'operator',
      pending: 0,
      failing_since: null,
      previous_secret_until: null,
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
    });
  });

  it('accepts all for every event, and with an account for every event about its orders', async () => {
    const all = await json(['create', '--url', url, '--events', 'all']);
    expect(all.events).toHaveLength(11);
    const ofAccount = await json(['create', '--url', url, '--events', 'all', '--account', 'web']);
    expect(ofAccount.events).toHaveLength(7);
    expect(ofAccount.events).not.toContain('alert.raised');
  });

  it.each([
    [
      'a shop event for an account',
      ['--events', 'alert.raised,order.paid', '--account', 'web'],
      /^Error: alert\.raised is of the shop, not of an account\.\nWithout --account,/,
    ],
    ['an invalid URL', ['--events', 'all', '--url', 'shop.example'], /^Error: The URL must be complete/],
    ['no event', [], /Required option '--events <type\.\.\.>' not specified/],
  ])('rejects %s, and explains the next step', async (_what, args, stderr) => {
    const ran = await webhooks(['create', '--url', url, ...args]);
    expect(ran).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(stderr) });
    expect(await endpoints()).toEqual([]);
  });

  it.each(['http://shop.example/', 'https://127.0.0.1/', 'https://[::ffff:7f00:1]/'])(
    'rejects %s in a live store, and accepts it in a sandbox',
    async (local) => {
      const live = own.fileIn('live.db');
      await inStore(live, (store) => store.claimMode('live'));
      const args = ['create', '--url', local, '--events', 'all'];
      const { code, stderr } = await webhooks([...args, '--store', `file:${live}`]);
      expect(code).toBe(2);
      expect(stderr).toMatch(
        /^Error: In live mode, the URL must .*\.\nOnly a sandbox sends to http:\/\/ and to addresses that are not public\.\n$/,
      );
      expect(await webhooks(args)).toMatchObject({ code: 0 });
    },
  );

  it('warns about an account without a key', async () => {
    const environment = { TOPUP_STORE: own.url };
    await run(['keys', 'create', '--name', 'x', '--account', 'web-shop'], { environment });
    const args = ['create', '--url', url, '--events', 'all', '--account'];
    expect((await webhooks([...args, 'web-shp'])).stderr).toContain(
      'Warning: account web-shp has no key, so it places no orders. Accounts with keys: web-shop, sandbox.\n',
    );
    expect((await webhooks([...args, 'web-shop'])).stderr).not.toContain('Warning');
  });

  it('stores the secret encrypted with TOPUP_SECRET_KEY, and warns if that key is missing later', async () => {
    const environment = { TOPUP_SECRET_KEY: randomBytes(32).toString('base64') };
    const created = await json(['create', '--url', url, '--events', 'all'], { environment });
    const [endpoint] = await endpoints();
    expect(endpoint?.secret).toMatch(/^sealed:/);
    expect(createSecretCipher(environment).open(endpoint?.secret ?? '', created.endpoint_id)).toBe(
      created.secret,
    );
    const args = ['create', '--url', url, '--events', 'all'];
    expect((await webhooks(args, { environment })).stderr).not.toContain('Warning');
    const { stderr } = await webhooks(args);
    expect(stderr).toContain(
      'stored unencrypted, unlike others in this store, because TOPUP_SECRET_KEY is not set',
    );
  });

  it("rejects a key that can't decrypt the stored secrets, because the server could not decrypt the new secret", async () => {
    const environment = { TOPUP_SECRET_KEY: randomBytes(32).toString('base64') };
    const other = { TOPUP_SECRET_KEY: randomBytes(32).toString('base64') };
    const { endpoint_id: id } = await json(['create', '--url', url, '--events', 'all'], { environment });
    const before = await endpoints();
    for (const args of [
      ['rotate', id],
      ['create', '--url', url, '--events', 'all'],
    ]) {
      const { code, stderr } = await webhooks(args, { environment: other });
      expect(code).not.toBe(0);
      expect(stderr).toContain(`The secret of ${id} can't be decrypted`);
      expect(stderr).toContain(`webhooks rotate ${id} --overlap 0s`);
    }
    expect(await endpoints()).toEqual(before);
    expect(await webhooks(['rotate', id, '--overlap', '0s'], { environment: other })).toMatchObject({
      code: 0,
    });
    expect(await webhooks(['rotate', id], { environment: other })).toMatchObject({ code: 0 });
  });

  it('reports that events were missed when a webhook is enabled again', async () => {
    const { endpoint_id: id } = await json(['create', '--url', url, '--events', 'all', '--disabled']);
    expect((await webhooks(['edit', id, '--enable'])).stderr).toContain('stored no events for it');
    expect((await webhooks(['edit', id, '--enable'])).stderr).not.toContain('stored no events');
  });

  it('rejects a short key, and creates no webhook', async () => {
    const ran = await webhooks(['create', '--url', url, '--events', 'all'], {
      environment: { TOPUP_SECRET_KEY: 'short' },
    });
    expect(ran).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('TOPUP_SECRET_KEY takes 32 bytes'),
    });
    expect(await endpoints()).toEqual([]);
  });

  it("deletes a webhook if its secret can't be printed", async () => {
    const onWrite = () => {
      throw outputError(new Error('no space left'));
    };
    const ran = await webhooks(['create', '--url', url, '--events', 'all'], { onWrite });
    expect(ran.code).toBe(1);
    expect(plain(ran.stderr)).toBe(
      'Error: The secret could not be printed, so <webhook> was deleted.\nCreate another key where the output can be written.\n',
    );
    expect(await endpoints()).toEqual([]);
  });
});

describe('webhooks list and show', () => {
  it('lists and shows webhooks without secrets', async () => {
    await made('--account', 'web', '--description', 'checkout');
    const { endpoint_id: id, secret } = await made('--events', 'all', '--disabled');
    await sent(id, { eventId: one });
    const { stdout } = await webhooks(['list'], { columns: 120 });
    expect(plain(stdout)).toMatchInlineSnapshot(`
      "WEBHOOK      ACCOUNT  URL                         EVENTS      ABOUT     WAITING  STATE
      <webhook>  web      https://shop.example/hooks  order.paid  checkout           enabled
      <webhook>  (all)    https://shop.example/hooks  all                         1  disabled
      "
    `);
    const screen = await webhooks(['show', id], { columns: 120 });
    expect(plain(screen.stdout)).toMatchInlineSnapshot(`
      "  Webhook   <webhook>
        URL       https://shop.example/hooks
        Account   all accounts, and events of the shop
        Events    all
        State     disabled
        Waiting   1
        Created   <time>
      "
    `);
    const all = JSON.stringify([await json(['list']), await json(['show', id]), stdout, screen]);
    expect(all).not.toMatch(/whsec_/);
    expect(all).not.toContain(secret);
    expect((await json(['list', '--account', 'web'])).webhooks).toHaveLength(1);
  });

  it.each([['edit', '--enable'], ['rotate'], ['delete', '--yes'], ['test'], ['deliveries'], ['resend']])(
    'rejects an unknown webhook in %s',
    async (verb, ...more) => {
      const args =
        verb === 'deliveries' || verb === 'resend'
          ? [verb, ...(verb === 'resend' ? [one] : []), '--endpoint', 'ep_missing2']
          : [verb, 'ep_missing2', ...more];
      const { code, stderr } = await webhooks(args);
      expect({ code, stderr }).toEqual({
        code: 3,
        stderr: expect.stringContaining('There is no webhook ep_missing2'),
      });
    },
  );
});

describe('webhooks edit', () => {
  it('changes only the given fields', async () => {
    const { endpoint_id: id, secret } = await made('--account', 'web', '--description', 'a');
    const edited = await json(['edit', id, '--url', 'https://other.example/', '--events', 'order.failed']);
    expect(edited).toMatchObject({
      url: 'https://other.example/',
      events: ['order.failed'],
      description: 'a',
    });
    await webhooks(['edit', id, '--description', '', '--disable']);
    const [endpoint] = await endpoints();
    expect(endpoint).toMatchObject({
      accountId: 'web',
      secret,
      description: '',
      disabled: 'operator',
      version: 3,
    });
  });

  it('encrypts a secret that was stored before a key was set', async () => {
    const { endpoint_id: id, secret } = await made();
    await webhooks(['rotate', id]);
    const environment = { TOPUP_SECRET_KEY: randomBytes(32).toString('base64') };
    await webhooks(['edit', id, '--enable'], { environment });
    const [endpoint] = await endpoints();
    expect(endpoint?.secret).toMatch(/^sealed:/);
    expect(endpoint?.previousSecret).toMatch(/^sealed:/);
    await webhooks(['edit', id, '--description', 'again'], { environment });
    expect((await endpoints())[0]).toMatchObject({ secret: endpoint?.secret, description: 'again' });
    expect(createSecretCipher(environment).open(endpoint?.previousSecret ?? '', id)).toBe(secret);
    await webhooks(['edit', id, '--disable']);
    expect((await endpoints())[0]).toMatchObject({ secret: endpoint?.secret, disabled: 'operator' });
  });

  it.each([
    [[], 'Give a change'],
    [['--enable', '--disable'], 'not both'],
    [['--events', 'balance.low'], 'balance.low is of the shop'],
    [['--url', 'ftp://x'], 'The URL must be'],
  ])('rejects the command webhooks edit %j', async (args, message) => {
    const { endpoint_id: id } = await made('--account', 'web');
    const before = await endpoints();
    expect(await webhooks(['edit', id, ...args])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(message),
    });
    expect(await endpoints()).toEqual(before);
  });
});

describe('webhooks rotate', () => {
  it('prints a new secret, and keeps the previous secret for a day', async () => {
    const { endpoint_id: id, secret } = await made();
    const { stdout, stderr } = await webhooks(['rotate', id]);
    const [endpoint] = await endpoints();
    expect(endpoint).toMatchObject({ secret: stdout.trimEnd(), previousSecret: secret });
    expect(endpoint?.secret).not.toBe(secret);
    const day = 24 * 60 * 60_000;
    expect(Math.abs((endpoint?.previousUntil ?? 0) - Date.now() - day)).toBeLessThan(60_000);
    expect(plain(stderr)).toContain('The previous one signs as well until <time>.\n');
  });

  it('ends the previous secret immediately with --overlap 0s', async () => {
    const { endpoint_id: id } = await made();
    const { stderr } = await webhooks(['rotate', id, '--overlap', '0s']);
    expect(stderr).toContain('The previous one no longer signs.\n');
    expect((await endpoints())[0]).toMatchObject({ previousSecret: null, previousUntil: null });
    expect((await webhooks(['rotate', id, '--overlap', '32d'])).stderr).toContain('at most 31d');
  });
});

describe('webhooks delete', () => {
  it('deletes a webhook with its pending events after a confirmation', async () => {
    const { endpoint_id: id } = await made();
    await sent(id, { eventId: one });
    const dry = await webhooks(['delete', id, '--dry-run']);
    expect(dry.stdout).toBe(`${id} would be deleted.\n`);
    const terminal = fakeTerminal();
    const { code, written } = start(['webhooks', 'delete', id], {
      terminal,
      environment: { TOPUP_STORE: own.url },
    });
    await terminal.answer('Go on?', 'y');
    expect(terminal.shown().replace(/[│\s]+/g, ' ')).toContain(
      'will be deleted for good, and 1 event on the way there is not sent. Go on?',
    );
    expect({ code: await code, stdout: written.stdout }).toEqual({ code: 0, stdout: `${id} is deleted.\n` });
    expect(await endpoints()).toEqual([]);
    expect((await json(['deliveries'])).deliveries).toEqual([]);
  });
});

describe('webhooks deliveries', () => {
  it('lists event deliveries, newest first, and filters them', async () => {
    const { endpoint_id: first } = await made();
    const { endpoint_id: second } = await made();
    await sent(first, { eventId: one }, { state: 'delivered', attempts: [accepted] });
    await sent(
      first,
      { eventId: two, type: 'order.failed', orderId: 'INV-2' },
      { state: 'failed', attempts: [refused] },
    );
    await sent(second, { eventId: three, createdAt: Date.now() - 7_200_000 });
    const ids = async (...args: string[]) =>
      (await json(['deliveries', ...args])).deliveries.map(({ event_id }: { event_id: string }) => event_id);
    expect(await ids()).toEqual([three, two, one]);
    expect(await ids('--endpoint', first)).toEqual([two, one]);
    expect(await ids('--state', 'failed')).toEqual([two]);
    expect(await ids('--type', 'order.failed')).toEqual([two]);
    expect(await ids('--order', 'INV-2')).toEqual([two]);
    expect(await ids('--event', one)).toEqual([one]);
    expect(await ids('--since', '1h')).toEqual([two, one]);
    const limited = await webhooks(['deliveries', '--limit', '2', '--quiet']);
    expect(limited.stdout).toBe(`${three}\n${two}\n`);
    const table = await webhooks(['deliveries'], { columns: 160 });
    expect(plain(table.stdout)).toMatchInlineSnapshot(`
      "NOTICED (GMT+7)        EVENT                         TYPE          ORDER  WEBHOOK      STATE      LAST
      <second>  <event>  order.paid    INV-1  <webhook>  pending
      <second>  <event>  order.failed  INV-2  <webhook>  failed     shop.example refused the connection.
      <second>  <event>  order.paid    INV-1  <webhook>  delivered  200
      "
    `);
    expect((await webhooks(['deliveries', '--limit', '2'], { columns: 160 })).stderr).toContain(
      'There are more',
    );
    expect(table.stderr).toBe('');
  });

  it('shows each attempt with its response or the reason for a missing response', async () => {
    const { endpoint_id: id } = await made();
    const nextAt = Date.parse('2027-03-29T10:00:00+07:00');
    await sent(id, { eventId: one }, { state: 'delivered', attempts: [refused, accepted] });
    await sent(id, { eventId: two }, { state: 'pending', attempts: [refused], nextAt });
    const { stdout } = await webhooks(['deliveries', '--attempts'], { columns: 120 });
    expect(plain(stdout)).toMatchInlineSnapshot(`
      "<event> order.paid INV-1 <webhook> pending
        <second> (GMT+7), 12 ms: shop.example refused the connection.
        next attempt <second> (GMT+7)

      <event> order.paid INV-1 <webhook> delivered
        <second> (GMT+7), 12 ms: shop.example refused the connection.
        <second> (GMT+7), 40 ms: HTTP 200
          ok\\u{1b}[31m thanks
      "
    `);
    expect((await json(['deliveries', '--event', two])).deliveries).toEqual([
      {
        event_id: two,
        type: 'order.paid',
        order_id: 'INV-1',
        endpoint_id: id,
        state: 'pending',
        created_at: expect.stringMatching(/Z$/),
        next_attempt_at: '2027-03-29T03:00:00.000Z',
        attempt_count: 1,
        attempts: [
          {
            at: '2026-03-29T03:00:00.000Z',
            duration_ms: 12,
            status: null,
            text: 'shop.example refused the connection.',
          },
        ],
      },
    ]);
  });
});

describe('webhooks resend', () => {
  const stateOfAll = async () =>
    Object.fromEntries(
      (await json(['deliveries'])).deliveries.map(({ event_id, state }: Record<string, string>) => [
        event_id,
        state,
      ]),
    );
  let id: string;
  beforeEach(async () => {
    id = (await made()).endpoint_id;
    await sent(id, { eventId: one }, { state: 'delivered', attempts: [accepted] });
    await sent(id, { eventId: two, type: 'order.failed' }, { state: 'failed', attempts: [refused] });
    const old = Date.now() - 3 * 24 * 60 * 60_000;
    await sent(id, { eventId: three, createdAt: old }, { state: 'failed', attempts: [refused] });
  });

  it('resends a single event without a question', async () => {
    const { code, stdout, stderr } = await webhooks(['resend', one]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '1 delivery is sent again.\n' });
    expect(stderr).toBe(
      'No server runs on this store: nothing is sent until you start one. To see the result:\n  topup webhooks deliveries\n',
    );
    expect(await stateOfAll()).toEqual({ [one]: 'pending', [two]: 'failed', [three]: 'failed' });
  });

  it('resends undelivered events since a time, including events that wait for the next attempt', async () => {
    const waiting = `evt_${'4'.repeat(24)}`;
    const nextAt = Date.now() + 3_600_000;
    await sent(id, { eventId: waiting }, { state: 'pending', attempts: [refused], nextAt });
    expect((await webhooks(['resend', '--failed-since', '2d', '--yes'])).stdout).toBe(
      '2 deliveries are sent again.\n',
    );
    expect(await stateOfAll()).toEqual({
      [one]: 'delivered',
      [two]: 'pending',
      [three]: 'failed',
      [waiting]: 'pending',
    });
    const [again] = (await json(['deliveries', '--event', waiting])).deliveries;
    expect(Date.parse(again.next_attempt_at)).toBeLessThanOrEqual(Date.now());
  });

  it('resends events of a type, whatever their state', async () => {
    const dry = await webhooks(['resend', '--type', 'order.paid', '--dry-run']);
    expect(dry).toMatchObject({ code: 0, stdout: '2 deliveries would be sent again.\n' });
    expect(await stateOfAll()).toMatchObject({ [one]: 'delivered' });
    expect(await json(['resend', '--type', 'order.paid', '--yes'])).toEqual({ count: 2, endpoint_ids: [id] });
    expect(await stateOfAll()).toEqual({ [one]: 'pending', [two]: 'failed', [three]: 'pending' });
  });

  it('asks before it resends several events', async () => {
    const { code, stderr } = await webhooks(['resend', '--type', 'order.paid']);
    expect(code).toBe(2);
    expect(plain(stderr)).toContain(
      'This needs --yes: 2 deliveries to <webhook> will be sent again, including events that have already arrived.',
    );
    expect(await stateOfAll()).toMatchObject({ [one]: 'delivered' });
  });

  it('explains that a disabled webhook receives no events', async () => {
    await webhooks(['edit', id, '--disable']);
    expect(plain((await webhooks(['resend', one])).stderr)).toContain(
      '<webhook> is disabled, so it receives nothing until you enable it:\n  topup webhooks edit <webhook> --enable\n',
    );
  });

  it.each([
    [[], 2, 'Name an event, or say which ones'],
    [[one, '--type', 'order.paid'], 2, 'or --failed-since and --type'],
    [['evt_missing'], 3, 'There is no delivery of evt_missing'],
    [['--type', 'order.expired', '--yes'], 0, 'No matching deliveries.'],
  ])('explains the error in %j', async (args, code, message) => {
    expect(await webhooks(['resend', ...args])).toMatchObject({
      code,
      stderr: expect.stringContaining(message),
    });
  });
});

describe('webhooks test', () => {
  it('waits for the running server, and shows the response', async () => {
    const { endpoint_id: id } = await made();
    await using _server = await startSandbox(own.url);
    const environment = { TOPUP_STORE: own.url };
    const { code, written } = start(['webhooks', 'test', id], { environment });
    const eventId = await until(async () => (await json(['deliveries'])).deliveries[0]?.event_id);
    await own.inStore(async (store) => {
      expect(await store.findWebhookEvent(eventId)).toMatchObject({ type: 'webhook.test', orderId: null });
      const endpoint = { failingSince: null, disabled: null };
      const record = {
        endpointId: id,
        eventId,
        attempts: 0,
        step: 1,
        state: 'delivered',
        nextAt: null,
      } as const;
      await store.recordWebhookAttempt({ ...record, log: [accepted], endpoint });
    });
    expect(await code).toBe(0);
    expect(plain(written.stdout)).toBe(
      '<event> arrived:\n  <second> (GMT+7), 40 ms: HTTP 200\n    ok\\u{1b}[31m thanks\n',
    );
  });

  it('exits with 8 if no server runs, and explains what sends the event', async () => {
    const { endpoint_id: id } = await made();
    const { code, stdout, stderr } = await webhooks(['test', id]);
    expect({ code, stdout: plain(stdout) }).toEqual({ code: 8, stdout: '<event> was not sent yet.\n' });
    expect(plain(stderr)).toBe(
      'No server runs on this store. The next one sends it. Then:\n  topup webhooks deliveries --event <event> --attempts\n',
    );
  });

  it('rejects a disabled webhook, and explains how to enable it', async () => {
    const { endpoint_id: id } = await made('--disabled');
    const { code, stderr } = await webhooks(['test', id]);
    expect({ code, stderr: plain(stderr) }).toEqual({
      code: 6,
      stderr:
        'Error: <webhook> is disabled, so it receives nothing.\nTo enable it:\n  topup webhooks edit <webhook> --enable\n',
    });
  });
});
