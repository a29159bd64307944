import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { delimiter, dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { readConfig, startServer } from '@topup-kit/server';
import { freePort } from '../free-port.ts';

/** Judges what is in a folder after a task. Rejects with what is wrong. */
export type Judge = (folder: string) => Promise<void>;

/** An order of the sandbox, as its list shows it. */
export interface ShownOrder {
  order_id: string;
  payment_status: string;
  buy_status: string;
}

/** A sandbox in this process, which the judge controls. */
export async function startSandbox() {
  const server = await startServer(
    readConfig({ PORT: '0', TOPUP_MODE: 'sandbox', TOPUP_STORE: 'memory:', TOPUP_LOG_LEVEL: 'error' }),
  );
  const apiKey = server.sandboxKey ?? '';
  const { baseUrl } = server;
  const call = async (url: URL | string, init: RequestInit = {}): Promise<unknown> => {
    const headers = { 'X-API-KEY': apiKey, Accept: 'application/json', 'Content-Type': 'application/json' };
    const response = await fetch(url, { ...init, headers });
    assert.ok(response.ok, `${url}: ${response.status} ${await response.clone().text()}`);
    return response.json();
  };
  return {
    baseUrl,
    apiKey,
    env: { TOPUP_BASE_URL: baseUrl, TOPUP_API_KEY: apiKey },
    /** Calls a control route, such as `orders/ID/pay`. */
    control: (path: string, body: object = {}) =>
      call(new URL(`/sandbox/${path}`, baseUrl), { method: 'POST', body: JSON.stringify(body) }),
    /** All orders, the newest first. */
    async orders(): Promise<ShownOrder[]> {
      // Safe: this is the list of orders, which the contract describes.
      const { data } = (await call(`${baseUrl}/orders`)) as { data: ShownOrder[] };
      return data;
    },
    [Symbol.asyncDispose]: () => server.close(),
  };
}
export type Sandbox = Awaited<ReturnType<typeof startSandbox>>;

/** Waits for a value that is not undefined. */
export async function eventually<Value>(
  what: string,
  read: () => Promise<Value | undefined> | Value | undefined,
): Promise<Value> {
  for (const end = Date.now() + 30_000; Date.now() < end; await pause(50)) {
    const value = await read();
    if (value !== undefined) return value;
  }
  throw new Error(`${what} did not happen within 30 seconds.`);
}

/** The order that a program places, as soon as it is there. */
export const newOrder = (sandbox: Sandbox): Promise<ShownOrder> =>
  eventually('An order', async () => (await sandbox.orders())[0]);

interface Started {
  child: ChildProcess;
  /** Ends the program, with all that it started. */
  kill(): void;
  /** What it printed so far. */
  output(): string;
  errors(): string;
  ended: Promise<number | null>;
}

/** Starts a program in the folder, with this Node and nothing of the judge's environment that is about the kit. */
export function start(folder: string, command: readonly string[], env: Record<string, string>): Started {
  const [program = '', ...args] = command;
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(TOPUP_|VITEST|NODE_(ENV|OPTIONS)$)/.test(name),
  );
  const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter);
  const child = spawn(program === 'node' ? process.execPath : program, args, {
    cwd: folder,
    env: { ...Object.fromEntries(inherited), PATH, ...env },
    // A group of its own: npx and test runners start further programs.
    detached: true,
  });
  let [output, errors] = ['', ''];
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (errors += chunk));
  child.stdin.end();
  const ended = once(child, 'close').then(([code]) => code);
  const kill = (): void => {
    // The group may have ended in this moment.
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
      try {
        process.kill(-child.pid, 'SIGKILL');
      } catch {}
  };
  return { child, kill, output: () => output, errors: () => errors, ended };
}

/** Runs a program to its end, at most two minutes. */
export async function run(folder: string, command: readonly string[], env: Record<string, string>) {
  const program = start(folder, command, env);
  const limit = setTimeout(() => program.kill(), 120_000);
  const code = await program.ended;
  clearTimeout(limit);
  return { code, stdout: program.output(), stderr: program.errors() };
}

export const lastLine = (text: string): string => text.trim().split('\n').at(-1) ?? '';

/** A program that listens at a port, and is stopped in the end. */
export async function serve(folder: string, command: readonly string[], env: Record<string, string> = {}) {
  const port = await freePort();
  const program = start(folder, command, { ...env, PORT: String(port) });
  const url = `http://127.0.0.1:${port}`;
  try {
    await eventually(`A server at PORT (${program.errors()})`, () => {
      if (program.child.exitCode !== null) throw new Error(`The program ended:\n${program.errors()}`);
      return fetch(url).catch(() => undefined);
    });
  } catch (error) {
    program.kill();
    throw error;
  }
  return {
    url,
    output: program.output,
    async [Symbol.asyncDispose]() {
      program.kill();
      await program.ended;
    },
  };
}

export const webhookSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** A signed webhook by the rules of Standard Webhooks, with the bytes as they are. */
function signed(id: string, body: string, { secret = webhookSecret, at = Date.now() } = {}): RequestInit {
  const timestamp = String(Math.floor(at / 1000));
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
  return { method: 'POST', headers, body };
}

/** The body of an event, with spaces that no serializer of JSON would write. */
const eventBody = (type: string, orderId: string): string =>
  `{ "type" : "${type}",\n "timestamp": "2026-03-29T02:30:05.000Z", "data": { "order": { "order_id": "${orderId}" }, "game": {}, "product": {} } }`;

/** Judges a receiver of webhooks at `/hooks`, which prints `delivered ORDER_ID` once for each delivered order. */
export async function judgeReceiver({ url, output }: { url: string; output(): string }): Promise<void> {
  const send = async (request: RequestInit) => (await fetch(`${url}/hooks`, request)).status;
  const isRejected = (status: number) => status >= 400 && status < 500;
  const isAccepted = (status: number) => status >= 200 && status < 300;
  const [first, second] = ['INV-20260329093000-ABCDEFGH', 'INV-20260329093000-IJKLMNOP'];
  const body = eventBody('order.delivered', first);

  const forged = await send(signed('evt_1', body, { secret: `whsec_${'A'.repeat(32)}` }));
  assert.ok(isRejected(forged), `a forged webhook got ${forged}`);
  const bare = await send({ method: 'POST', body, headers: { 'content-type': 'application/json' } });
  assert.ok(isRejected(bare), `a webhook without a signature got ${bare}`);
  const stale = await send(signed('evt_1', body, { at: Date.now() - 3_600_000 }));
  assert.ok(isRejected(stale), `a webhook that is an hour old got ${stale}`);
  assert.equal(output().includes('delivered'), false, 'a forged webhook had an effect');

  for (const _attempt of [1, 2, 3]) {
    const status = await send(signed('evt_1', body));
    assert.ok(isAccepted(status), `a webhook got ${status}`);
  }
  const paid = await send(signed('evt_2', eventBody('order.paid', second)));
  assert.ok(isAccepted(paid), `an event of another type got ${paid}`);
  assert.ok(isAccepted(await send(signed('evt_3', eventBody('order.delivered', second)))));
  await eventually(
    'The line of the second order',
    () => output().includes(`delivered ${second}`) || undefined,
  );
  const lines = output()
    .split('\n')
    .filter((line) => line.startsWith('delivered '));
  const expected = [`delivered ${first}`, `delivered ${second}`];
  assert.deepEqual(lines, expected, `one line for each delivered order, not ${lines.join(', ')}`);
}

/** A cart that no earlier run of a program knows. */
export const newCart = (): string => `cart-${randomUUID().slice(0, 8)}`;

/** Judges a program that places the order of a cart once, however often it runs. */
export async function judgeRetries(
  folder: string,
  command: (cart: string) => readonly string[],
): Promise<void> {
  await using sandbox = await startSandbox();
  const place = (cart: string) => run(folder, command(cart), sandbox.env);
  const [first, second] = [newCart(), newCart()];

  await sandbox.control('add-fault', { connection: 'cut-after', operation: 'createOrder' });
  const lost = await place(first);
  assert.notEqual(lost.code, 0, 'the program succeeds although no response arrived');
  await sandbox.control('remove-fault');
  const [order] = await sandbox.orders();
  assert.ok(order, 'the program sent no order');
  const again = await place(first);
  assert.equal(again.code, 0, again.stderr);
  assert.equal(lastLine(again.stdout), order.order_id, 'a second run must print the order of the first');
  const third = await place(first);
  assert.equal(lastLine(third.stdout), order.order_id);
  assert.equal((await sandbox.orders()).length, 1, 'the cart has more than one order');

  await sandbox.control('add-fault', { delay: '3s', operation: 'createOrder', times: 1 });
  const killed = start(folder, command(second), sandbox.env);
  await eventually(
    'An order of the second cart',
    async () => (await sandbox.orders()).length === 2 || undefined,
  );
  killed.kill();
  await killed.ended;
  const restarted = await place(second);
  assert.equal(restarted.code, 0, restarted.stderr);
  const orders = await sandbox.orders();
  assert.equal(orders.length, 2, 'after a kill, the cart got a second order');
  assert.equal(lastLine(restarted.stdout), orders[0]?.order_id);
}
