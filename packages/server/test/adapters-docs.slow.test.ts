import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sandboxCatalogFile } from '@topup-kit/core/sandbox';
import ts from 'typescript';
import { expect, it, onTestFinished } from 'vitest';
import { diagnosticsOf } from '../../../test/compile.ts';

const folder = fileURLToPath(new URL('./', import.meta.url));
const guide = readFileSync(new URL('../../../docs/adapters.md', import.meta.url), 'utf8');

/** By what each file of the page is known. */
const marks = {
  gateway: /^export function createGateway\b/m,
  'gateway-double': /\bgatewayCases\(/,
  supplier: /^export function createSupplier\b/m,
  'supplier-double': /\bsupplierCases\(/,
};

/** The files that the page shows, by the name under which one imports another. */
const blocks = [...guide.matchAll(/^```ts\n(.*?)^```$/gms)];
const files = new Map(
  blocks.map(([, code = '']) => {
    const [name = 'start'] = Object.entries(marks).flatMap(([name, mark]) => (mark.test(code) ? name : []));
    return [`${folder}${name}.ts`, code];
  }),
);

it('docs/adapters.md shows adapters, a start and tests that compile', { timeout: 30_000 }, () => {
  expect([...files.keys()].map((path) => path.slice(folder.length)).toSorted()).toEqual([
    ...['gateway-double.ts', 'gateway.ts', 'start.ts', 'supplier-double.ts', 'supplier.ts'],
  ]);
  // None hides another.
  expect(files.size).toBe(blocks.length);
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2024,
    lib: ['lib.es2024.d.ts', 'lib.esnext.disposable.d.ts', 'lib.dom.d.ts'],
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    allowImportingTsExtensions: true,
    noEmit: true,
    skipLibCheck: true,
    resolveJsonModule: true,
    customConditions: ['@topup-kit/source'],
  };
  const complaints = [...diagnosticsOf(files, options)].flatMap(([path, found]) =>
    found.map(
      ({ messageText, file, start = 0 }) =>
        `${path.slice(folder.length)}, ${file?.getLineAndCharacterOfPosition(start).line}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
    ),
  );
  expect(complaints).toEqual([]);
});

/** The files of the page, here and not in a temporary folder, so that the package is found. */
function copyFiles(): string {
  const copy = mkdtempSync(join(folder, 'adapters-docs-'));
  onTestFinished(() => rmSync(copy, { recursive: true }));
  for (const [path, code] of files) writeFileSync(join(copy, basename(path)), code);
  return copy;
}

it('the start of docs/adapters.md runs, and ends by itself when it is stopped', {
  timeout: 30_000,
}, async () => {
  const copy = copyFiles();
  const catalog = join(copy, 'catalog.json');
  writeFileSync(catalog, JSON.stringify(sandboxCatalogFile));
  const settings = { TOPUP_STORE: `file:${join(copy, 'topup.db')}`, TOPUP_CATALOG: catalog, PORT: '0' };
  const child = spawn(process.execPath, ['--conditions=@topup-kit/source', join(copy, 'start.ts')], {
    env: { ...process.env, ...settings },
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
  'the %s of docs/adapters.md passes the tests that it shows',
  { timeout: 30_000 },
  (adapter) => {
    const copy = copyFiles();
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--conditions=@topup-kit/source', '--test', '--test-reporter=tap', join(copy, `${adapter}-double.ts`)],
      // It is no part of the runner that runs this.
      { encoding: 'utf8', env: { ...process.env, NODE_TEST_CONTEXT: undefined } },
    );
    expect({ status, failures: stdout.match(/^not ok.*/gm) ?? [], stderr }).toEqual({
      ...{ status: 0, failures: [], stderr: '' },
    });
    expect(stdout).toMatch(/^# pass 1\d$/m);
  },
);
