import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { sandboxKey } from '@topup-kit/core/contract';
import { bundled } from '../../../../test/shared.ts';
import { postOrder } from './orders.ts';

const program = await bundled(new URL('serve.ts', import.meta.url));

export interface SmallDiskServer extends AsyncDisposable {
  baseUrl: string;
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
export async function startOnSmallDisk(path: string, blocks: number | 'unlimited'): Promise<SmallDiskServer> {
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
    baseUrl,
    order: () => postOrder(baseUrl),
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
export async function fillDisk({
  order,
}: SmallDiskServer): Promise<{ acknowledged: string[]; rejected: Response }> {
  const acknowledged: string[] = [];
  let last = await order();
  for (let count = 0; count < 2_000 && last.status === 201; count += 1) {
    acknowledged.push((await last.json()).orderId);
    last = await order();
  }
  return { acknowledged, rejected: last };
}
