import { readdir, readFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { clientProject } from '../../../../test/shared.ts';
import developed from '../../package.json' with { type: 'json' };

const home = join(await clientProject(), 'node_modules/@topup-kit/sdk');

/** The packed files, by their path in the package. */
async function packedFiles(): Promise<Map<string, string>> {
  const entries = await readdir(home, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const read = async (path: string): Promise<[string, string]> => [
    path.slice(home.length + 1),
    await readFile(path, 'utf8'),
  ];
  return new Map(await Promise.all(paths.map(read)));
}

/** The packages that the built files import. */
async function imports(format: 'esm' | 'cjs'): Promise<string[]> {
  const { metafile } = await build({
    entryPoints: ['index', 'light', 'proxy'].map((name) =>
      join(home, `dist/${format}/${name}.${format === 'esm' ? 'js' : 'cjs'}`),
    ),
    bundle: true,
    packages: 'external',
    platform: 'neutral',
    outdir: 'never-written',
    write: false,
    metafile: true,
  });
  const found = Object.values(metafile.inputs).flatMap((input) => input.imports);
  return [...new Set(found.filter(({ external }) => external).map(({ path }) => path))];
}

it('contains only the build, the licences, and files for its readers and their assistants', async () => {
  const others = [...(await packedFiles()).keys()].filter(
    (path) => !/^dist\/(esm\/[\w-]+\.js|cjs\/[\w-]+\.cjs|types\/[\w-]+\.d\.c?ts)$/.test(path),
  );

  expect(others.sort()).toEqual([
    ...['AGENTS.md', 'LICENSE', 'README.md', 'api.md', 'dist/third-party.txt'],
    ...['docs/errors.md', 'docs/proxy.md', 'docs/rendered-pages.md', 'docs/sdk.md', 'docs/webhooks.md'],
    ...['package.json', 'skills/topup-sdk/SKILL.md'],
  ]);
});

it('contains no path of the build machine', async () => {
  const root = fileURLToPath(new URL('../../../../', import.meta.url));

  for (const [path, text] of await packedFiles())
    for (const folder of [root.replace(/\/$/, ''), homedir(), tmpdir(), 'file:///'])
      expect(text.includes(folder), `${folder} in ${path}`).toBe(false);
});

it('exports the same names as in development, without the sources', async () => {
  const { exports } = JSON.parse(await readFile(join(home, 'package.json'), 'utf8'));

  const withoutSource = Object.entries(developed.exports)
    // This one is for the command, which is built from the sources.
    .filter(([path]) => path !== './internal/client')
    .map(([path, { '@topup-kit/source': _source, ...built }]) => [path, built]);
  expect(exports).toEqual({ ...Object.fromEntries(withoutSource), './package.json': './package.json' });
});

it.each([
  ['ES modules', 'esm', 'dist/esm/index.js'],
  ['CommonJS', 'cjs', 'dist/cjs/index.cjs'],
] as const)('loads no other package as %s: ky is inlined with its licence', async (_what, format, file) => {
  expect(await imports(format)).toEqual([]);
  expect((await packedFiles()).get(file)).toContain('MIT License © Sindre Sorhus');
});
