import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { sandboxCatalogFile } from '../../packages/core/src/sandbox/index.ts';

const pathOf = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const guide = readFileSync(new URL('../../docs/adapters.md', import.meta.url), 'utf8');

it.each(['start.ts', 'gateway.ts', 'supplier.ts'])('docs/adapters.md shows %s as it is', (file) => {
  expect(guide).toContain(`\`\`\`ts\n${readFileSync(pathOf(file), 'utf8')}\`\`\``);
});

it('starts the example server, and ends when the example is stopped', { timeout: 30_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'topup-adapters-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const catalog = join(folder, 'catalog.json');
  writeFileSync(catalog, JSON.stringify(sandboxCatalogFile));
  const settings = { TOPUP_STORE: `file:${join(folder, 'topup.db')}`, TOPUP_CATALOG: catalog, PORT: '0' };
  const child = spawn(process.execPath, ['--conditions=@topup-kit/source', pathOf('start.ts')], {
    env: { ...process.env, ...settings, GATEWAY_KEY: 'a-secret-key' },
  });
  let log = '';
  const ready = Promise.withResolvers<string>();
  child.stderr.on('data', (text) => {
    log += text;
    const [, baseUrl] = /"baseUrl":"([^"]*)".*is ready/.exec(log) ?? [];
    if (baseUrl !== undefined) ready.resolve(baseUrl);
  });
  child.once('close', () => ready.reject(new Error(log)));
  expect((await fetch(`${await ready.promise}/games`)).status).toBe(401);
  const closed = once(child, 'close');
  child.kill('SIGTERM');
  expect(await closed, log).toEqual([0, null]);
  expect(log).toContain('the server stopped');
});

it.each(['gateway', 'supplier'])(
  'passes the tests that every adapter must pass with the %s',
  { timeout: 30_000 },
  (adapter) => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--conditions=@topup-kit/source', '--test', '--test-reporter=tap', pathOf(`fake-${adapter}.ts`)],
      // The tests in this process are not part of the runner that runs this file.
      { encoding: 'utf8', env: { ...process.env, NODE_TEST_CONTEXT: undefined } },
    );
    expect({ status, failures: stdout.match(/^not ok.*/gm) ?? [], stderr }).toEqual({
      status: 0,
      failures: [],
      stderr: '',
    });
    expect(stdout).toMatch(/^# pass [12]\d$/m);
  },
);
