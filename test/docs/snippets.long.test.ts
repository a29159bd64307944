import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { readConfig, startServer } from '@topup-kit/server';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { asBody } from '../../packages/sdk/test/docs/examples.ts';
import { createPrelude } from '../../packages/sdk/test/docs/prelude.ts';
import { beginJourney, type Journey } from '../journeys/helpers/journey.ts';
import { accounts, shownBy } from './accounts.ts';
import { type Block, root } from './blocks.ts';

const names = Object.keys(createPrelude('', undefined)).join(', ');
const ofKind = (kind: string, language: string): Block[] =>
  accounts
    .filter(({ block, account }) => account.kind === kind && block.language === language)
    .map(({ block }) => block);

/** The place of a block as the name of a file or folder. */
const nameOf = ({ page, line }: Block): string => `${page.replaceAll(/\W/g, '-')}-${line}`;

/** What the pages import besides the packages, and what compiles it. */
const others = [
  'typescript',
  '@types/node',
  'msw',
  'vitest',
  '@playwright/test',
  'hono',
  '@hono/node-server',
];
const compilerOptions = {
  strict: true,
  noEmit: true,
  module: 'nodenext',
  target: 'es2024',
  types: ['node'],
  allowImportingTsExtensions: true,
  skipLibCheck: true,
};

let journey: Journey;
beforeAll(async () => {
  journey = await beginJourney('Reader of the snippets', ['sdk', 'mock', 'server']);
  await journey.write({ 'package.json': '{ "private": true, "type": "module" }' });
  const packages = ['sdk', 'mock', 'server'].map((name) => `../packed/topup-kit-${name}.tgz`);
  await journey.type(`npm install ${[...packages, ...others, 'pino', 'undici'].join(' ')}`);
}, 300_000);
afterAll(() => journey[Symbol.asyncDispose](), 60_000);

it('compiles every snippet in TypeScript in strict mode with the packed packages', {
  timeout: 120_000,
}, async () => {
  const examples = ofKind('example', 'ts').map((block): [string, string] => [
    `${nameOf(block)}.ts`,
    `import type { Prelude } from './prelude.ts';
export async function example({ ${names} }: Prelude): Promise<void> ${asBody({ of: '', code: block.text }, 'import')}`,
  ]);
  // Files of a page import each other.
  const files = ofKind('file', 'ts').map((block): [string, string] => [
    `${block.page.replaceAll(/\W/g, '-')}/${block.file ?? basename(shownBy(block) ?? '')}`.replace(
      '.mjs',
      '.ts',
    ),
    block.text,
  ]);
  expect(examples.length).toBeGreaterThan(15);
  expect(files.length).toBeGreaterThan(8);
  await journey.write({
    ...Object.fromEntries([...examples, ...files]),
    'prelude.ts': await readFile(join(root, 'packages/sdk/test/docs/prelude.ts'), 'utf8'),
    'tsconfig.json': JSON.stringify({ compilerOptions, include: ['**/*.ts'] }),
  });
  expect(await journey.type('npx tsc')).toBe('');

  await journey.write({ 'wrong.ts': "import { nothing } from '@topup-kit/sdk';" });
  await expect(journey.type('npx tsc')).rejects.toThrow(/no exported member 'nothing'/);
});

/** The one block with these words, after imports of what a reader has. */
function programWith(words: string, imports: string, after: string): string {
  const [block, another] = ofKind('example', 'js').filter(({ text }) => text.includes(words));
  expect([block?.page, another]).toEqual(['docs/sdk.md', undefined]);
  return `import { createTopupClient } from '@topup-kit/sdk';\n${imports}\n${block?.text}\n${after}`;
}

it('runs every snippet in JavaScript below', () => {
  expect(ofKind('example', 'js')).toHaveLength(2);
});

it("passes a message's data to pino", async () => {
  const settings = { TOPUP_MODE: 'sandbox', TOPUP_STORE: 'memory:', TOPUP_LOG_LEVEL: 'silent' };
  const config = readConfig({ ...settings, PORT: '0' });
  await using sandbox = await startServer(config);
  const options = { headers: { 'X-Topup-Scenario': 'maintenance' } };
  const after = `await client.games.list(${JSON.stringify(options)}).safe();`;
  await journey.write({ 'log.mjs': programWith('pino()', "import { pino } from 'pino';", after) });
  const variables = `TOPUP_BASE_URL=${sandbox.baseUrl} TOPUP_API_KEY=${sandbox.sandboxKey} TOPUP_LOG=info`;
  const [line = ''] = (await journey.type(`${variables} node log.mjs`)).split('\n');
  expect(JSON.parse(line)).toMatchObject({
    level: 30,
    msg: expect.stringMatching(/^topup-sdk: GET /),
    attempt: 1,
  });
});

it("sends requests through the network proxy with undici's fetch", async () => {
  const connected: (string | undefined)[] = [];
  const proxy = createServer()
    .on('connect', ({ url }, socket) => {
      connected.push(url);
      socket.destroy();
    })
    .listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  // Safe: a server that listens on a port has such an address.
  const { port } = proxy.address() as AddressInfo;
  const after = 'console.log((await client.games.list({ maxRetries: 0 }).safe()).error.code);';
  await journey.write({ 'proxy.mjs': programWith('ProxyAgent', '', after) });
  expect(await journey.type(`HTTPS_PROXY=http://127.0.0.1:${port} node proxy.mjs`)).toBe('NETWORK_ERROR\n');
  expect(connected).toEqual(['shop.example:443']);
  proxy.close();
});
