import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Options } from 'tsup';
import core from './packages/core/package.json' with { type: 'json' };
import { thirdPartyNotices } from './scripts/third-party.ts';

/** Tests build elsewhere, so that they disturb nobody's `dist`. */
export const outDir = process.env.TOPUP_DIST ?? 'dist';

/** Core is on no registry: each package has its code and its types inside. */
const coreSources = Object.fromEntries(
  Object.entries(core.exports).map(([path, source]) => [core.name + path.slice(1), [`../core/${source}`]]),
);

/** How a package's types are made: what they take of core stands in them. */
export const types = { compilerOptions: { paths: coreSources } };

/** Writes the licences of all that is inlined. */
export const thirdPartyFile: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'third-party-file',
  setup(build) {
    build.initialOptions.metafile = true;
    build.onEnd(async ({ metafile }) => {
      // With a colon are those that plugins made.
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
 * How every package is built: ESM with types, from the entry points that its package.json exports. What stands among
 * its `dependencies` stays an import, all else is inlined.
 */
export const shared: Options = {
  format: 'esm',
  platform: 'neutral',
  target: 'es2024',
  outDir,
  dts: types,
  clean: true,
  splitting: true,
  // node:sqlite has no name without its prefix.
  removeNodeProtocol: false,
};
