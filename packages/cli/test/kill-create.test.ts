import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { openStore, type RunningServer } from '@topup-kit/server';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bundleTopup } from './helpers/bundle.ts';
import { temporaryFolder } from './helpers/folder.ts';
import { startRelay } from './helpers/relay.ts';
import { startSandbox } from './helpers/servers.ts';

const kills = 200;
/** How many go on at the same time. */
const lanes = 4;

type KillWhen = (child: ChildProcessWithoutNullStreams, account: string) => void;

interface Ended {
  code: number | null;
  killed: boolean;
  stdout: string;
}

const orderIdIn = (stdout: string): string | undefined => {
  try {
    return JSON.parse(stdout).orderId;
  } catch {
    return undefined;
  }
};

const folder = temporaryFolder();
const path = join(folder.path, 'topup.db');
let bin: string;
let server: RunningServer;
let relay: Awaited<ReturnType<typeof startRelay>>;
beforeAll(async () => {
  bin = await bundleTopup(join(folder.path, 'bundle'));
  server = await startSandbox(`file:${path}`);
  relay = await startRelay(new URL(server.baseUrl).origin);
}, 30_000);
afterAll(async () => {
  await relay[Symbol.asyncDispose]();
  await server.close();
  folder[Symbol.dispose]();
});

/** `killWhen` is handed the child, and kills it some time. */
async function create(account: string, killWhen?: KillWhen): Promise<Ended> {
  const args = ['orders', 'create', '--game', 'mobile-legends', '--product', '901', '--server', '2012'];
  const rest = ['--payment-method', '12', '--whatsapp', '081234567890', '--id', account, '--json'];
  const child = spawn(process.execPath, [bin, ...args, ...rest, '--base-url', relay.baseUrl], {
    env: { PATH: process.env.PATH, HOME: folder.path },
  });
  let stdout = '';
  child.stdout.on('data', (data) => (stdout += data));
  killWhen?.(child, account);
  const [code, signal] = await once(child, 'close');
  return { code, killed: signal === 'SIGKILL', stdout };
}

it(`an order whose command is killed ${kills} times, anywhere, is made once when the command is run again`, async () => {
  const started = performance.now();
  await create('1');
  const whole = performance.now() - started;

  /** Anywhere in the run, and the moments between which an order is lost, doubled or not told. */
  const moments: KillWhen[] = [
    (child) => setTimeout(() => child.kill('SIGKILL'), Math.random() * whole * 1.2),
    (child) => setTimeout(() => child.kill('SIGKILL'), (0.4 + Math.random()) * whole),
    (child, account) =>
      relay.onOrder(account, async () => {
        child.kill('SIGKILL');
        return undefined;
      }),
    (child, account) =>
      relay.onOrder(account, async (pass) => {
        child.kill('SIGKILL');
        return pass();
      }),
    (child, account) =>
      relay.onOrder(account, async (pass) => {
        const answer = await pass();
        child.kill('SIGKILL');
        return answer;
      }),
    (child) => child.stdout.once('data', () => child.kill('SIGKILL')),
  ];

  const told = new Map<string, string>();
  let killed = 0;
  let toldAndKilled = 0;
  let next = 100_000_000;

  async function placeOne(account: string): Promise<void> {
    for (let round = 0; ; round += 1) {
      // Some are killed while they finish what a killed one began, too.
      const moment = Math.random() < 0.7 ** round ? moments[killed % moments.length] : undefined;
      const run = await create(account, moment);
      if (run.killed) killed += 1;
      const orderId = orderIdIn(run.stdout);
      if (orderId !== undefined) {
        if (run.killed) toldAndKilled += 1;
        told.set(account, orderId);
        return;
      }
      if (!run.killed) expect(run.code, run.stdout).toBe(8);
    }
  }

  async function lane(): Promise<void> {
    while (killed < kills) {
      next += 1;
      await placeOne(String(next));
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane));
  const store = openStore({ kind: 'file', path });
  const made = await store.listOrders({ limit: 1_000 });
  await store.close();
  const killedAccounts = made.filter(({ target }) => told.has(target.id));
  const byAccount = Map.groupBy(killedAccounts, ({ target }) => target.id);
  expect(killed).toBeGreaterThanOrEqual(kills);
  expect(
    new Map([...byAccount].map(([account, orders]) => [account, orders.map(({ orderId }) => orderId)])),
  ).toEqual(new Map([...told].map(([account, orderId]) => [account, [orderId]])));
  const notes = readdirSync(join(folder.path, '.local/state/topup/orders'));
  expect(notes.filter((name) => name.endsWith('.json')).length).toBeLessThanOrEqual(toldAndKilled);
}, 180_000);

it('the same order placed twice at the same time is two orders', async () => {
  const passing = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  relay.onOrder('2', async (pass) => {
    passing.resolve();
    await release.promise;
    return pass();
  });
  const first = create('2');
  await passing.promise;
  const second = orderIdIn((await create('2')).stdout);
  release.resolve();

  expect(second).toMatch(/^INV-/);
  expect(orderIdIn((await first).stdout)).not.toBe(second);
}, 30_000);

it('an unfinished order is finished by one of two that are run at the same time', async () => {
  let made: string | undefined;
  await create('3', (child) =>
    relay.onOrder('3', async (pass) => {
      made = orderIdIn(await (await pass()).text());
      child.kill('SIGKILL');
      return undefined;
    }),
  );

  const placed = (await Promise.all([create('3'), create('3')])).map(({ stdout }) => orderIdIn(stdout));

  expect(new Set(placed).size).toBe(2);
  expect(placed).toContain(made);
}, 30_000);
