import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { oldestNode, slowOnly } from '../../../test/shared.ts';
import { temporaryFolder } from './helpers/folder.ts';
import { installPacked, type Ran, runProgram, startInstalled } from './helpers/installed.ts';
import { connectAssistant } from './helpers/mcp.ts';
import { fixtureOrder } from './helpers/order.ts';
import { renderHelp } from './helpers/render-help.ts';

// At the top, because their first use installs them.
const oldNodes = [
  { version: 20, node: join(await oldestNode(), 'node') },
  { version: 22, node: join(dirname(await slowOnly('node-22/package.json')), 'bin/node') },
];
const folder = temporaryFolder();
let environment: Record<string, string>;
let project: string;
let topup: string;
let server: Awaited<ReturnType<typeof startInstalled>>;

beforeAll(async () => {
  ({ project, environment } = await installPacked(folder.path));
  topup = join(project, 'node_modules/.bin/topup');
  server = await startInstalled(topup, ['serve', '--sandbox', '--port', '0'], {
    cwd: project,
    env: environment,
  });
  environment = { ...environment, TOPUP_BASE_URL: server.baseUrl };
}, 60_000);
afterAll(() => {
  server?.[Symbol.dispose]();
  folder[Symbol.dispose]();
});

const run = (...args: string[]): Promise<Ran> => runProgram(topup, args, { cwd: project, env: environment });

describe('the command installed by npm in an empty project', () => {
  it('installs no other package with the command', () => {
    expect(readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
      '@topup-kit',
    ]);
    expect(readdirSync(join(project, 'node_modules/@topup-kit/cli')).toSorted()).toEqual([
      ...['AGENTS.md', 'LICENSE', 'README.md', 'dist', 'docs', 'package.json', 'skills'],
    ]);
  });

  it('contains the licences of its bundled code', () => {
    const notices = readFileSync(join(project, 'node_modules/@topup-kit/cli/dist/third-party.txt'), 'utf8');

    expect(notices).toMatch(/^commander [\d.]+ \(MIT\)$/m);
    expect(notices).toContain('Permission is hereby granted');
  });

  describe.each(oldNodes)('on Node $version', ({ version, node }) => {
    const onOldNode = (...args: string[]): Promise<Ran> =>
      runProgram(node, [topup, ...args], { cwd: project, env: environment });

    // Starts a dozen processes, one after another.
    it('shows the help on Node 20, and runs the commands for the catalogue, orders, the sandbox and events', {
      timeout: 60_000,
    }, async () => {
      expect((await onOldNode('--help')).stdout).toBe((await run('--help')).stdout);
      expect((await onOldNode('games', 'list')).stdout).toBe((await run('games', 'list')).stdout);
      expect((await onOldNode('games', 'show', 'mobile-legends')).stdout).toContain('86 Diamond');
      expect((await onOldNode('checkout', 'show', 'mobile-legends')).code).toBe(0);

      const { orderId } = JSON.parse((await onOldNode(...fixtureOrder, '--json')).stdout);
      expect((await onOldNode('sandbox', 'pay', orderId)).code).toBe(0);
      for (const args of [
        ['sandbox', 'status'],
        ['sandbox', 'requests'],
        ['orders', 'mine'],
        ['orders', 'show', orderId],
      ])
        expect(await onOldNode(...args)).toMatchObject({ code: 0, stdout: expect.stringMatching(/./) });

      const triggered = await onOldNode('trigger', 'order.delivered', '--json');
      expect({ code: triggered.code, event: JSON.parse(triggered.stdout).event }).toMatchObject({ code: 0 });
    });

    it.each([
      [['serve'], 'topup serve'],
      [['simulate'], 'topup simulate'],
      [['activity'], 'topup activity'],
      [['orders', 'list'], 'Work on a store'],
      [['orders', 'show', 'INV-1', '--history'], 'Work on a store'],
    ])('explains for %j how to get the required Node version', async (args, what) => {
      const { code, stderr } = await onOldNode(...args);

      expect(code).toBe(1);
      expect(stderr).toMatch(/ needs Node 24 or later; this is v\d+\.\d+\.\d+\.\n.*\n {2}npx -p node@24 /);
      expect(stderr).toContain(`this is v${version}.`);
      expect(stderr).toContain(what);
    });
  });

  it('lets npx find the command after an installation', async () => {
    const npx = await runProgram('npx', ['--offline', 'topup', '--version'], {
      cwd: project,
      env: environment,
    });

    expect(npx.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it('shows the same help as the source', async () => {
    const reference = fileURLToPath(new URL('../reference.md', import.meta.url));
    const { stdout } = await run('--help');

    expect(readFileSync(reference, 'utf8')).toContain(renderHelp([], stdout));
  });

  it.each([['/docs'], ['/openapi.json']])('starts a server with %s', async (path) => {
    const answer = await fetch(new URL(path, server.baseUrl));

    expect(answer.status).toBe(200);
  });

  it('lists games, places an order, shows its page, and finds the order in the store', async () => {
    expect((await run('games', 'list')).stdout).toContain('mobile-legends');

    const { orderId, data } = JSON.parse((await run(...fixtureOrder, '--json')).stdout);
    const page = await fetch(data.payment_url);
    expect({ status: page.status, html: (await page.text()).includes(orderId) }).toEqual({
      status: 200,
      html: true,
    });
    expect((await run('orders', 'list', '--quiet')).stdout).toContain(`${orderId}\n`);
  });

  it("passes the kit's conformance test", async () => {
    const { code, stdout } = await run('conformance');

    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('0 failed') });
  });

  it('generates a catalogue with lazily loaded code', async () => {
    const { code, stderr } = await run('catalog', 'generate', '--seed', '7', '--out', 'made.json');

    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect((await run('catalog', 'check', 'made.json')).code).toBe(0);
  });

  it('writes a readable log', async () => {
    const args = ['serve', '--sandbox', '--store', 'memory:', '--port', '0', '--log-format', 'pretty'];
    using pretty = await startInstalled(topup, args, { cwd: project, env: environment });

    expect((await fetch(new URL('/livez', pretty.baseUrl))).status).toBe(200);
  });

  it('includes a driver for PostgreSQL', async () => {
    const { code, stderr } = await run('db', 'status', '--store', 'postgres://shop:x@127.0.0.1:1/shop');

    expect({ code, stderr }).toEqual({ code: 5, stderr: expect.stringContaining("can't be reached") });
  });

  it('offers its tools and documentation to an assistant', async () => {
    const transport = new StdioClientTransport({
      command: topup,
      args: ['mcp'],
      env: environment,
      cwd: project,
    });
    await using assistant = await connectAssistant(transport);

    expect((await assistant.call('sandbox_status')).result).toMatchObject({ base_url: server.baseUrl });
    expect((await assistant.call('explain_error', { code: 'PROMO_QUOTA' })).result).toMatchObject({
      explanation: expect.stringMatching(/^The promo code has reached/),
    });
  });

  it('completes command lines', async () => {
    expect((await run('__complete', 'fish', 'games', 'show', 'mob')).stdout).toBe(
      'mobile-legends\tMobile Legends: Bang Bang\n',
    );
  });
});

/** The files that a command loads. */
async function loadedBy(...args: string[]): Promise<string[]> {
  const reportLoaded = new URL('./helpers/report-loaded.ts', import.meta.url).href;
  const env = { ...environment, NODE_OPTIONS: `--import=${reportLoaded}` };
  const { stderr } = await runProgram(topup, args, { cwd: project, env });
  return [...stderr.matchAll(/^loaded file:\/\/(.*\.mjs)$/gm)].map(([, file = '']) => file);
}

const contains = (files: string[], text: string): boolean =>
  files.some((file) => readFileSync(file, 'utf8').includes(text));

describe('the installed command loads', () => {
  it('loads one file for --version', async () => {
    expect((await loadedBy('--version')).map((file) => file.split('/').at(-1))).toEqual(['bin.mjs']);
  });

  it('loads no commander for --help', async () => {
    const loaded = await loadedBy('--help');

    expect(loaded.length).toBeGreaterThan(1);
    expect(contains(loaded, 'CommanderError')).toBe(false);
  });

  it.each([
    ['games list', ['games', 'list']],
    ['completion', ['__complete', 'bash', 'topup orders ', ':=', '9', '80']],
  ])('loads no server, engine, schemas or prompts for %s', async (_case, args) => {
    const loaded = await loadedBy(...args);

    expect(contains(loaded, 'CommanderError')).toBe(true);
    for (const text of [
      'createSqliteStore',
      'setRawMode',
      'createLogger',
      'McpServer',
      'createEngine',
      'ZodMini',
    ])
      expect({ text, loaded: contains(loaded, text) }).toEqual({ text, loaded: false });
  });
});
