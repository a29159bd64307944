import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { unpackInto } from '../../scripts/pack.ts';
import { run } from '../../scripts/run.ts';
import { packed, slowOnly } from '../shared.ts';

// The packed SDK and mock in Jest, which gives each test file a realm of its own.

// Each test starts a Jest, which takes seconds on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const { resolve } = createRequire(import.meta.url);
const jest = await slowOnly('jest/bin/jest');
const environments = ['jest-environment-jsdom', 'jest-fixed-jsdom'];

/** A project with both packages, an MSW, and Jest's environments. */
async function createProject(msw: 'msw' | 'msw-2'): Promise<string> {
  const project = await mkdtemp(join(await realpath(tmpdir()), 'topup-kit-jest-'));
  const modules = join(project, 'node_modules');
  await mkdir(modules);
  for (const name of ['sdk', 'mock'] as const) await unpackInto(modules, name, await packed(name));
  await symlink(dirname(resolve(`${msw}/package.json`)), join(modules, 'msw'));
  for (const name of environments)
    await symlink(dirname(await slowOnly(`${name}/package.json`)), join(modules, name));
  return project;
}

const projects = { msw: '', 'msw-2': '' };
beforeAll(async () => {
  projects.msw = await createProject('msw');
  projects['msw-2'] = await createProject('msw-2');
}, 600_000);
afterAll(() =>
  Promise.all(Object.values(projects).map((project) => rm(project, { recursive: true, force: true }))),
);

interface TestFile {
  environment: string;
  test: string;
  /** Whether the test file is an ES module. */
  esm?: boolean;
  /** Whether Jest may load ES modules, as MSW needs. */
  vmModules?: boolean;
}

/** The number of tests that passed in a test file; if one failed, all that Jest says of it. */
async function runJest(
  project: string,
  { environment, test, esm = false, vmModules = false }: TestFile,
): Promise<unknown> {
  const folder = await mkdtemp(join(project, 'test-'));
  await writeFile(join(folder, `shop.test.${esm ? 'mjs' : 'cjs'}`), test);
  const config = {
    testEnvironment: environment,
    testMatch: ['**/shop.test.*'],
    moduleFileExtensions: ['js', 'mjs', 'cjs', 'json'],
    transform: {},
    watchman: false,
    cacheDirectory: './cache',
  };
  await writeFile(join(folder, 'jest.config.json'), JSON.stringify(config));
  const flags = vmModules ? ['--experimental-vm-modules'] : [];
  const printed = await run(process.execPath, [...flags, jest, '--runInBand', '--json'], {
    cwd: folder,
  }).catch((error: { stdout?: string; stderr?: string }) => error.stdout || String(error.stderr));
  const { success, numPassedTests, testResults } = JSON.parse(printed);
  return success ? numPassedTests : testResults;
}

/** The first order of a page by the main and the light client: `create[0]` and `create[1]`. */
const orderTests = `
  const order = {
    game: 'mobile-legends', product_id: 901, payment_method_id: 12, id: '12345678', server: '2012',
    whatsapp: '081234567890',
  };
  afterEach(() => mock.reset());
  const ways = [['main', 0], ['light', 1]];
  describe.each(ways)('%s', (name, index) => {
    const client = create[index]({ baseUrl: mock.baseUrl, maxRetries: 0 });
    test('lists games, and places an order that is delivered', async () => {
      const { games } = await client.games.list();
      expect(games.map(({ slug }) => slug)).toContain('mobile-legends');
      const { orderId } = await client.orders.create(order);
      await mock.orders.pay(orderId);
      await mock.clock.advance('2s');
      expect((await client.orders.waitFor(orderId)).outcome).toBe('delivered');
    });
    test('names the fields of an invalid order', async () => {
      const { error } = await client.orders.create({ ...order, whatsapp: '' }).safe();
      expect(error.code).toBe('VALIDATION_ERROR');
      expect(Object.keys(error.fields)).toEqual(['whatsapp']);
    });
    test('ends a call at its time limit', async () => {
      mock.scenarios.use('slow');
      const { error } = await client.games.list({ timeout: 50 }).safe();
      expect(error.code).toBe('TIMEOUT');
    });
  });`;
const orderTestCount = 6;

const create = "['@topup-kit/sdk', '@topup-kit/sdk/light'].map((entry) => require(entry).createTopupClient)";

const withoutMsw = `
  const { createTopupMock } = require('@topup-kit/mock');
  const mock = createTopupMock();
  const { fetch, apiKey } = mock;
  const create = ${create}.map((create) => (options) => create({ ...options, apiKey, fetch }));`;

const listening = `
  const mock = createTopupMock({ baseUrl: 'https://shop.test/api', auth: 'off' });
  const server = setupServer(...mock.handlers);
  beforeAll(() => server.listen());
  afterAll(() => server.close());`;

const withMsw = `
  const { createTopupMock } = require('@topup-kit/mock');
  const { setupServer } = require('msw/node');
  const create = ${create};
  ${listening}`;

const withMswAsModule = `
  import { createTopupMock } from '@topup-kit/mock';
  import { createTopupClient } from '@topup-kit/sdk';
  import { createTopupClient as createLightClient } from '@topup-kit/sdk/light';
  import { setupServer } from 'msw/node';
  const create = [createTopupClient, createLightClient];
  ${listening}`;

describe.each(['node', 'jest-fixed-jsdom'])('%s', (environment) => {
  it('places orders with mock.fetch, through require and without a flag', async () => {
    const test = withoutMsw + orderTests;
    expect(await runJest(projects.msw, { environment, test })).toBe(orderTestCount);
  });

  it.each(['msw', 'msw-2'] as const)(
    'places orders with the global fetch and %s, through require',
    async (msw) => {
      const test = withMsw + orderTests;
      expect(await runJest(projects[msw], { environment, test, vmModules: true })).toBe(orderTestCount);
    },
  );

  it('places orders with the global fetch and MSW 3, through import', async () => {
    const file = { environment, test: withMswAsModule + orderTests, esm: true, vmModules: true };
    expect(await runJest(projects.msw, file)).toBe(orderTestCount);
  });
});

describe('jest-environment-jsdom, which has no Request', () => {
  const environment = 'jest-environment-jsdom';

  it('loads every entry, and names the missing global', async () => {
    const test = `
      const message = /needs Request, Response.*which this environment lacks.*jest-fixed-jsdom/;
      test.each(['@topup-kit/sdk', '@topup-kit/sdk/light'])('%s', (entry) => {
        const { createTopupClient } = require(entry);
        expect(() => createTopupClient({ baseUrl: 'https://shop.test/api' })).toThrow(message);
      });
      test.each(['@topup-kit/mock', '@topup-kit/mock/in-process'])('%s', (entry) => {
        const { createMockService } = require(entry);
        expect(() => createMockService()).toThrow(message);
      });
      test.each([
        '@topup-kit/sdk/proxy',
        '@topup-kit/mock/playwright',
        '@topup-kit/mock/catalog',
        '@topup-kit/mock/conformance',
      ])('%s', (entry) => {
        expect(Object.keys(require(entry)).length).toBeGreaterThan(0);
      });`;
    expect(await runJest(projects.msw, { environment, test })).toBe(8);
  });
});
