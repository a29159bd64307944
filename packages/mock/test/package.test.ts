import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { build, type Metafile } from 'esbuild';
import { expect, it } from 'vitest';
import { importInBareRealm } from '../../../test/bare-realm.ts';

const here = import.meta.dirname;
const reportLoaded = new URL('../../cli/test/helpers/report-loaded.ts', import.meta.url).href;

/** Runs a program in a separate Node process. */
const runProgram = (program: string, ...flags: string[]) =>
  promisify(execFile)(
    process.execPath,
    ['--conditions=@topup-kit/source', ...flags, '--input-type=module', '--eval', program],
    { cwd: here, maxBuffer: 2 ** 24 },
  );

/** The modules that a program loads. */
const loadedBy = async (program: string): Promise<string> =>
  (await runProgram(program, '--import', reportLoaded)).stderr;

async function bundleOf(contents: string): Promise<Metafile> {
  const { metafile } = await build({
    stdin: { contents, resolveDir: here, loader: 'ts' },
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    conditions: ['@topup-kit/source'],
    logLevel: 'silent',
  });
  return metafile;
}

const filesOf = ({ inputs }: Metafile): string => Object.keys(inputs).join('\n');

it('bundles for a browser, with its worker', async () => {
  const files = filesOf(
    await bundleOf(`
      import { createTopupMock } from '@topup-kit/mock';
      const worker = await createTopupMock({ baseUrl: '/api' }).worker();
      await worker.start();
    `),
  );
  expect(files).toContain('/msw/lib/browser/');
  expect(files).not.toContain('/msw/lib/node/');
  expect(files).not.toContain('@faker-js');
});

it.each([
  `import { createMockService } from '@topup-kit/mock/in-process'; createMockService();`,
  `import { mockTopup } from '@topup-kit/mock/playwright'; mockTopup(page);`,
])("doesn't need msw: %s", async (program) => {
  const files = filesOf(await bundleOf(program));
  expect(files).not.toContain('/msw/');
});

it.each(['in-process', 'playwright', 'catalog', 'conformance'])(
  'imports in any environment: %s',
  async (entry) => {
    expect(await importInBareRealm(`@topup-kit/mock/${entry}`, here)).toBeTypeOf('object');
  },
);

it('does not keep the process alive', async () => {
  const script = `
    import { createMockService } from '@topup-kit/mock/in-process';
    const mock = createMockService({ scenario: 'supplier-down' });
    const headers = { 'X-API-KEY': mock.apiKey, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ id: '1', server: '1', game: 'mobile-legends', product_id: 901,
      payment_method_id: 12, whatsapp: '081234567890' });
    const created = await mock.fetch(mock.baseUrl + '/order', { method: 'POST', headers, body });
    const { orderId } = await created.json();
    await mock.orders.pay(orderId);
    await mock.clock.advance('1h');
    process.on('exit', () => process.stdout.write(String(Math.round(performance.now() - end))));
    const end = performance.now();
  `;
  const { stdout } = await runProgram(script);
  expect(Number(stdout)).toBeLessThan(500);
});

const faker = /^loaded .*@faker-js/m;

it("doesn't load faker for a mock without generated catalogues", async () => {
  const loaded = await loadedBy(
    `import { createTopupMock } from '@topup-kit/mock';
     const mock = createTopupMock();
     await mock.fetch(mock.baseUrl + '/games');`,
  );
  expect(loaded).toContain('mock/src/index.ts');
  expect(loaded).not.toMatch(faker);
});

it('loads only the languages of generated catalogues', async () => {
  const loaded = await loadedBy(`import '@topup-kit/mock/catalog';`);
  expect(loaded).toMatch(faker);
  expect(loaded).not.toMatch(/@faker-js\/faker\/dist\/index\.js/);
});
