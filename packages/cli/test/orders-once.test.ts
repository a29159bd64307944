import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { sandboxKey } from '@topup-kit/core/contract';
import type { RunningServer } from '@topup-kit/server';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type OrderPlacement, sendOrder } from '../src/commands/orders/place.ts';
import { createContext } from '../src/context.ts';
import { outputError } from '../src/errors/cli-error.ts';
import type { Io } from '../src/io.ts';
import { claimOrder, hashApiKey, saveOrder, unfinishedOrders } from '../src/pending-orders/journal.ts';
import { converse, keys, type Turn } from './helpers/converse.ts';
import { temporaryFolder } from './helpers/folder.ts';
import { orderIdIn } from './helpers/order.ts';
import { startRelay } from './helpers/relay.ts';
import { run, until } from './helpers/run.ts';
import { closedBaseUrl, startSandbox, startService } from './helpers/servers.ts';

const folder = temporaryFolder();
const notesFolder = join(folder.path, 'topup', 'orders');
let server: RunningServer;
let relay: Awaited<ReturnType<typeof startRelay>>;
beforeAll(async () => {
  server = await startSandbox();
  relay = await startRelay(new URL(server.baseUrl).origin);
});
afterEach(() => rmSync(notesFolder, { recursive: true, force: true }));
afterAll(async () => {
  await relay[Symbol.asyncDispose]();
  await server.close();
  folder[Symbol.dispose]();
});

const orderOf = (account: string): string[] => [
  ...['orders', 'create', '--game', 'mobile-legends', '--product', '901', '--payment-method', '12'],
  ...['--id', account, '--server', '2012', '--whatsapp', '081234567890'],
];
const create = (account: string, ...more: string[]) =>
  run([...orderOf(account), '--base-url', relay.baseUrl, ...more], {
    environment: { XDG_STATE_HOME: folder.path },
  });
const noteNames = (): string[] => readdirSync(notesFolder).toSorted();
const onlyNote = (): string => join(notesFolder, noteNames()[0] ?? '');

const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();

/** Changes the content of the only entry. */
function edit(change: object): void {
  writeFileSync(onlyNote(), JSON.stringify({ ...JSON.parse(readFileSync(onlyNote(), 'utf8')), ...change }));
}

/** Changes the owner in the file name of the only entry. */
function hold({ pid = process.pid, started = '1', since = Date.now() }): void {
  const [fingerprint, id] = noteNames()[0]?.split('.') ?? [];
  renameSync(onlyNote(), join(notesFolder, [fingerprint, id, pid, started, since, 'json'].join('.')));
}

/** Places an order whose response never arrives; returns its order id. */
async function cutAnswer(account: string): Promise<string> {
  let made = '';
  relay.onOrder(account, async (pass) => {
    made = await (await pass()).text();
    return undefined;
  });
  expect(await create(account)).toMatchObject({ code: 8 });
  return orderIdIn(made);
}

describe('an order is saved before it is sent', () => {
  it('saves an order with all data for a repetition, without the API key and readable only by its user', async () => {
    let noted = '{}';
    let mode = 0;
    relay.onOrder('1', async (pass) => {
      if (noteNames().length > 0) {
        noted = readFileSync(onlyNote(), 'utf8');
        mode = statSync(onlyNote()).mode & 0o777;
      }
      return pass();
    });

    expect(await create('1')).toMatchObject({ code: 0 });

    expect(mode).toBe(0o600);
    expect(JSON.parse(noted)).toEqual({
      idempotency_key: expect.stringMatching(/^\S{32,}$/),
      base_url: relay.baseUrl,
      api_key_hash: hashApiKey(sandboxKey),
      request: expect.objectContaining({ id: '1', game: 'mobile-legends', product_id: 901 }),
      started_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    });
    expect(noted).not.toContain(sandboxKey);
  });

  it('deletes a saved order after printing it', async () => {
    await create('1');

    expect(noteNames()).toEqual([]);
  });

  it('deletes a saved order that the service rejects', async () => {
    expect(await create('1', '--promo', 'EXPIRED10')).toMatchObject({ code: 6 });

    expect(noteNames()).toEqual([]);
  });

  it('deletes a saved order that was never sent', async () => {
    const baseUrl = await closedBaseUrl();

    expect(await create('1', '--base-url', baseUrl)).toMatchObject({ code: 5 });

    expect(noteNames()).toEqual([]);
  });

  it('saves no order with --idempotency-key', async () => {
    relay.onOrder('1', async () => undefined);

    expect(await create('1', '--idempotency-key', 'order-7')).toMatchObject({ code: 8 });

    expect(() => noteNames()).toThrow('ENOENT');
  });

  it("sends no order that can't be saved", async () => {
    await using service = await startService(() => {});
    const file = join(folder.path, 'file');
    writeFileSync(file, '');

    const { code, stderr } = await run([...orderOf('1'), '--base-url', service.baseUrl], {
      environment: { XDG_STATE_HOME: file },
    });

    expect({ code, asked: service.asked }).toEqual({ code: 1, asked: [] });
    expect(stderr).toContain(`Error: Orders can't be saved in ${file}/topup/orders: `);
    expect(stderr).toContain('--idempotency-key');
  });
});

describe('an order with an unknown outcome', () => {
  it('keeps an order with an unknown outcome, and shows it when the same command finishes it', async () => {
    const made = await cutAnswer('2');
    expect(noteNames()).toHaveLength(1);

    const { code, stdout, stderr } = await create('2');

    expect({ code, orderId: orderIdIn(stdout) }).toEqual({ code: 0, orderId: made });
    expect(stderr).toMatch(/This order was started .* and not finished: finishing it with the same key/);
    expect(noteNames()).toEqual([]);
    expect(orderIdIn((await create('2')).stdout)).not.toBe(made);
  });

  it("keeps the order's entry if a fault in the command hides the outcome", async () => {
    const connection = { baseUrl: relay.baseUrl, apiKey: sandboxKey };
    const ask = () => Promise.reject(new TypeError('a fault'));
    const request = {
      game: 'mobile-legends',
      product_id: 901,
      payment_method_id: 12,
      id: '9',
      whatsapp: '08',
    };
    // Safe: placing a first order uses nothing else of a service and of the context.
    const placement = { service: { connection, ask }, request, another: false } as unknown as OrderPlacement;
    const io = { environment: { XDG_STATE_HOME: folder.path } } as unknown as Io; // Safe: the reason is the same as above.

    await expect(sendOrder(createContext(io, { input: true }), placement)).rejects.toThrow('a fault');
    expect(noteNames()).toHaveLength(1);
  });

  it('suggests running the same command again', async () => {
    relay.onOrder('2', async () => undefined);

    expect((await create('2')).stderr).toContain(
      'It is unknown whether the order was placed. The command saved it. Run the same command again to finish the order with the same key,',
    );
  });

  it('finishes an order with an unknown outcome silently under --json', async () => {
    const made = await cutAnswer('2');

    const { code, stdout, stderr } = await create('2', '--json', '--quiet');

    expect({ code, stderr, orderId: JSON.parse(stdout).orderId }).toEqual({
      code: 0,
      stderr: '',
      orderId: made,
    });
  });

  it('places a saved order if the service has not placed it yet', async () => {
    relay.onOrder('2', async () => undefined);
    await create('2');

    expect(await create('2')).toMatchObject({ code: 0, stdout: expect.stringContaining('UNPAID') });
    expect(noteNames()).toEqual([]);
  });

  it('treats a given and an omitted quantity of one as the same order', async () => {
    const made = await cutAnswer('2');

    expect(orderIdIn((await create('2', '--quantity', '1')).stdout)).toBe(made);
  });

  it('treats another notation of the phone number as the same order', async () => {
    const made = await cutAnswer('2');

    expect(orderIdIn((await create('2', '--whatsapp', '+62 812-3456-7890')).stdout)).toBe(made);
  });

  it('treats a slash at the end of the base URL as the same order', async () => {
    const made = await cutAnswer('2');

    expect(orderIdIn((await create('2', '--base-url', `${relay.baseUrl}/`)).stdout)).toBe(made);
  });

  it('treats different orders as separate orders', async () => {
    const made = await cutAnswer('2');

    expect(orderIdIn((await create('2', '--quantity', '2')).stdout)).not.toBe(made);
    expect(noteNames()).toHaveLength(1);
  });

  it('deletes the entry of an unknown order with --another, and places another order', async () => {
    const made = await cutAnswer('2');

    const { code, stdout } = await create('2', '--another');

    expect(code).toBe(0);
    expect(orderIdIn(stdout)).toMatch(/^INV-/);
    expect(orderIdIn(stdout)).not.toBe(made);
    expect(noteNames()).toEqual([]);
  });
});

describe('--another', () => {
  it('deletes only entries of the same order', async () => {
    await cutAnswer('5');
    const [kept] = noteNames();

    expect(await create('5', '--quantity', '2', '--another')).toMatchObject({ code: 0 });
    expect(noteNames()).toEqual([kept]);
  });

  it('deletes even an unreadable entry with --another', async () => {
    await cutAnswer('5');
    writeFileSync(onlyNote(), '{"idempo');

    expect(await create('5', '--another')).toMatchObject({ code: 0 });
    expect(noteNames()).toEqual([]);
  });
});

describe("a placed order that can't be printed", () => {
  const environment = { XDG_STATE_HOME: folder.path };
  const failing = (code: string) => ({
    environment,
    onWrite: () => Promise.reject(outputError(Object.assign(new Error(`write ${code}`), { code }))),
  });
  const args = (account: string, ...more: string[]) => [
    ...[...orderOf(account), '--base-url', relay.baseUrl],
    ...more,
  ];

  it.each([[[]], [['--json']], [['--quiet']]])(
    "names a placed order on stderr if it can't be printed, keeps its entry, and exits with 8 (%j)",
    async (flags) => {
      const { code, stderr } = await run(args('6', ...flags), failing('ENOSPC'));

      expect(code).toBe(8);
      expect(stderr).toMatch(
        /Error: The output can't be written: write ENOSPC\. The order was placed: INV-\d+-[A-Z]{8}\n/,
      );
      expect(orderIdIn((await create('6')).stdout)).toBe(orderIdIn(stderr));
      expect(noteNames()).toEqual([]);
    },
  );

  it('only names the order with --idempotency-key, which the service may ignore', async () => {
    const { code, stderr } = await run(args('6', '--idempotency-key', 'order-8'), failing('ENOSPC'));

    expect(code).toBe(8);
    expect(stderr).toMatch(/The order was placed: INV-\d+-[A-Z]{8}\n$/);
  });

  it('keeps the entry silently if the reader of the output has stopped', async () => {
    expect(await run(args('6', '--quiet'), failing('EPIPE'))).toMatchObject({ code: 0, stderr: '' });
    expect(noteNames()).toHaveLength(1);
  });
});

describe('a half-written entry', () => {
  it.each([
    ['for less than a minute stays: its process may be writing it', 50, ['half.json.new']],
    ['for more than a minute is deleted: its process was killed', 61, []],
  ])('handles a half-written entry that has existed for %s', async (_case, seconds, left) => {
    mkdirSync(notesFolder, { recursive: true });
    const file = join(notesFolder, 'half.json.new');
    writeFileSync(file, '{"idempo');
    const written = Date.now() / 1000 - seconds;
    utimesSync(file, written, written);

    expect(await create('7')).toMatchObject({ code: 0 });

    expect(noteNames()).toEqual(left);
  });
});

describe('an unfinished order', () => {
  it('places a separate order while another process sends the same order', async () => {
    const made = await cutAnswer('3');
    hold({ pid: process.ppid, started: startOf(process.ppid) });

    expect(orderIdIn((await create('3')).stdout)).not.toBe(made);
    expect(noteNames()).toHaveLength(1);
  });

  it('finishes the order of a process whose process id is reused', async () => {
    const made = await cutAnswer('3');
    hold({ pid: process.ppid, started: '1' });

    expect(orderIdIn((await create('3')).stdout)).toBe(made);
  });

  it.runIf(process.platform === 'linux')(
    "finishes an ended process's order without further checks",
    async () => {
      const made = await cutAnswer('3');
      // The shell turns into `sleep` before its child ends, and `sleep` never reads the exit status of a child.
      const parent = spawn('sh', ['-c', 'sleep 0.2 & echo $!; exec sleep 60']);
      const [line] = await once(parent.stdout, 'data');
      const pid = Number(String(line));
      await until(() => /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8')));
      hold({ pid, started: startOf(pid) });

      const { stdout } = await create('3');
      parent.kill();

      expect(orderIdIn(stdout)).toBe(made);
    },
  );

  it('finishes an order that a process holds for longer than any attempt takes', async () => {
    const made = await cutAnswer('3');
    hold({ pid: process.ppid, started: startOf(process.ppid), since: Date.now() - 61_000 });

    expect(orderIdIn((await create('3')).stdout)).toBe(made);
  });

  it('finishes the oldest order first', () => {
    const io = { environment: { XDG_STATE_HOME: folder.path } };
    const order = {
      base_url: relay.baseUrl,
      api_key_hash: hashApiKey(sandboxKey),
      request: { game: 'mobile-legends', product_id: 901, payment_method_id: 12, id: '3', whatsapp: '08' },
    };
    const started = [2, 0, 4, 1, 3].map((minute) => new Date(2026, 0, 1, 0, minute).toISOString());
    for (const started_at of started) {
      const saved = saveOrder(io, order);
      writeFileSync(saved.file, JSON.stringify({ ...saved.order, started_at }));
    }

    expect(unfinishedOrders(io, order).map((one) => one.order?.started_at)).toEqual(started.toSorted());
  });

  it('lets only one process take over an order', async () => {
    await cutAnswer('3');
    const { base_url, request } = JSON.parse(readFileSync(onlyNote(), 'utf8'));
    const io = { environment: { XDG_STATE_HOME: folder.path } };
    const [one] = unfinishedOrders(io, { base_url, request });
    const [other] = unfinishedOrders(io, { base_url, request });

    expect(one?.order && claimOrder(one)).toBeDefined();
    expect(other?.order).toBeDefined();
    expect(other?.order && claimOrder(other)).toBeUndefined();
  });

  it('finishes a four-day-old order if the service shows the order of its key', async () => {
    const made = await cutAnswer('3');
    edit({ started_at: daysAgo(4) });

    const { code, stdout } = await create('3');

    expect({ code, orderId: orderIdIn(stdout) }).toEqual({ code: 0, orderId: made });
    expect(noteNames()).toEqual([]);
  });

  it('names an order whose response is no longer replayed, and keeps its entry', async () => {
    await using moved = await startSandbox();
    const through = await startRelay(new URL(moved.baseUrl).origin);
    onTestFinished(() => through[Symbol.asyncDispose]());
    let made = '';
    through.onOrder('3', async (pass) => {
      made = orderIdIn(await (await pass()).text());
      return undefined;
    });
    const again = (...more: string[]) => create('3', '--base-url', through.baseUrl, ...more);
    expect(await again()).toMatchObject({ code: 8 });
    await fetch(`${new URL(moved.baseUrl).origin}/sandbox/advance`, {
      method: 'POST',
      headers: { 'X-API-KEY': sandboxKey, 'Content-Type': 'application/json' },
      body: JSON.stringify({ by: '31d' }),
    });
    edit({ started_at: daysAgo(31) });

    for (let time = 1; time <= 2; time += 1) {
      const { code, stdout, stderr } = await again();
      expect({ code, stdout }).toEqual({ code: 6, stdout: '' });
      expect(stderr).toContain(`This Idempotency-Key was already used for the order ${made}.`);
      expect(stderr).toContain(`invoices show ${made}`);
      expect(stderr).toContain('To place another one, run the command again with --another.');
    }
    const another = orderIdIn((await again('--another')).stdout);
    expect(another).toMatch(/^INV-/);
    expect(another).not.toBe(made);
  });

  it.each([
    [
      'four days ago, which the service does not show by its key,',
      { started_at: daysAgo(4), idempotency_key: 'of-another-service' },
      'That is too long ago: the service shows no order with its key, and may have deleted the key.',
    ],
    ['another key', { api_key_hash: hashApiKey('tk_test_other') }, 'It was started with another API key'],
  ])("doesn't resend an unfinished order of %s", async (_case, change, words) => {
    await cutAnswer('3');
    edit(change);

    const { code, stdout, stderr } = await create('3');

    expect({ code, stdout }).toEqual({ code: 8, stdout: '' });
    expect(stderr).toContain(words);
    expect(stderr).toContain(
      'Nothing was sent, because the order may have been placed already. Look for it first',
    );
    expect(stderr).toContain('run the command again with --another');
    expect(noteNames()).toHaveLength(1);
  });

  it('stops at an unreadable entry, and names the file', async () => {
    await cutAnswer('3');
    writeFileSync(onlyNote(), '{"idempo');

    const { code, stderr } = await create('3');

    expect(code).toBe(8);
    expect(stderr).toContain(`can't be read: ${onlyNote()}\n`);
    expect(noteNames()).toHaveLength(1);
  });
});

describe('an unfinished order at a terminal', () => {
  const { enter, down, interrupt } = keys;
  const asks = 'It may or may not have been placed. What next?';
  const createAtTerminal = (turns: readonly Turn[]) =>
    converse([...orderOf('3'), '--base-url', relay.baseUrl], turns, {
      environment: { XDG_STATE_HOME: folder.path },
    });

  it("finishes an unfinished order at the user's choice, and shows that order", async () => {
    const made = await cutAnswer('3');
    const { code, stdout, screens } = await createAtTerminal([[asks, enter]]);

    expect({ code, orderId: orderIdIn(stdout) }).toEqual({ code: 0, orderId: made });
    expect(screens[0]).toMatch(/This order was started .* and not finished\./);
    expect(screens[0]).toContain('● Finish it (the order is placed once)');
    expect(screens[0]).toContain('○ Nothing\n');
    expect(screens[0]).toContain('○ Place another order');
    expect(screens[1]).toMatch(/Finish it\n *\n/);
    expect(noteNames()).toEqual([]);
  });

  it('leaves an unfinished order unchanged if the user chooses that', async () => {
    await cutAnswer('3');
    const { code, stdout, stderr } = await createAtTerminal([
      [asks, down],
      ['● Nothing (to look for it first)', enter],
    ]);

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('Error: Nothing was ordered.\n');
    expect(noteNames()).toHaveLength(1);
  });

  it("places another order at the user's choice", async () => {
    const made = await cutAnswer('3');
    const { code, stdout } = await createAtTerminal([
      [asks, down + down],
      ['● Place another order (and discard the unfinished one)', enter],
    ]);

    expect(code).toBe(0);
    expect(orderIdIn(stdout)).toMatch(/^INV-/);
    expect(orderIdIn(stdout)).not.toBe(made);
    expect(noteNames()).toEqual([]);
  });

  it("doesn't resend a day-old order that the service doesn't know", async () => {
    await cutAnswer('3');
    edit({ started_at: daysAgo(1), idempotency_key: 'of-another-service' });
    const { code, screens } = await createAtTerminal([
      ['That is too long ago: the service shows no order with its key', interrupt],
    ]);

    expect(code).toBe(130);
    expect(screens[0]).not.toContain('Finish it');
    expect(screens[0]).toContain('● Nothing (to look for it first)');
  });
});

describe('finishing an order at a service that', () => {
  /** Disconnects the first order, and responds to those after it. */
  async function startCutting(answer: (body: string, count: number) => { status: number; echoes: boolean }) {
    const bodies: string[] = [];
    const service = await startService(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      bodies.push(body);
      if (bodies.length === 1) return response.destroy();
      const { status, echoes } = answer(body, bodies.length);
      const echo = { 'Idempotency-Key': String(request.headers['idempotency-key']) };
      response.writeHead(status, { 'Content-Type': 'application/json', ...(echoes && echo) });
      return response.end('{"success":false,"message":"Tidak."}');
    });
    await create('4', '--base-url', service.baseUrl);
    return { ...service, bodies };
  }

  it("doesn't resend an order to a service that ignores keys", async () => {
    await using service = await startCutting(() => ({ status: 422, echoes: false }));

    const { code, stderr } = await create('4', '--base-url', service.baseUrl);

    expect(code).toBe(8);
    expect(stderr.replaceAll('\n', ' ')).toContain(
      `This order was started and not finished, and ${service.baseUrl} does not show that it honours idempotency keys: if it is sent again, it might be placed twice.`,
    );
    expect(service.bodies.slice(1)).toEqual(['{}']);
    expect(noteNames()).toHaveLength(1);
  });

  it("doesn't resend an order to a service that accepts an impossible order", async () => {
    await using service = await startCutting(() => ({ status: 201, echoes: true }));

    expect(await create('4', '--base-url', service.baseUrl)).toMatchObject({ code: 8 });
    expect(service.bodies.slice(1)).toEqual(['{}']);
  });

  it('keeps the entry and exits with 8 if a service rejects the order, perhaps before it checks the key', async () => {
    await using service = await startCutting(() => ({ status: 422, echoes: true }));

    const { code, stderr } = await create('4', '--base-url', service.baseUrl);

    expect({ code, sent: service.bodies.length }).toEqual({ code: 8, sent: 3 });
    expect(stderr).toContain('Error: The service rejects it now: Tidak.\n');
    expect(stderr).toContain('The first run may still have placed it. Look for it first');
    expect(stderr).toContain('--another');
    expect(noteNames()).toHaveLength(1);
  });

  it.each([401, 404, 429, 503])(
    'keeps the entry after the inconclusive status %i, and exits with 8',
    async (status) => {
      await using service = await startCutting(() => ({ status, echoes: false }));

      expect(await create('4', '--base-url', service.baseUrl)).toMatchObject({ code: 8 });
      expect(service.bodies.slice(1)).toEqual(['{}']);
      expect(noteNames()).toHaveLength(1);
    },
  );

  it("keeps the entry after a proxy's 404, and exits with 8", async () => {
    await using service = await startCutting((body) =>
      body === '{}' ? { status: 422, echoes: true } : { status: 404, echoes: false },
    );

    expect(await create('4', '--base-url', service.baseUrl)).toMatchObject({ code: 8 });
    expect(noteNames()).toHaveLength(1);
  });
});

/** The start time of a process, as in the journal's file names. */
function startOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[19] ?? '-';
  } catch {
    return '-';
  }
}
