import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { renameSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { sandboxKey } from '@topup-kit/core/engine';
import { describe, expect, it } from 'vitest';
import { bundled } from '../../../test/shared.ts';
import { fixtureOrder, temporaryFolder } from './helpers/sandbox.ts';

const program = await bundled(new URL('helpers/serve.ts', import.meta.url));

interface TestServer extends AsyncDisposable {
  order(): Promise<Response>;
  health(): Promise<number>;
  readStatus(orderId: string): Promise<number>;
  /** Ends the limit for the size of files, as if there were room on the disk again. */
  makeRoom(): void;
  kill(): Promise<void>;
  /** What it has logged. */
  logged(): { level: number; msg: string; err?: { problem?: string } }[];
}

/** Starts a server in its own process whose files have at most this many blocks of 1,024 bytes. */
async function startServer(path: string, blocks: number | 'unlimited'): Promise<TestServer> {
  const child = spawn(
    'bash',
    ['-c', `ulimit -S -f ${blocks}; trap "" XFSZ; exec "$0" "$@"`, process.execPath, program],
    {
      env: { PATH: process.env.PATH, TOPUP_MODE: 'sandbox', PORT: '0', TOPUP_STORE: `file:${path}` },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let log = '';
  child.stderr.on('data', (text) => {
    log += text;
  });
  const ended = once(child, 'exit');
  const [line] = await Promise.race([
    once(createInterface(child.stdout), 'line'),
    ended.then(() => Promise.reject(new Error(`the server ended: ${log}`))),
  ]);
  const baseUrl = String(line);
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  return {
    order: () =>
      fetch(`${baseUrl}/order`, {
        method: 'POST',
        headers: { 'X-API-KEY': sandboxKey, 'Content-Type': 'application/json' },
        body: JSON.stringify(fixtureOrder),
      }),
    health: async () => (await fetch(new URL('/health', baseUrl))).status,
    readStatus: async (orderId) =>
      (await fetch(`${baseUrl}/invoice/${orderId}`, { headers: { 'X-API-KEY': sandboxKey } })).status,
    makeRoom: () => void execFileSync('prlimit', ['--pid', String(child.pid), '--fsize=unlimited:']),
    kill,
    logged: () =>
      log
        .split('\n')
        .filter((text) => text.startsWith('{'))
        .map((text) => JSON.parse(text)),
    [Symbol.asyncDispose]: kill,
  };
}

/** Places orders until one is rejected. Returns the ids of the others, and the rejection. */
async function fill({ order }: TestServer): Promise<{ acknowledged: string[]; rejected: Response }> {
  const acknowledged: string[] = [];
  let last = await order();
  for (let count = 0; count < 2_000 && last.status === 201; count += 1) {
    acknowledged.push((await last.json()).orderId);
    last = await order();
  }
  return { acknowledged, rejected: last };
}

const soon = { timeout: 5_000 };

describe('a server whose disk is full', () => {
  it('acknowledges no order that it could not store, says so, and goes on when there is room again', async () => {
    await using folder = await temporaryFolder();
    await using server = await startServer(join(folder.path, 'topup.db'), 640);
    expect(await server.health()).toBe(200);
    const { acknowledged, rejected } = await fill(server);
    expect(rejected.status).toBe(500);
    expect(await rejected.json()).toEqual({ success: false, message: 'Gagal menyimpan pesanan.' });
    for (let count = 0; count < 20; count += 1) expect((await server.order()).status).toBe(500);
    expect(await server.health()).toBe(503);
    for (const orderId of acknowledged) expect(await server.readStatus(orderId)).toBe(200);
    // Due work runs meanwhile.
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    expect(server.logged()).toMatchObject([{ level: 50, err: { problem: 'writes_paused' } }]);

    server.makeRoom();
    await expect.poll(server.health, soon).toBe(200);
    const stored = await server.order();
    expect(stored.status).toBe(201);
    acknowledged.push((await stored.json()).orderId);
    expect(server.logged().map(({ msg }) => msg)).toEqual([
      'the store accepts no writes',
      'the store accepts writes again',
    ]);
    await server.kill();
    await using again = await startServer(join(folder.path, 'topup.db'), 'unlimited');
    for (const orderId of acknowledged) expect(await again.readStatus(orderId)).toBe(200);
  }, 30_000);

  it('serves reads after a restart', async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'topup.db');
    const first = await startServer(path, 640);
    const { acknowledged } = await fill(first);
    await first.kill();
    // SQLite needs 32 KiB for the index of its log, which it gave back when it ended.
    await using server = await startServer(path, 32);
    for (const orderId of acknowledged) expect(await server.readStatus(orderId)).toBe(200);
    expect((await server.order()).status).toBe(500);
    expect(await server.health()).toBe(503);
    server.makeRoom();
    await expect.poll(server.health, soon).toBe(200);
    expect((await server.order()).status).toBe(201);
  }, 30_000);
});

describe('a server whose store file', () => {
  it.each([
    ['is deleted', (path: string, _other: string) => unlinkSync(path)],
    ['is replaced', (path: string, other: string) => renameSync(other, path)],
  ])(
    '%s rejects writes with 503, fails its health check within a second and logs it once',
    async (_what, harm) => {
      await using folder = await temporaryFolder();
      const other = join(folder.path, 'other.db');
      const maker = await startServer(other, 'unlimited');
      await maker.order();
      await maker.kill();
      const path = join(folder.path, 'topup.db');
      await using server = await startServer(path, 'unlimited');
      const { orderId } = await (await server.order()).json();
      harm(path, other);
      const rejected = await server.order();
      expect(rejected.status).toBe(503);
      expect(rejected.headers.get('Retry-After')).toBe('10');
      expect(await rejected.json()).toMatchObject({ error_code: 'UNAVAILABLE' });
      await expect.poll(server.health, { timeout: 1_000 }).toBe(503);
      expect(await server.readStatus(orderId)).toBe(200);
      for (let count = 0; count < 5; count += 1) expect((await server.order()).status).toBe(503);
      expect(server.logged()).toMatchObject([{ level: 50, err: { problem: 'file_gone' } }]);
    },
    30_000,
  );
});
