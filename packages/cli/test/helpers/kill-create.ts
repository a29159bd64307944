import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { openStore, type RunningServer } from '@topup-kit/server';
import { afterAll, beforeAll, expect } from 'vitest';
import { keepCompiled } from '../../../../test/compiled.ts';
import { topup } from './child.ts';
import { temporaryFolder } from './folder.ts';
import { type OnOrder, startRelay } from './relay.ts';
import { startSandbox } from './servers.ts';

/** How many commands run at the same time. */
const lanes = 4;

type KillWhen = (child: ChildProcessWithoutNullStreams, account: string) => void;

interface Ended {
  code: number | null;
  killed: boolean;
  stdout: string;
}

export const orderIdIn = (stdout: string): string | undefined => {
  try {
    return JSON.parse(stdout).orderId;
  } catch {
    return undefined;
  }
};

/** A server, and a command that places orders there and is killed by tests. */
export function killableCreate() {
  const folder = temporaryFolder();
  const path = join(folder.path, 'topup.db');
  const running = new Set<ChildProcessWithoutNullStreams>();
  let server: RunningServer;
  let relay: Awaited<ReturnType<typeof startRelay>>;
  beforeAll(async () => {
    server = await startSandbox(`file:${path}`);
    relay = await startRelay(new URL(server.baseUrl).origin);
  }, 30_000);
  afterAll(async () => {
    for (const child of running) child.kill('SIGKILL');
    await relay[Symbol.asyncDispose]();
    await server.close();
    folder[Symbol.dispose]();
  });

  /** `killWhen` gets the child process, and kills it at some moment. */
  async function create(account: string, killWhen?: KillWhen): Promise<Ended> {
    const args = ['orders', 'create', '--game', 'mobile-legends', '--product', '901', '--server', '2012'];
    const rest = ['--payment-method', '12', '--whatsapp', '081234567890', '--id', account, '--json'];
    const child = spawn(process.execPath, [topup, ...args, ...rest, '--base-url', relay.baseUrl], {
      env: { PATH: process.env.PATH, HOME: folder.path, ...keepCompiled(topup) },
    });
    running.add(child);
    let stdout = '';
    child.stdout.on('data', (data) => (stdout += data));
    killWhen?.(child, account);
    const [code, signal] = await once(child, 'close');
    running.delete(child);
    return { code, killed: signal === 'SIGKILL', stdout };
  }

  /** Places orders with this many kills at any moment, and repeats each command until it prints its order. */
  async function expectOneOrderEach(kills: number): Promise<void> {
    const started = performance.now();
    await create('1');
    const whole = performance.now() - started;

    /** Any moment, and the moments at which an order might be lost, placed twice or not reported. */
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
        // Some are also killed while they finish the order of a killed one.
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
  }

  return {
    create,
    onOrder: (account: string, hook: OnOrder) => relay.onOrder(account, hook),
    expectOneOrderEach,
  };
}
