import { once } from 'node:events';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TopupEvent, verifyWebhook } from '@topup-kit/sdk';
import { type RunningServer, readConfig, startServer } from '@topup-kit/server';
import { describe, expect, it } from 'vitest';
import { fakeTerminal } from './helpers/fake-terminal.ts';
import { temporaryFolder } from './helpers/folder.ts';
import { fixtureOrder } from './helpers/order.ts';
import { type RunOptions, run, start, until } from './helpers/run.ts';
import { closedBaseUrl, startJsonService, startSandbox, startService } from './helpers/servers.ts';

interface Received {
  body: string;
  headers: IncomingHttpHeaders;
}

/** A receiver of webhooks, by default at a free port. */
async function startReceiver({ port = 0, status = 204 } = {}) {
  const received: Received[] = [];
  const receiver = createServer(async (request, response) => {
    received.push({ body: await text(request), headers: request.headers });
    response
      .writeHead(status, status === 302 ? { Location: '/elsewhere' } : {})
      .end(status === 400 ? 'INVALID_WEBHOOK_SIGNATURE\nmore' : '');
  });
  await once(receiver.listen(port, '127.0.0.1'), 'listening');
  const { port: own } = receiver.address() as AddressInfo; // Safe: it listens on a port, not on a pipe.
  return {
    received,
    port: own,
    url: `http://127.0.0.1:${own}/hooks`,
    async [Symbol.asyncDispose]() {
      receiver.closeAllConnections();
      await once(receiver.close(), 'close');
    },
  };
}

/** Listens until it is stopped; resolves once it hears what happens. */
async function listening(
  { baseUrl }: Pick<RunningServer, 'baseUrl'>,
  args: string[],
  options: RunOptions = {},
) {
  const stop = new AbortController();
  const running = start(['listen', ...args, '--base-url', baseUrl], { ...options, signal: stop.signal });
  const hears = (): boolean => running.written.stderr.includes('Listening to') || args.includes('--json');
  await until(hears);
  return {
    ...running,
    lines: () => running.written.stdout.split('\n').slice(0, -1),
    async stop() {
      stop.abort('SIGINT');
      return running.code;
    },
  };
}

const at = (baseUrl: string, ...args: string[]) => run([...args, '--base-url', baseUrl]);

async function place({ baseUrl }: RunningServer): Promise<string> {
  return JSON.parse((await at(baseUrl, ...fixtureOrder, '--json')).stdout).orderId;
}

const secretIn = (printed: string): string => /whsec_\S+/.exec(printed)?.[0] ?? expect.fail('no secret');

const typesOf = (received: readonly Received[]): string[] =>
  received.map(({ body }) => JSON.parse(body).type);

// Listeners poll each second, so several tests wait at the same time, each with a sandbox of its own.
describe.concurrent('listen', () => {
  it("prints new events of the account's orders, and exits with 0 after a signal", async () => {
    await using server = await startSandbox();
    const before = await place(server);
    const { lines, stop } = await listening(server, []);
    const orderId = await place(server);
    await at(server.baseUrl, 'sandbox', 'pay', orderId);
    await until(() => lines().length === 3);

    expect(await stop()).toBe(0);
    expect(lines().map((line) => line.split(/\s{2,}/).slice(1))).toEqual([
      ['order.created', orderId],
      ['order.paid', orderId],
      ['order.processing', orderId],
    ]);
    expect(lines().join()).not.toContain(before);
    expect(lines()[0]).toMatch(/^\d\d:\d\d:\d\d {2}order\.created {5}INV-\S+$/);
  });

  it('forwards each event as a signed webhook, in the order of the changes', async () => {
    await using server = await startSandbox();
    await using receiver = await startReceiver();
    const { lines, stop, written } = await listening(server, ['--forward-to', receiver.url]);
    const orderId = await place(server);
    await at(server.baseUrl, 'sandbox', 'pay', orderId);
    await at(server.baseUrl, 'sandbox', 'deliver', orderId);
    await until(() => lines().length === 4);
    expect(await stop()).toBe(0);

    const events: TopupEvent[] = [];
    for (const { body, headers } of receiver.received)
      events.push(await verifyWebhook(body, headers, secretIn(written.stderr)));
    expect(events.map(({ type }) => type)).toEqual([
      'order.created',
      'order.paid',
      'order.processing',
      'order.delivered',
    ]);
    expect(new Set(events.map(({ id }) => id)).size).toBe(4);
    expect(events[3]).toMatchObject({ data: { order: { order_id: orderId, buy_status: 'Sukses' } } });
    expect(lines()[3]).toMatch(new RegExp(`order\\.delivered {3}${orderId} {2}204$`));
  });

  it('follows no redirect, and shows the status of a failing receiver', async () => {
    await using server = await startSandbox();
    await using receiver = await startReceiver({ status: 302 });
    const { lines, stop } = await listening(server, ['--forward-to', receiver.url]);
    await place(server);
    await until(() => lines().length === 1);
    await stop();
    expect(lines()[0]).toMatch(/ 302 it redirects to \/elsewhere, which is not followed$/);
    expect(receiver.received).toHaveLength(1);
  });

  it('shows why a receiver rejects an event', async () => {
    await using server = await startSandbox();
    await using receiver = await startReceiver({ status: 400 });
    const { lines, stop } = await listening(server, ['--forward-to', receiver.url]);
    await place(server);
    await until(() => lines().length === 1);
    await stop();
    expect(lines()[0]).toMatch(/ 400 INVALID_WEBHOOK_SIGNATURE$/);
  });

  it('waits for an unavailable receiver, and then sends the missed events', async () => {
    await using server = await startSandbox();
    const { port, url, ...first } = await startReceiver();
    await first[Symbol.asyncDispose]();
    const { lines, stop, written } = await listening(server, ['--forward-to', url]);
    const orderId = await place(server);
    await at(server.baseUrl, 'sandbox', 'pay', orderId);
    await until(() => written.stderr.includes('ECONNREFUSED'));
    expect(lines()).toEqual([]);

    await using receiver = await startReceiver({ port });
    await until(() => lines().length === 3);
    await stop();
    expect(typesOf(receiver.received)).toEqual(['order.created', 'order.paid', 'order.processing']);
    expect(written.stderr.match(/ECONNREFUSED/g)).toHaveLength(1);
  });

  it('continues without a gap after an outage, and reports the outage once', async () => {
    using folder = temporaryFolder();
    const store = `file:${join(folder.path, 'shop.db')}`;
    const serve = (port: string) =>
      startServer(
        readConfig({ TOPUP_MODE: 'sandbox', TOPUP_STORE: store, TOPUP_LOG_LEVEL: 'silent', PORT: port }),
      );
    const first = await serve('0');
    const { lines, stop, written } = await listening(first, []);
    const orders = [await place(first)];
    await until(() => lines().length === 1);
    await first.close();
    await until(() => written.stderr.includes('continues when it responds again'));

    const elsewhere = await serve('0');
    orders.push(await place(elsewhere));
    await elsewhere.close();
    const again = await serve(new URL(first.baseUrl).port);
    orders.push(await place(again));
    await until(() => lines().length === 3);
    expect(await stop()).toBe(0);
    await again.close();

    expect(lines().map((line) => line.split(/\s+/)[2])).toEqual(orders);
    expect(written.stderr.match(/continues when it responds again/g)).toHaveLength(1);
    expect(written.stderr.match(/responds again\.\n/g)).toHaveLength(2);
  });

  it('reports that the service has different orders, and continues with them', async () => {
    const first = await startSandbox();
    const port = new URL(first.baseUrl).port;
    await place(first);
    const { lines, stop, written } = await listening(first, []);
    await first.close();
    await until(() => written.stderr.includes('continues when it responds again'));
    const other = await startServer(
      readConfig({ TOPUP_MODE: 'sandbox', TOPUP_STORE: 'memory:', TOPUP_LOG_LEVEL: 'silent', PORT: port }),
    );
    await until(() => written.stderr.includes('was reset or replaced'));
    await until(() => /responds again\.\n$/.test(written.stderr));
    const orderId = await place(other);
    await until(() => lines().length === 1);
    await stop();
    await other.close();
    expect(lines()[0]).toContain(orderId);
  });

  it('continues after a reset of the sandbox', async () => {
    await using server = await startSandbox();
    await place(server);
    const { lines, stop } = await listening(server, []);
    await at(server.baseUrl, 'sandbox', 'reset', '--yes');
    const orderId = await place(server);
    await until(() => lines().length === 1);
    await stop();
    expect(lines()[0]).toContain(orderId);
  });

  it('waits as long as a busy service requires', async () => {
    const asked: number[] = [];
    await using busy = await startService((request, response) => {
      asked.push(performance.now());
      const isSecond = asked.length === 2;
      const after = new URL(request.url ?? '', 'http://x.test').searchParams.get('after');
      response.writeHead(isSecond ? 429 : 200, {
        'Content-Type': 'application/json',
        ...(isSecond && { 'Retry-After': '1' }),
      });
      response.end(
        JSON.stringify(
          isSecond
            ? { message: 'Too Many Attempts.' }
            : { success: true, data: [], next_cursor: after ?? '7' },
        ),
      );
    });
    const { stop, written } = await listening(busy, []);
    await until(() => asked.length === 3);
    expect(await stop()).toBe(0);
    expect((asked[2] ?? 0) - (asked[1] ?? 0)).toBeGreaterThan(950);
    expect(busy.asked.slice(0, 3)).toEqual([
      'GET /api/events',
      'GET /api/events?after=7&limit=100',
      'GET /api/events?after=7&limit=100',
    ]);
    expect(written.stderr).toContain('continues when it responds again');
  });

  it('prints only the event types that --events names', async () => {
    await using server = await startSandbox();
    const { lines, stop } = await listening(server, ['--events', 'order.paid,order.expired']);
    const orderId = await place(server);
    await at(server.baseUrl, 'sandbox', 'pay', orderId);
    await until(() => lines().length > 0);
    await stop();
    expect(lines().map((line) => line.split(/\s+/)[1])).toEqual(['order.paid']);
  });

  it('prints whole events with --print-json, and results with --json', async () => {
    await using server = await startSandbox();
    await using receiver = await startReceiver({ status: 500 });
    const whole = await listening(server, ['--print-json']);
    const short = await listening(server, ['--json', '--forward-to', receiver.url]);
    // Without its note, the first response is not seen.
    await new Promise((resolve) => setTimeout(resolve, 300));
    const orderId = await place(server);
    await until(() => whole.lines().length === 1 && short.lines().length === 1);
    await Promise.all([whole.stop(), short.stop()]);

    const event = JSON.parse(whole.lines()[0] ?? '');
    expect(event).toMatchObject({ type: 'order.created', data: { order: { order_id: orderId } } });
    const { id, type, timestamp } = event;
    expect(JSON.parse(short.lines()[0] ?? '')).toEqual({
      ...{ id, type, timestamp, order_id: orderId },
      ...{ status: 500, problem: null },
    });
  });

  it('keeps the secret in --secret-file for the next run, and makes the file readable only by the user', async () => {
    await using server = await startSandbox();
    using folder = temporaryFolder();
    const file = join(folder.path, 'secret');
    await using receiver = await startReceiver();
    for (const count of [1, 2]) {
      const { stop, written } = await listening(server, [
        '--forward-to',
        receiver.url,
        '--secret-file',
        file,
      ]);
      await place(server);
      await until(() => receiver.received.length === count);
      await stop();
      expect(written.stderr).not.toContain('whsec_');
    }
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const secret = (await readFile(file, 'utf8')).trim();
    for (const { body, headers } of receiver.received)
      expect(await verifyWebhook(body, headers, secret)).toMatchObject({ type: 'order.created' });
  });

  it('selects events with arrow keys, resends them with r, and quits with q', async () => {
    await using server = await startSandbox();
    await using receiver = await startReceiver();
    const terminal = fakeTerminal();
    const { lines, written, code } = await listening(server, ['--forward-to', receiver.url], {
      terminal,
      columns: 120,
    });
    const older = await place(server);
    await until(() => lines().length === 1);
    await place(server);
    await until(() => lines().length === 2);
    await until(() => terminal.shown().includes('r resend'));

    terminal.input.write('\u001b[A');
    terminal.input.write('r');
    await until(() => receiver.received.length === 3);
    await until(() => lines().length === 3);
    terminal.input.write('q');
    expect(await code).toBe(0);
    expect(lines()[2]).toContain(older);
    const [first, , repeated] = receiver.received;
    expect(repeated?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(repeated?.body).toBe(first?.body);
    const { body = '', headers = {} } = repeated ?? {};
    expect(await verifyWebhook(body, headers, secretIn(written.stderr))).toMatchObject({
      type: 'order.created',
    });
  });

  it('fails immediately if the service or its route is missing', async () => {
    expect(await at(await closedBaseUrl(), 'listen')).toMatchObject({ code: 5, stdout: '' });
    await using foreign = await startJsonService(404, { message: 'Not Found' });
    expect((await at(foreign.baseUrl, 'listen')).code).toBe(3);
  });

  it.each([
    [['--forward-to', 'ftp://x.test'], 'Give an http(s) URL'],
    [['--events', 'alert.raised'], 'Allowed choices are all, order.created'],
    [['--secret-file', 'x'], '--secret-file needs --forward-to'],
  ])('rejects the command listen with %s', async (args, message) => {
    await using server = await startSandbox();
    const { code, stderr } = await at(server.baseUrl, 'listen', ...args);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  it("rejects a file without a secret, without showing the file's content", async () => {
    await using server = await startSandbox();
    using folder = temporaryFolder();
    const file = join(folder.path, 'secret');
    await writeFile(file, 'whsec_c2hvcnQ=\n');
    const { code, stderr } = await at(
      ...([server.baseUrl, 'listen', '--forward-to', 'http://127.0.0.1:1/', '--secret-file', file] as const),
    );
    expect(code).toBe(2);
    expect(stderr).toContain('has none. A webhook secret is');
    expect(stderr).not.toContain('c2hvcnQ');
  });
});
