import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Block, blocksIn, pages, root } from './blocks.ts';

/** How a block is proven. */
export interface Account {
  kind:
    | 'runs' /* pages.long.test.ts runs it, in the order of its page */
    | 'example' /* snippets.long.test.ts compiles it with the packed packages, and a test runs it */
    | 'file' /* it is a file of the repository, which a test runs */
    | 'taken' /* a test takes all blocks of this language of the page */
    | 'elsewhere' /* a test runs the same commands in its own way */
    | 'data' /* it is valid JSON */
    | 'not run' /* the page's source says why */
    | 'unaccounted';
  /** The test, the reason, or what to do. */
  by: string;
}

const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Files that pages show as they are, and the test that runs each. */
const shown: Record<string, string> = {
  'examples/mock/first-sale.ts': 'examples/mock/first-sale.test.ts',
  'examples/mock/guide/index.html': 'test/journeys/vite.slow.test.ts',
  'examples/sdk/first-order.ts': 'examples/sdk/first-order.test.ts',
  'examples/proxy/express.ts': 'examples/proxy/servers.test.ts',
  'examples/proxy/hono.ts': 'examples/proxy/servers.test.ts',
  'examples/proxy/next/app/api/topup/[...path]/route.ts': 'examples/proxy/next.test.ts',
  'examples/webhooks/hono.ts': 'examples/webhooks/receivers.test.ts',
  'examples/recipes/playwright/mock.ts': 'test/journeys/playwright.slow.test.ts',
  'examples/recipes/vitest-server/global-setup.ts': 'test/journeys/vitest-server.slow.test.ts',
  'examples/adapters/start.ts': 'examples/adapters/guide.slow.test.ts',
  'examples/adapters/gateway.ts': 'examples/adapters/fake-gateway.ts',
  'examples/adapters/supplier.ts': 'examples/adapters/fake-supplier.ts',
  ...Object.fromEntries(
    globSync('examples/other-languages/{python,php,go}/*.{py,php,go}', { cwd: root }).map((path) => [
      path,
      'examples/other-languages/shops.ts',
    ]),
  ),
  'examples/other-languages/TopupSandbox.java': 'examples/other-languages/sandbox-helpers.slow.test.ts',
  'examples/other-languages/topup_sandbox.php': 'examples/other-languages/sandbox-helpers.slow.test.ts',
  'examples/other-languages/generated/order.py': 'test/languages/languages.ts',
  'examples/other-languages/generated/order.php': 'test/languages/languages.ts',
  'examples/other-languages/generated/order.go': 'test/languages/languages.ts',
};

/** Test files, by the text that they show. A test that a page shows is run as it is. */
const files = new Map(
  [
    ...Object.keys(shown),
    ...globSync('examples/**/*.test.ts', { cwd: root, exclude: ['**/node_modules'] }),
  ].map((path) => [read(path), path]),
);

/** The file of the repository that a block shows as it is. */
export const shownBy = ({ text }: Block): string | undefined => files.get(text);

/** Whether a test has the file by its name, or its folder as an example to copy. */
const runs = (test: string, file: string): boolean =>
  test === file ||
  [basename(file), dirname(file).replace('examples/', '')].some((name) => read(test).includes(name));

/** The pages and languages whose blocks tests take, by "page language". */
const takers = new Map(
  globSync(['{packages,examples}/**/test/**/*.ts', 'examples/**/*.test.ts', 'test/**/*.ts'], {
    cwd: root,
    exclude: ['**/node_modules'],
  }).flatMap((path) =>
    [...read(path).matchAll(/\bblocksOf\(\s*'([^']+)',\s*'([^']*)'/g)].map(
      ([, page, language]): [string, string] => [`${page} ${language}`, path],
    ),
  ),
);

/** The language of a block of shell commands; the commands of a block without a language are for a shell. */
const isShell = ({ language }: Block): boolean => ['', 'sh', 'bash', 'console'].includes(language);

function elsewhere(mark: string): Account {
  const [, test = '', words = ''] = /^(\S+): "([\s\S]*)"$/.exec(mark) ?? [];
  if (existsSync(join(root, test)) && words !== '' && read(test).includes(words))
    return { kind: 'elsewhere', by: test };
  return {
    kind: 'unaccounted',
    by: `"run by: ${mark}": name a test file, and words of it in quotes: FILE: "WORDS"`,
  };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

export function accountOf(block: Block): Account {
  const { page, language, text, marks } = block;
  if (marks['not run'] !== undefined) return { kind: 'not run', by: marks['not run'] };
  if (marks['run by'] !== undefined) return elsewhere(marks['run by']);
  const file = shownBy(block);
  if (file !== undefined) {
    const test = shown[file] ?? file;
    return runs(test, file)
      ? { kind: 'file', by: test }
      : { kind: 'unaccounted', by: `it is ${file}, but ${test} does not name that file` };
  }
  const taker = takers.get(`${page} ${language}`);
  if (taker !== undefined) return { kind: 'taken', by: taker };
  if (language === 'ts') return { kind: 'example', by: 'packages/sdk/test/docs/pages.test.ts' };
  if (language === 'js') return { kind: 'example', by: 'test/docs/snippets.long.test.ts' };
  if (language === 'json' && isJson(text)) return { kind: 'data', by: 'JSON.parse' };
  if (isShell(block)) return { kind: 'runs', by: 'test/docs/pages.long.test.ts' };
  return {
    kind: 'unaccounted',
    by: `no test runs a block of ${language}: let one take it by blocksOf('${page}', '${language}'), show a file that a test runs, or write above it "<!-- not run: WHY -->" or "<!-- run by: FILE: "WORDS" -->"`,
  };
}

/** Every block of every page, with its account. */
export const accounts = pages
  .flatMap(blocksIn)
  .map((block) => ({ block, account: accountOf(block), isShell: isShell(block) }));
