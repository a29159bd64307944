import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { operations } from '@topup-kit/core/contract';
import { type RunningServer, readConfig, startServer } from '@topup-kit/server';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { collectionsFolder } from '../../scripts/collections.ts';
import { installOnce } from '../../scripts/install-once.ts';

const run = promisify(execFile);
/** Each operation, and the payment of the order. */
const requests = operations.length + 1;

let folder: string;
let server: RunningServer;
let variables: string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'collections-'));
  const config = { PORT: '0', TOPUP_MODE: 'sandbox', TOPUP_STORE: 'memory:', TOPUP_LOG_LEVEL: 'silent' };
  [server] = await Promise.all([startServer(readConfig(config)), installOnce(import.meta.dirname)]);
  variables = [`baseUrl=${server.baseUrl}`, `sandboxUrl=${server.publicUrl}/sandbox`].flatMap((variable) => [
    '--env-var',
    variable,
  ]);
}, 300_000);
afterAll(async () => {
  await server?.close();
  await rm(folder, { recursive: true });
});

const runner = (name: string): string => join(import.meta.dirname, 'node_modules/.bin', name);

/** The report that a runner wrote as JSON. It rejects when a request or an assertion failed. */
async function reportOf(name: string, given: string[], cwd: string, report: string): Promise<unknown> {
  await run(runner(name), [...given, ...variables], { cwd, timeout: 60_000 });
  return JSON.parse(await readFile(report, 'utf8'));
}

it('runs its collection in Bruno: places, pays and reads an order', { timeout: 90_000 }, async () => {
  const report = join(folder, 'bruno.json');
  const given = ['run', '-r', '--env', 'Sandbox', '--reporter-json', report];
  expect(await reportOf('bru', given, join(collectionsFolder, 'bruno'), report)).toMatchObject([
    { summary: { totalRequests: requests, passedRequests: requests, failedAssertions: 0 } },
  ]);
});

it("runs its collection in Postman's runner in the same way", { timeout: 90_000 }, async () => {
  const report = join(folder, 'postman.json');
  const given = ['run', 'topup-kit.postman_collection.json', '-r', 'json', '--reporter-json-export', report];
  expect(await reportOf('newman', given, join(collectionsFolder, 'postman'), report)).toMatchObject({
    run: { stats: { requests: { total: requests, failed: 0 }, assertions: { failed: 0 } }, failures: [] },
  });
});
