import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type ViteDevServer } from 'vite';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

/** What runs instead of the sandbox: says where it is, as `--print-json` does, until its input ends. */
const program = `console.log(JSON.stringify({ base_url: 'http://127.0.0.1:1/api', api_key: 'tk_test_sandbox' })); process.stdin.resume()`;

const { spawn } = vi.hoisted(() => ({ spawn: vi.fn() }));
vi.mock('node:child_process', () => ({ spawn }));

let folder: string;
let servers: ViteDevServer[];
beforeEach(async () => {
  const { spawn: start } = await vi.importActual<typeof import('node:child_process')>('node:child_process');
  spawn.mockReset().mockImplementation((node, _args, options) => start(node, ['-e', program], options));
  folder = await mkdtemp(join(tmpdir(), 'topup-proxy-'));
  servers = [];
});
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const { value } of spawn.mock.results) value.kill();
  await Promise.all(servers.map((server) => server.close()));
  await rm(folder, { recursive: true });
});

/** Starts Vite as it does at first and with each restart: with its configuration loaded anew. */
async function startVite(): Promise<void> {
  vi.resetModules();
  const { topupProxy } = await import('../template/server/topup-proxy.ts');
  const server = { middlewareMode: true, ws: false } as const;
  servers.push(await createServer({ configFile: false, root: folder, server, plugins: [topupProxy()] }));
}

it('starts no sandbox for the tests of a shop', async () => {
  await startVite();

  expect(spawn).not.toHaveBeenCalled();
});

it('keeps its sandbox when Vite restarts, and starts another sandbox after it has stopped', async () => {
  vi.stubEnv('VITEST', '');
  await startVite();
  await startVite();
  expect(spawn).toHaveBeenCalledTimes(1);

  const sandbox: ChildProcess = spawn.mock.results[0]?.value;
  const stopped = new Promise((resolve) => sandbox.once('exit', resolve));
  sandbox.kill();
  await stopped;
  await startVite();
  expect(spawn).toHaveBeenCalledTimes(2);
});
