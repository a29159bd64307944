import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Options } from 'tsup';
import core from './packages/core/package.json' with { type: 'json' };
import { thirdPartyNotices } from './scripts/third-party.ts';

/** Tests build to another folder, so that they don't overwrite `dist`. */
export const outDir = process.env.TOPUP_DIST ?? 'dist';

/** Core is not published: each package contains the code and the types that it uses. */
const coreSources = Object.fromEntries(
  Object.entries(core.exports).map(([path, source]) => [core.name + path.slice(1), [`../core/${source}`]]),
);

/** Options for type declarations, in which the types of core are inlined. */
export const types = { compilerOptions: { paths: coreSources } };

/** Writes the licences of everything that is inlined. */
export const thirdPartyFile: NonNullable<Options['esbuildPlugins']>[number] = {
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
  target: 'es2024',
  outDir,
  dts: types,
  clean: true,
  splitting: true,
  // `node:sqlite` can't be imported without its prefix.
  removeNodeProtocol: false,
};
