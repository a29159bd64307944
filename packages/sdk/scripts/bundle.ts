import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { build } from 'esbuild';

/** Bundles and minifies code for browsers and edge runtimes. Imports are resolved from the packages of the folder. */
export async function bundle(code: string, folder: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: folder, loader: 'js' },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2024',
    legalComments: 'none',
    // Renames globals that these runtimes lack, so that they can be found; strings are not changed.
    define: Object.fromEntries(nodeGlobals.map((name) => [name, `missing_${name}`])),
    logLevel: 'silent',
  });
  const [file] = outputFiles;
  if (file === undefined) throw new Error('esbuild returned no bundle');
  return file.text;
}

const nodeGlobals = ['process', 'Buffer', 'global', 'setImmediate', '__dirname', '__filename'];

/** The Node globals that a bundle uses. */
export const nodeGlobalsIn = (bundled: string): string[] =>
  nodeGlobals.filter((name) => bundled.includes(`missing_${name}`));

/** The size of a bundle with gzip, in bytes. */
export const gzipped = async (bundled: string): Promise<number> =>
  (await promisify(gzip)(bundled, { level: 9 })).length;
