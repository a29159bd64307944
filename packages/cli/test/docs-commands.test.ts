import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RunningServer } from '@topup-kit/server';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hurriedClock, hurryWaits } from '../../../test/hurry.ts';
import { temporaryFolder } from './helpers/folder.ts';
import { run } from './helpers/run.ts';
import { startSandbox } from './helpers/servers.ts';

hurryWaits();

const root = fileURLToPath(new URL('../../../', import.meta.url));
const pages = [
  ...['README.md', 'packages/cli/README.md'],
  ...readdirSync(join(root, 'docs'))
    // going-live.test.ts and daily-work.test.ts run those of a live store, first-pages.slow.test.ts those that follow one another.
    .filter((name) => name.endsWith('.md') && !/^(going-live|runbook|for-[\w-]+)\.md$/.test(name))
    .map((name) => `docs/${name}`),
];

/** Commands that ask, run until they are stopped, or need a world in memory; they have tests of their own. */
const isTestedElsewhere =
  /^(login|customers erase\b.*|(serve|listen)\b.*|sandbox (snapshot|restore|seed|play)\b.*)?$/;

/** The command lines in the code blocks of a page, without the program's name. */
const commandsOf = (page: string): { page: string; line: string }[] =>
  [...readFileSync(join(root, page), 'utf8').matchAll(/^```\w*\n(.*?)^```$/gms)]
    .flatMap(([, block = '']) => block.replaceAll(/\\\n\s*/g, '').split('\n'))
    .flatMap((line) => {
      const [, , command] = /^(\w+=\$\()?(?:npx -y pnpm@12 )?topup(?: (.*?))?\)?$/.exec(line) ?? [];
      return command === undefined || isTestedElsewhere.test(command) ? [] : [{ page, line: command }];
    });

const commands = pages.flatMap(commandsOf);
const folder = temporaryFolder();
let server: RunningServer;
let orderId: string;

beforeAll(async () => {
  mkdirSync(join(folder.path, 'data'));
  server = await startSandbox(`file:${join(folder.path, 'shop.db')}`, { realClock: hurriedClock() });
});
afterAll(async () => {
  await server.close();
  folder[Symbol.dispose]();
});

/** Files are in the test's folder, the service is the sandbox, and `$order` is the order that was placed last. */
const inSandbox = (word: string): string => {
  const path = word.replace(/^file:/, '');
  // Of a database, they tell the same: postgres.slow.test.ts runs them on one.
  if (word.startsWith('postgres:')) return inSandbox('file:shop.db');
  if (path === '$order') return orderId;
  if (word === 'https://shop.example/api') return server.baseUrl;
  if (!/\.(db|json|backup)$/.test(path)) return word;
  return (word.startsWith('file:') ? 'file:' : '') + join(folder.path, basename(path));
};

it("finds commands on the documentation's pages", () => {
  expect(commands.length).toBeGreaterThan(12);
});

it.each(commands)('$page: topup $line', { timeout: 30_000 }, async ({ line }) => {
  const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) =>
    inSandbox(quoted ?? plain ?? ''),
  );
  // Other tests may use the ports that the pages name.
  if (words[0] === 'simulate') words.push('--port', '0');
  // A store that a server uses can't be replaced.
  const store = words[0] === 'restore' ? 'restored.db' : 'shop.db';
  const environment = {
    TOPUP_BASE_URL: server.baseUrl,
    TOPUP_API_KEY: server.sandboxKey ?? '',
    TOPUP_STORE: `file:${join(folder.path, store)}`,
  };
  const { code, stdout, stderr } = await run(words, { environment });
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  const [placed] = /INV-\d{14}-[A-Z]{8}/.exec(stdout) ?? [];
  if (words[1] !== 'create' || !placed) return;
  orderId = placed;
  expect((await run(['sandbox', 'pay', orderId], { environment })).code).toBe(0);
});
