import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { build } from 'esbuild';

/** Bundles code for browsers and edge runtimes, minified; imports lead to what is installed in the folder. */
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
    // What these runtimes lack; only the globals are renamed, never a word in a text.
    define: Object.fromEntries(nodeGlobals.map((name) => [name, `missing_${name}`])),
    logLevel: 'silent',
  });
  const [file] = outputFiles;
  if (file === undefined) throw new Error('esbuild gave no bundle');
  return file.text;
}

const nodeGlobals = ['process', 'Buffer', 'global', 'setImmediate', '__dirname', '__filename'];

/** Which of Node's own globals a bundle asks for. */
export const nodeGlobalsIn = (bundled: string): string[] =>
  nodeGlobals.filter((name) => bundled.includes(`missing_${name}`));

/** Bytes of a bundle as it crosses the wire. */
export const gzipped = async (bundled: string): Promise<number> =>
  (await promisify(gzip)(bundled, { level: 9 })).length;
