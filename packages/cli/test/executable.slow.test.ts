import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildExecutable } from '../../../scripts/executable.ts';
import { temporaryFolder } from './helpers/folder.ts';
import { type Ran, runProgram, startInstalled } from './helpers/installed.ts';
import { connectAssistant } from './helpers/mcp.ts';
import { fixtureOrder } from './helpers/order.ts';

const isTried = `${process.platform}-${process.arch}` === 'linux-x64';

describe.skipIf(!isTried)('the single executable (tried on Linux x64 alone)', () => {
  const folder = temporaryFolder();
  const store = `file:${join(folder.path, 'shop.db')}`;
  // No Node on the path.
  const env: Record<string, string> = { PATH: folder.path, HOME: folder.path, TOPUP_STORE: store };
  let topup: string;
  let server: Awaited<ReturnType<typeof startInstalled>>;

  beforeAll(async () => {
    topup = await buildExecutable('linux-x64', folder.path);
    server = await startInstalled(topup, ['serve', '--sandbox', '--port', '0'], { cwd: folder.path, env });
    env.TOPUP_BASE_URL = server.baseUrl;
  }, 120_000);
  afterAll(() => {
    server?.[Symbol.dispose]();
    folder[Symbol.dispose]();
  });

  const run = (...args: string[]): Promise<Ran> => runProgram(topup, args, { cwd: folder.path, env });

  it('runs a server without Node, and delivers a paid order', {
    timeout: 60_000,
  }, async () => {
    expect(await runProgram('node', ['--version'], { cwd: folder.path, env })).toMatchObject({
      code: 'ENOENT',
    });
    const { code, stdout, stderr } = await run(...fixtureOrder, '--quiet');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const orderId = stdout.trim();
    expect((await run('sandbox', 'pay', orderId)).code).toBe(0);
    expect((await run('orders', 'watch', orderId)).code).toBe(0);
    expect(JSON.parse((await run('invoices', 'status', orderId, '--json')).stdout)).toMatchObject({
      data: { payment_status: 'PAID', buy_status: 'Sukses' },
    });
  });

  it('starts a server for a program, and stops when the program ends', { timeout: 60_000 }, async () => {
    const args = ['serve', '--sandbox', '--store', 'memory:', '--port', '0', '--print-json'];
    const child = spawn(topup, args, { cwd: folder.path, env });
    const ended = once(child, 'exit');
    const [line] = await once(createInterface(child.stdout), 'line');
    const { base_url, api_key } = JSON.parse(line);
    const response = await fetch(`${base_url}/games`, { headers: { 'X-API-KEY': api_key } });
    expect(response.status).toBe(200);

    child.stdin.end();

    expect(await ended).toEqual([0, null]);
  });

  it('offers its tools and documentation to an assistant', { timeout: 60_000 }, async () => {
    const transport = new StdioClientTransport({ command: topup, args: ['mcp'], env, cwd: folder.path });
    await using assistant = await connectAssistant(transport);
    expect((await assistant.call('list_games')).result.games.length).toBeGreaterThan(1);
    expect((await assistant.call('read_docs', { page: 'interface' })).result.text).toMatch(/^# /);
  });

  it('checks, backs up and restores a store', { timeout: 60_000 }, async () => {
    const status = await run('db', 'status', '--check', '--json');
    expect(JSON.parse(status.stdout)).toMatchObject({ orders: 1 });
    expect((await run('backup', 'backup.db')).code).toBe(0);
    const restored = ['--store', `file:${join(folder.path, 'restored.db')}`];
    expect((await run('restore', 'backup.db', '--yes', ...restored)).code).toBe(0);
    expect((await run('orders', 'list', '--quiet', ...restored)).stdout).toMatch(/^INV-\S+\n$/);
    writeFileSync(join(folder.path, 'damaged.db'), 'SQLite format 3\0'.padEnd(8192, 'x'));
    expect((await run('db', 'status', '--store', 'file:damaged.db')).code).not.toBe(0);
  });
});
