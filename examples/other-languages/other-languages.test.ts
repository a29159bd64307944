import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { readConfig, startServer } from '@topup-kit/server';
import { describe, expect, it } from 'vitest';
import { isThere } from './is-there.ts';

it.each(['order.py', 'order.php', 'order.go'])('the guide to generated clients shows %s', async (file) => {
  const read = (path: string) => readFile(new URL(path, import.meta.url), 'utf8');
  const language = { py: 'python', php: 'php', go: 'go' }[file.replace('order.', '')];
  expect(await read('../../docs/other-languages.md')).toContain(
    `\`\`\`${language}\n${await read(`generated/${file}`)}\`\`\``,
  );
});

describe.each([
  { command: 'python3', file: 'shop_test.py', page: 'python' },
  { command: 'php', file: 'shop_test.php', page: 'php' },
])('the guide for $page', ({ command, file, page }) => {
  const path = fileURLToPath(new URL(file, import.meta.url));

  it('shows the file that is run', async () => {
    const guide = await readFile(new URL(`../../docs/${page}.md`, import.meta.url), 'utf8');
    expect(guide).toContain(`\`\`\`${page}\n${await readFile(path, 'utf8')}\`\`\``);
  });

  it.skipIf(!isThere(command))(
    `passes against a sandbox (needs ${command})`,
    { timeout: 30_000 },
    async () => {
      const config = readConfig({ TOPUP_MODE: 'sandbox', TOPUP_STORE: 'memory:', PORT: '0' });
      await using server = await startServer(config);
      const env = { ...process.env, TOPUP_BASE_URL: server.baseUrl };
      const { stdout, stderr } = await promisify(execFile)(command, [path], { env, timeout: 25_000 });
      // Python's test runner reports on stderr.
      expect(stdout + stderr).toMatch(/^ok: an order is paid and delivered$|^Ran 4 tests/m);
    },
  );
});

it.each([
  ['java', 'TopupSandbox.java'],
  ['php', 'topup_sandbox.php'],
])('the guide shows the helper for %s, which has at most 30 lines', async (language, file) => {
  const guide = await readFile(new URL('../../docs/test-your-integration.md', import.meta.url), 'utf8');
  const text = await readFile(new URL(file, import.meta.url), 'utf8');
  expect(guide).toContain(`\`\`\`${language}\n${text}\`\`\``);
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(30);
});
