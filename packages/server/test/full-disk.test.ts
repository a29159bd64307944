import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { sandboxKey } from '@topup-kit/core/engine';
import { describe, expect, it } from 'vitest';
import { bundled } from '../../../test/shared.ts';
import { fixtureOrder, temporaryFolder } from './helpers/sandbox.ts';

const program = await bundled(new URL('helpers/serve.ts', import.meta.url));

describe('a server whose disk is full', () => {
  it('acknowledges no order that it could not store, and reports that it is unhealthy', async () => {
    await using folder = await temporaryFolder();
    // The shell limits every file of the server to 512 blocks of 1,024 bytes.
    const child = spawn(
      'bash',
      ['-c', 'ulimit -f 512; trap "" XFSZ; exec "$0" "$@"', process.execPath, program],
      {
        env: {
          PATH: process.env.PATH,
          TOPUP_MODE: 'sandbox',
          TOPUP_LOG_LEVEL: 'silent',
          PORT: '0',
          TOPUP_STORE: `file:${join(folder.path, 'topup.db')}`,
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    const ended = once(child, 'exit');
    const [line] = await once(createInterface(child.stdout), 'line');
    const baseUrl = String(line);
    const order = () =>
      fetch(`${baseUrl}/order`, {
        method: 'POST',
        headers: { 'X-API-KEY': sandboxKey, 'Content-Type': 'application/json' },
        body: JSON.stringify(fixtureOrder),
      });
    const health = async () => (await fetch(new URL('/health', baseUrl))).status;
    expect(await health()).toBe(200);
    const acknowledged: string[] = [];
    let last = await order();
    for (let count = 0; count < 2_000 && last.status === 201; count += 1) {
      acknowledged.push((await last.json()).orderId);
      last = await order();
    }
    expect(last.status).toBe(500);
    expect(await last.json()).toEqual({ success: false, message: 'Gagal menyimpan pesanan.' });
    expect((await order()).status).toBe(500);
    expect(await health()).toBe(503);
    for (const orderId of acknowledged) {
      const read = await fetch(`${baseUrl}/invoice/${orderId}`, { headers: { 'X-API-KEY': sandboxKey } });
      expect(read.status).toBe(200);
    }
    child.kill('SIGKILL');
    await ended;
  }, 30_000);
});
