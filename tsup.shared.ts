import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { transform } from 'esbuild';
import type { Options } from 'tsup';
import conformance from './packages/conformance/package.json' with { type: 'json' };
import core from './packages/core/package.json' with { type: 'json' };
import providers from './packages/providers/package.json' with { type: 'json' };
import suites from './packages/suites/package.json' with { type: 'json' };
import { thirdPartyNotices } from './scripts/third-party.ts';

/** Tests build to another folder, so that they don't overwrite `dist`. */
export const outDir = process.env.TOPUP_DIST ?? 'dist';

/** The source of each export of a package that is not published. */
const sourcesOf = (folder: string, { name, exports }: { name: string; exports: object }) =>
  Object.entries(exports).flatMap(([path, source]) =>
    typeof source === 'string' ? [[name + path.slice(1), [`../${folder}/${source}`]] as const] : [],
  );

/** What is not published: each package contains the code and the types that it uses. */
const sources = Object.fromEntries(
  Object.entries({ core, conformance, providers, suites }).flatMap(([folder, manifest]) =>
    sourcesOf(folder, manifest),
  ),
);

/** Options for type declarations, in which the types of these packages are inlined. */
export const types = { compilerOptions: { paths: sources } };

export type Plugin = NonNullable<Options['esbuildPlugins']>[number];

/** Writes the licences of all that is inlined. */
export const thirdPartyFile: Plugin = {
  name: 'third-party-file',
  setup(build) {
    build.initialOptions.metafile = true;
    build.onEnd(async ({ metafile }) => {
      // Names with a colon are modules that plugins made.
      const files = Object.keys(metafile?.inputs ?? {}).filter((file) => !file.includes(':'));
      await mkdir(outDir, { recursive: true });
      await writeFile(
        join(outDir, 'third-party.txt'),
        await thirdPartyNotices(files.map((file) => resolve(file))),
      );
    });
  },
};

/**
 * How every package is built: ESM with types, from the entry points of its package.json. Its `dependencies` stay
 * imports; everything else is inlined.
 */
export const shared: Options = {
  format: 'esm',
  platform: 'neutral',
  target: 'es2023',
  outDir,
  dts: types,
  clean: true,
  splitting: true,
  // `node:sqlite` can't be imported without its prefix.
  removeNodeProtocol: false,
};

/**
 * Makes CommonJS of the files of an ESM build: esbuild splits only ESM. What is loaded on demand is required on demand,
 * because Jest has no `import()` in CommonJS.
 */
const toCommonJs: NonNullable<Options['plugins']>[number] = {
  name: 'to-common-js',
  async renderChunk(source) {
    const { code } = await transform(source, {
      format: 'cjs',
      platform: 'node',
      target: 'node20',
      supported: { 'dynamic-import': false },
    });
    return { code };
  },
};

/** The folder of the files that `require` loads. */
export const commonJsFolder = 'cjs';

/** How a library is built that is loaded by `import` and by `require`, each with types of its own: three folders. */
export function library(options: Options): Options[] {
  const common: Options = { ...shared, dts: false, ...options };
  return [
    { ...common, outDir: join(outDir, 'esm') },
    {
      ...common,
      outDir: join(outDir, commonJsFolder),
      outExtension: () => ({ js: '.cjs' }),
      plugins: [toCommonJs],
    },
    {
      ...common,
      // Both sets of types from one pass.
      format: ['esm', 'cjs'],
      outDir: join(outDir, 'types'),
      dts: { only: true, ...types },
    },
  ];
}
