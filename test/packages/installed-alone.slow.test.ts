import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkPackage, createPackageFromTarballData, type Problem } from '@arethetypeswrong/core';
import { build } from 'esbuild';
import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  asBundler,
  asNode,
  asNode16,
  complaints,
  withDom,
  withNode,
} from '../../packages/sdk/test/package/helpers/type-check.ts';
import { exportingPackages, listPath } from '../../scripts/exports.ts';
import { type PackageName, packageNames } from '../../scripts/pack.ts';
import { run } from '../../scripts/run.ts';
import { packed } from '../shared.ts';
import { deadLinks } from './dead-links.ts';
import { published } from './published.ts';

// Compilers and installers take seconds, on a busy machine many.
vi.setConfig({ testTimeout: 60_000 });

/** The Node that the tests run on comes first: the machine may have an older one. */
const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter);

let folder: string;
const projects = new Map<PackageName, string>();

const projectOf = (name: PackageName): string => projects.get(name) ?? '';
const homeOf = (name: PackageName): string => join(projectOf(name), 'node_modules/@topup-kit', name);

/** Installs a tarball with npm in an empty project, as somebody would who has only npm. */
async function installAlone(name: PackageName): Promise<void> {
  const tarball = await packed(name);
  const project = join(folder, `${name}-project`);
  await mkdir(project);
  await writeFile(join(project, 'package.json'), '{"private":true}');
  const quiet = ['--prefer-offline', '--no-audit', '--no-fund'];
  // With the machine's own way to the registry.
  await run('npm', ['install', ...quiet, tarball], { cwd: project, env: { ...process.env, PATH } });
  projects.set(name, project);
}

beforeAll(async () => {
  folder = await mkdtemp(join(await realpath(tmpdir()), 'topup-kit-alone-'));
  // Builds take all of the machine each.
  for (const name of packageNames) await installAlone(name);
}, 600_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The texts of all files, by their paths. */
async function filesOf(name: PackageName): Promise<Map<string, string>> {
  const entries = await readdir(homeOf(name), { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const texts = paths.map(async (path): Promise<[string, string]> => [path, await readFile(path, 'utf8')]);
  return new Map(await Promise.all(texts));
}

const manifestOf = async (name: PackageName) =>
  JSON.parse(await readFile(join(homeOf(name), 'package.json'), 'utf8'));

describe.each(packageNames)('%s, installed alone by npm', (name) => {
  it('installs no other package of the kit, and only a few packages of other authors', async () => {
    const manifest = await manifestOf(name);

    expect(await readdir(join(projectOf(name), 'node_modules/@topup-kit'))).toEqual([name]);
    expect(Object.keys(manifest.dependencies ?? {})).toEqual(published[name].dependencies);
  });

  it('stays within the size limit of the table', async () => {
    const { size } = await stat(await packed(name));

    expect(size).toBeLessThanOrEqual(published[name].bytes);
  });

  it('names its source, and has its licence', async () => {
    const { repository, homepage, bugs, keywords, license } = await manifestOf(name);

    expect(repository).toMatchObject({ type: 'git', directory: `packages/${name}` });
    expect([repository.url, homepage, bugs].every((url) => URL.canParse(url))).toBe(true);
    expect(keywords).toContain('topup');
    expect(license).toBe('MIT');
    const licence = fileURLToPath(new URL('../../LICENSE', import.meta.url));
    expect(await readFile(join(homeOf(name), 'LICENSE'), 'utf8')).toBe(await readFile(licence, 'utf8'));
  });

  it('needs nothing in its manifest that is only in the repository', async () => {
    expect(JSON.stringify(await manifestOf(name))).not.toMatch(
      /workspace:|@topup-kit\/core|devDependencies|scripts/,
    );
  });

  it('contains no name of a part of core in its code', async () => {
    const built = [...(await filesOf(name))].filter(([path]) => path.includes('/dist/'));

    expect(built.length).toBeGreaterThan(0);
    expect(built.flatMap(([path, text]) => (text.includes('@topup-kit/core') ? path : []))).toEqual([]);
  });

  it('contains texts whose links point to packed files', async () => {
    const files = [...(await filesOf(name))].map(([path, text]): [string, string] => [
      relative(homeOf(name), path),
      text,
    ]);

    expect(deadLinks(new Map(files))).toEqual([]);
  });

  it('passes publint', async () => {
    expect((await publint({ pkgDir: homeOf(name), pack: false, strict: true })).messages).toEqual([]);
  });

  it('exports no path to its sources', async () => {
    expect(JSON.stringify((await manifestOf(name)).exports ?? {})).not.toContain('@topup-kit/source');
  });
});

it('cli: lets npx find the command', async () => {
  const printed = await run('npx', ['--offline', 'topup', '--version'], {
    cwd: projectOf('cli'),
    env: { PATH },
  });

  expect(printed).toMatch(/^\d+\.\d+\.\d+\n$/);
});

const mswOfMock = (): string => join(projectOf('mock'), 'node_modules/msw');

/** Gives a project MSW, which only the main entry of the mock asks for. */
async function addMsw(): Promise<void> {
  const target = mswOfMock();
  const msw = fileURLToPath(new URL('../../packages/mock/node_modules/msw', import.meta.url));
  if (!existsSync(target)) await symlink(await realpath(msw), target);
}

type Library = (typeof exportingPackages)[number];

/** The entries of a package, each with the values that its list of exports names. */
async function listedValues(name: Library): Promise<[entry: string, values: string[]][]> {
  const sections = (await readFile(listPath(name), 'utf8')).trim().split('\n\n');
  return sections.map((section) => {
    const [entry = '', ...lines] = section.split('\n').map((line) => line.trim());
    return [entry, lines.filter((line) => !line.startsWith('type '))];
  });
}

/** What Node gets of an entry: as an ES module by `import`, or as CommonJS by `require`, without ES modules in it. */
async function loadedFrom(project: string, entry: string, how: 'import' | 'require'): Promise<string[]> {
  const load = how === 'import' ? `await import('${entry}')` : `require('${entry}')`;
  const flags = how === 'import' ? ['--input-type=module'] : ['--no-experimental-require-module'];
  const script = `console.log(JSON.stringify(Object.keys(${load})))`;
  return JSON.parse(await run(process.execPath, [...flags, '--eval', script], { cwd: project }));
}

describe.each(exportingPackages)('%s', (name) => {
  it('exports the listed names to Node through import', async () => {
    const listed = await listedValues(name);
    const withoutMsw = listed.filter(([entry]) => entry !== '@topup-kit/mock');
    for (const [entry, values] of withoutMsw)
      expect(await loadedFrom(projectOf(name), entry, 'import'), entry).toEqual(values.toSorted());

    await addMsw();
    for (const [entry, values] of listed)
      expect(await loadedFrom(projectOf(name), entry, 'import'), entry).toEqual(values.toSorted());
  });

  it('exports the same names through require, which loads no ES module', async () => {
    for (const [entry, values] of await listedValues(name))
      expect((await loadedFrom(projectOf(name), entry, 'require')).toSorted(), entry).toEqual(
        values.toSorted(),
      );
  });

  it('has types that agree with its code, for every kind of import', async () => {
    const tarball = createPackageFromTarballData(await readFile(await packed(name)));
    const checked = await checkPackage(tarball);

    if (!checked.types) throw new Error('the package has no types');
    const entries = (await listedValues(name)).map(([entry]) => entry.replace(`@topup-kit/${name}`, '.'));
    // The manifest is an entry too, for tools that read it, and has no types.
    const withTypes = Object.keys(checked.entrypoints).filter((entry) => entry !== './package.json');
    expect(withTypes).toEqual(entries);
    expect(checked.problems.filter((problem) => !isSubpathOfOldResolution(problem))).toEqual([]);
  });
});

/**
 * The old module resolution without `exports`, which TypeScript 6 deprecates, finds `.` by `main`. It doesn't support
 * subpaths, and these packages don't emulate them.
 */
const isSubpathOfOldResolution = (problem: Problem): boolean =>
  problem.kind === 'NoResolution' && problem.resolutionKind === 'node10' && problem.entrypoint !== '.';

describe('the mock by require', () => {
  const script = `
    const { createTopupMock } = require('@topup-kit/mock');
    const mock = createTopupMock();
    const headers = { 'X-API-KEY': mock.apiKey };
    mock.fetch(mock.baseUrl + '/games', { headers }).then(async (response) => {
      const { games } = await response.json();
      let handlers;
      try { handlers = mock.handlers.length > 0; } catch ({ message }) { handlers = message; }
      const server = await mock.server().then((server) => typeof server.listen, ({ message }) => message);
      console.log(JSON.stringify({ games: games.length > 0, handlers, server }));
    });`;
  const seen = async (...flags: string[]): Promise<unknown> =>
    JSON.parse(await run(process.execPath, [...flags, '--eval', script], { cwd: projectOf('mock') }));

  it('returns the handlers if Node can require MSW', async () => {
    await addMsw();

    expect(await seen()).toEqual({ games: true, handlers: true, server: 'function' });
  });

  it('works without MSW, and explains what the handlers need', async () => {
    await addMsw();
    const explained = expect.stringMatching(
      /^require\('msw(\/\w+)?'\) failed.*npm install --save-dev msw\b.*mock\.fetch/,
    );

    expect(await seen('--no-experimental-require-module')).toEqual({
      games: true,
      handlers: explained,
      server: explained,
    });
  });
});

const mockConsumer = `
  import * as mock from '@topup-kit/mock';
  import * as inProcess from '@topup-kit/mock/in-process';
  import * as playwright from '@topup-kit/mock/playwright';
  import * as catalog from '@topup-kit/mock/catalog';
  import * as conformance from '@topup-kit/mock/conformance';

  const service: mock.TopupMock = mock.createTopupMock({ catalog: catalog.generateCatalog({ games: 3 }) });
  service.override('createOrder', { code: 'PAYMENT_FAILED' });
  // @ts-expect-error no such operation: the types did arrive
  service.override('createOrders', { code: 'PAYMENT_FAILED' });
  // @ts-expect-error no such option
  inProcess.createMockService({ sead: 1 });

  export async function describe(target: conformance.ConformanceTarget): Promise<mock.DialectOverrides> {
    const { dialect, differences } = await conformance.describeService(target, { writes: false });
    // @ts-expect-error no such field
    differences[0]?.wanted;
    return dialect;
  }

  // Whoever passes it on has declaration files, in which every type must have a name to import.
  export const passedOn = {
    mock: { ...mock },
    inProcess: { ...inProcess },
    playwright: { ...playwright },
    catalog: { ...catalog },
    conformance: { ...conformance },
  };`;

const serverConsumer = `
  import * as server from '@topup-kit/server';
  import type { PaymentGateway, Supplier } from '@topup-kit/server';

  const gateway: PaymentGateway = {
    kind: 'local',
    name: 'example',
    sandbox: true,
    createPayment: ({ orderId }) => ({ reference: orderId, code: orderId, url: null, qrString: null }),
  };
  const supplier: Supplier = {
    name: 'example',
    sandbox: true,
    abilities: { findBy: 'none', findIntervalMs: 0, referenceLifetimeMs: null },
    submit: async ({ productCode }) => ({ state: 'delivered', serialNumber: productCode }),
    find: async () => ({ state: 'pending' }),
  };

  export async function serve(): Promise<string> {
    await using running = await server.startServer(server.readConfig({}), { gateway, supplier });
    // @ts-expect-error no such field: the types did arrive
    running.baseURL;
    return running.baseUrl;
  }

  export async function ordersIn(path: string): Promise<server.StoredOrder[]> {
    const store = server.openStore({ kind: 'file', path });
    // @ts-expect-error no such filter
    await store.listOrders({ limits: 1 });
    return store.listOrders({ limit: 1 });
  }

  export const passedOn = { ...server };`;

it.each([
  ['mock', 'as an ES module in Node', 'consumer.mts', mockConsumer, { ...asNode, ...withDom }],
  ['mock', 'as CommonJS in Node', 'consumer.cts', mockConsumer, { ...asNode, ...withDom }],
  ['mock', 'as CommonJS in Node 16', 'consumer.cts', mockConsumer, { ...asNode16, ...withDom }],
  ['mock', 'by a bundler', 'consumer.ts', mockConsumer, { ...asBundler, ...withDom }],
  ['server', 'as an ES module in Node', 'consumer.mts', serverConsumer, { ...asNode, ...withNode }],
  ['server', 'as CommonJS in Node 16', 'consumer.cts', serverConsumer, { ...asNode16, ...withNode }],
] as const)('compiles code that uses the packed %s %s', async (name, _how, file, code, options) => {
  if (name === 'mock') await addMsw();
  await writeFile(join(projectOf(name), file), code);

  expect(complaints(join(projectOf(name), file), projectOf(name), { ...options })).toEqual([]);
});

it.each([
  ['as an ES module in Node', 'alone.mts', { ...asNode, ...withDom }],
  ['as CommonJS in Node 16', 'alone.cts', { ...asNode16, ...withDom }],
  ['by a bundler', 'alone.ts', { ...asBundler, ...withDom }],
] as const)('compiles code that uses the mock without MSW %s', async (_how, file, options) => {
  await rm(mswOfMock(), { force: true });
  const path = join(projectOf('mock'), file);
  await writeFile(
    path,
    `import * as inProcess from '@topup-kit/mock/in-process';
    import * as playwright from '@topup-kit/mock/playwright';
    // @ts-expect-error no such option: the types did arrive
    inProcess.createMockService({ sead: 1 });
    export const passedOn = { inProcess: { ...inProcess }, playwright: { ...playwright } };`,
  );

  expect(complaints(path, projectOf('mock'), { ...options })).toEqual([]);
});

/** The files that Node reads before it runs an entry, and those that are left for later. */
async function loadedBy(name: PackageName, entry: string): Promise<{ first: string[]; later: string[] }> {
  const { metafile } = await build({
    entryPoints: [join(homeOf(name), entry)],
    absWorkingDir: homeOf(name),
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    splitting: true,
    outdir: 'never-written',
    write: false,
    metafile: true,
  });
  const later = new Set<string>();
  const first = new Set([entry]);
  for (const file of first)
    for (const { path, kind, external } of metafile.inputs[file]?.imports ?? [])
      if (!external) (kind === 'dynamic-import' ? later : first).add(path);
  return { first: [...first], later: [...later].filter((path) => !first.has(path)) };
}

describe('rarely needed code is loaded on demand', () => {
  it("loads the mock's OpenAPI document, pictures and QR codes on demand", async () => {
    const { first, later } = await loadedBy('mock', 'dist/esm/index.js');

    // The third is the QR code's: uqr is a package whose own file is named dist.
    expect(later.toSorted()).toEqual(
      ['dist-', 'openapi-', 'pictures-'].map((start) => expect.stringContaining(`dist/esm/${start}`)),
    );
    expect(first.filter((path) => /catalog|conformance/.test(path))).toEqual([]);
  });
});
