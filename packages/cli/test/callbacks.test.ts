import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { StoredCallback } from '@topup-kit/core/store';
import { type RunningServer, readConfig, startServer } from '@topup-kit/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hurriedClock } from '../../../test/hurry.ts';
import { callbackGateway, canary, signed } from '../../core/test/helpers/providers.ts';
import { fakeTerminal } from './helpers/fake-terminal.ts';
import { temporaryFolder } from './helpers/folder.ts';
import { fixtureOrder, steady } from './helpers/order.ts';
import { inStore } from './helpers/own-store.ts';
import { run, start, until } from './helpers/run.ts';

const folder = temporaryFolder();
const path = join(folder.path, 'topup.db');
const { gateway, control } = callbackGateway();
let server: RunningServer;
let orderId: string;
/** Ids of callbacks: paid, unknown money, bytes that are no text, failed. */
let [applied, unknown, binary, failed] = ['', '', '', ''];

const onStore = (args: string[], columns = 100) =>
  run(args, { columns, environment: { TOPUP_STORE: `file:${path}` } });
const json = async (...args: string[]) => JSON.parse((await onStore([...args, '--json'])).stdout);
const plain = (text: string): string =>
  steady(text)
    .replaceAll(/cb_[a-z2-9]{8}/g, '<callback>')
    .replaceAll(path, '<path>');

const newsOf = (reference: string, over: object = {}, confirm = false): string =>
  JSON.stringify({
    reference,
    orderId: null,
    report: { status: 'paid', amount: 40_000, at: 1, ...over },
    confirm,
  });

/** Sends a callback; returns its id. */
async function send(body: string | Uint8Array): Promise<string> {
  const request = signed(body);
  const newest = async (): Promise<string | undefined> =>
    (await json('callbacks', 'list', '--limit', '1')).callbacks[0]?.callback_id;
  const before = await newest();
  await fetch(`${server.publicUrl}/callback/paygate`, {
    method: 'POST',
    headers: request.headers,
    body: request.body as Uint8Array<ArrayBuffer>, // Safe: these bytes are not a view of shared memory.
  });
  // What is rejected is stored within a second.
  await until(async () => (await newest()) !== before, 3_000);
  return (await newest()) ?? '';
}

/** Stores a callback that differs from one that is there. */
const addLike = (callbackId: string, change: Partial<StoredCallback>): Promise<void> =>
  inStore(path, async (store) => {
    const kept = (await store.findCallback(callbackId)) as StoredCallback; // Safe: the caller knows that the value exists.
    await store.addCallback({ ...kept, ...change });
  });

async function place(): Promise<string> {
  const { stdout } = await run([...fixtureOrder, '--base-url', server.baseUrl, '--json']);
  return JSON.parse(stdout).orderId;
}

beforeAll(async () => {
  const environment = { TOPUP_MODE: 'sandbox', TOPUP_STORE: `file:${path}`, PORT: '0' };
  const parts = { gateway, realClock: hurriedClock() };
  server = await startServer(readConfig({ ...environment, TOPUP_LOG_LEVEL: 'silent' }), parts);
  orderId = await place();
  applied = await send(newsOf(`R-${orderId}`, { at: Date.now() }));
  unknown = await send(newsOf('X-1', { at: Date.parse('2026-03-29T10:00:00+07:00') }));
  binary = await send(new Uint8Array([0x7b, 0xff, 0x1b, 0x5b, 0x32, 0x4a]));
  control.report = () => Promise.reject(new Error('down'));
  failed = await send(newsOf('X-2', {}, true).replace('"orderId":null', '"orderId":"INV-9"'));
});
afterAll(async () => {
  await server.close();
  folder[Symbol.dispose]();
});

const ids = async (...args: string[]): Promise<string[]> =>
  (await json('callbacks', 'list', ...args)).callbacks.map(
    ({ callback_id }: { callback_id: string }) => callback_id,
  );

describe('callbacks list', () => {
  it('lists the newest callback first, within 80 columns', async () => {
    const { code, stdout } = await onStore(['callbacks', 'list'], 140);
    expect(code).toBe(0);
    expect(plain(stdout)).toMatchInlineSnapshot(`
      "CALLBACK     RECEIVED (GMT+7)       PROVIDER  OUTCOME         ORDER                        WHY
      <callback>  <second>  paygate   failed                                       An error prevented it. See the server's log.
      <callback>  <second>  paygate   rejected                                     It is not JSON.
      <callback>  <second>  paygate   reconciliation
      <callback>  <second>  paygate   applied         <order id>
      "
    `);
    expect(await ids()).toEqual([failed, binary, unknown, applied]);
    const narrow = (await onStore(['callbacks', 'list'], 80)).stdout.split('\n');
    expect(Math.max(...narrow.map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  it('filters callbacks, and prints the command for the next page with the same filters', async () => {
    expect(await ids('--outcome', 'rejected')).toEqual([binary]);
    expect(await ids('--provider', 'nobody')).toEqual([]);
    const first = await json('callbacks', 'list', '--provider', 'paygate', '--limit', '3');
    expect(first.next_after).toBe(unknown);
    expect(await ids('--provider', 'paygate', '--after', unknown)).toEqual([applied]);
    expect((await onStore(['callbacks', 'list', '--limit', '1'])).stderr).toContain(
      `topup callbacks list --limit 1 --cursor ${failed}`,
    );
    expect((await json('callbacks', 'list', '--limit', '4')).next_after).toBeNull();
  });

  it('lists callbacks without contacting a service', async () => {
    expect(await onStore(['callbacks', 'list', '--base-url', 'http://shop.test'])).toMatchObject({
      ...{ code: 2, stdout: '', stderr: expect.stringContaining('contacts no service') },
    });
  });
});

describe('callbacks show', () => {
  it('shows the body and the outcome of a callback', async () => {
    const { stdout, stderr } = await onStore(['callbacks', 'show', unknown]);
    expect(plain(stdout).replace(/signature: \w+/, 'signature: <signature>')).toMatchInlineSnapshot(`
      "  Callback  <callback>
        From      paygate (127.0.0.1)
        Received  <time>
        Outcome   reconciliation: an operator must settle its payment (topup payments list)
        Order     none
        Handled   <time>

      HEADERS
        content-type: application/json
        user-agent: node
        x-test-signature: <signature>

      BODY (111 bytes)
        {"reference":"X-1","orderId":null,"report":{"status":"paid","amount":40000,"at":1774753200000},"confirm":false}
      "
    `);
    expect(stderr).toContain('topup payments list');
  });

  it('shows binary bytes in hex, and never sends them to the terminal', async () => {
    const { stdout } = await onStore(['callbacks', 'show', binary]);
    expect(stdout).toContain('  000000  7b ff 1b 5b 32 4a                                {..[2J\n');
    expect(stdout).not.toContain('\u001b');
    const body = new TextEncoder().encode('{\n  "a":\t"\u001b[2J\u202e"\n}');
    await addLike(binary, { callbackId: 'cb_evil', headers: { 'x-a': '\u001b[2J' }, body });
    const shown = (await onStore(['callbacks', 'show', 'cb_evil'])).stdout;
    expect(shown).toContain('x-a: \\u{1b}[2J\n');
    expect(shown).toContain('  {\n    "a":\\u{09}"\\u{1b}[2J\\u{202e}"\n  }\n');
  });

  it('prints the exact bytes under --json', async () => {
    const shown = await json('callbacks', 'show', binary);
    expect(shown).toMatchObject({
      callback_id: binary,
      provider: 'paygate',
      address: '127.0.0.1',
      outcome: 'rejected',
      order_id: null,
      attempts: 1,
      replay_requested: false,
      headers: { 'content-type': 'application/json', 'x-test-signature': expect.any(String) },
      body: null,
    });
    expect([...Buffer.from(shown.body_base64, 'base64')]).toEqual([0x7b, 0xff, 0x1b, 0x5b, 0x32, 0x4a]);
    expect(JSON.parse((await json('callbacks', 'show', applied)).body)).toMatchObject({
      reference: `R-${orderId}`,
    });
  });

  it('exits with 3 for an unknown callback', async () => {
    expect(await onStore(['callbacks', 'show', 'cb_none'])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('topup callbacks list'),
    });
  });
});

describe('callbacks replay', () => {
  it('replays no callback with --dry-run or without --yes', async () => {
    const dry = await onStore(['callbacks', 'replay', failed, '--dry-run']);
    expect(dry).toEqual({
      code: 0,
      stdout: `The replay of ${failed} would be requested.\n`,
      stderr: 'Nothing was changed: this was a dry run.\n',
    });
    expect(await onStore(['callbacks', 'replay', failed])).toEqual({
      code: 2,
      stdout: '',
      stderr: `Error: This needs --yes: ${failed} will be verified and applied again, as if paygate had sent it again.\nNothing was done.\n`,
    });
    expect(await json('callbacks', 'show', failed)).toMatchObject({ replay_requested: false, attempts: 1 });
  });

  it('replays a callback in the running server', async () => {
    control.report = () => Promise.reject(new Error('down'));
    const body = newsOf(`X-${randomUUID()}`, {}, true);
    const id = await send(body.replace('"orderId":null', '"orderId":"INV-9"'));
    control.report = async () => ({ status: 'paid', amount: 7_000, at: 1 });
    const { code, stdout, stderr } = await onStore(['callbacks', 'replay', id, '--yes']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `The replay of ${id} is requested.\n` });
    expect(stderr).toContain('The running server handles it within a second.');
    await until(async () => (await json('callbacks', 'show', id)).attempts === 2, 2_000);
    expect(await json('callbacks', 'show', id)).toMatchObject({
      outcome: 'reconciliation',
      replay_requested: false,
    });
  });

  it('exits with 3 when newer callbacks replaced the callback before the confirmation', async () => {
    const rejected = await send(new Uint8Array([0x7b]));
    const terminal = fakeTerminal();
    const { code, written } = start(['callbacks', 'replay', rejected], {
      ...{ terminal, environment: { TOPUP_STORE: `file:${path}` } },
    });
    await until(() => terminal.shown().includes('Go on?'));
    using db = new DatabaseSync(path, { timeout: 5_000 });
    db.prepare('DELETE FROM callbacks WHERE callback_id = ?').run(rejected);
    await terminal.answer('Go on?', 'y');
    expect({ code: await code, stdout: written.stdout }).toEqual({ code: 3, stdout: '' });
  });
});

describe('orders reconcile', () => {
  const paymentOf = async (reference: string): Promise<string> =>
    (await json('payments', 'list')).reconciliations.find(
      (one: { payment_reference: string }) => one.payment_reference === reference,
    ).reconciliation_id;

  /** Money of no order; returns its id and its payment reference. */
  async function receiveUnknown() {
    const reference = `X-${randomUUID()}`;
    await send(newsOf(reference, { at: Date.now() }));
    return { payment: await paymentOf(reference), reference };
  }

  it('lists a payment without an order', async () => {
    const { stdout } = await onStore(['payments', 'list']);
    expect(plain(stdout)).toContain(
      '  Order     none\n  Ref       X-1\n  Amount    Rp 40,000\n  Why       no order has this payment reference\n',
    );
  });

  it('requires --order before it settles a payment without an order', async () => {
    const { payment, reference } = await receiveUnknown();
    const { code, stderr } = await onStore(['payments', 'settle', payment, '--yes']);
    expect(code).toBe(2);
    expect(stderr).toContain(`The payment ${payment} was made for an unknown order: name its order.`);
    expect(stderr).toContain(
      `Look for ${reference} at the payment gateway. Then:\n  topup payments settle ${payment} --order <order-id>`,
    );

    const other = await place();
    const settle = ['payments', 'settle', payment, '--order', other];
    expect(steady((await onStore([...settle, '--dry-run'])).stdout)).toBe(
      '<order id> would be PAID / Proses.\n',
    );
    expect(await onStore([...settle, '--yes'])).toMatchObject({ code: 0 });
    await until(
      async () => (await json('orders', 'show', other, '--history')).buy_status === 'Sukses',
      8_000,
    );
    const { reconciliations } = await json('payments', 'list', '--all');
    expect(reconciliations).toContainEqual(
      expect.objectContaining({ reconciliation_id: payment, order_id: other, state: 'settled' }),
    );
  }, 15_000);

  it('settles a payment of another amount only for the unpaid order that --order names', async () => {
    const unpaid = await place();
    await send(newsOf(`R-${unpaid}`, { amount: 39_000, at: Date.now() }));
    const payment = await paymentOf(`R-${unpaid}`);
    const settle = ['payments', 'settle', payment, '--yes'];
    expect(await onStore([...settle, '--order', orderId])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`was made for ${unpaid}, so it can't settle ${orderId}`),
    });
    expect(await onStore(settle)).toMatchObject({ code: 6 });
    expect(await onStore([...settle, '--other-amount'])).toMatchObject({ code: 0 });
    expect((await json('orders', 'show', unpaid, '--history')).payment_status).toBe('PAID');
  });

  it('rejects --order without --settle, and exits with 2', async () => {
    expect(await onStore(['payments', 'list', '--order', orderId])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Unknown option '--order'."),
    });
  });

  it('exits with 3 if --order names an unknown order', async () => {
    const { payment } = await receiveUnknown();
    const args = ['payments', 'settle', payment, '--order', 'INV-1', '--yes'];
    expect(await onStore(args)).toMatchObject({ code: 3 });
  });
});

it('hides the secrets in a callback in every command', async () => {
  const ids = [await send(`ping ${canary}`), await send(`{"secret":"${canary}"}`)];
  const shown = await Promise.all(
    ids.flatMap((id) => [onStore(['callbacks', 'show', id]), onStore(['callbacks', 'show', id, '--json'])]),
  );
  const listed = await onStore(['callbacks', 'list', '--json']);
  for (const { code, stdout } of [...shown, listed]) {
    expect(code).toBe(0);
    const decoded = [...stdout.matchAll(/"body_base64": "(.*)"/g)].map(([, text = '']) =>
      Buffer.from(text, 'base64').toString(),
    );
    expect([stdout, ...decoded].join('\n')).not.toContain(canary);
  }
});
