import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { docsPages } from '../scripts/docs-pages.ts';

/** Bundles a program into a folder, where it starts several times as fast as from its sources; the file to run. */
export async function bundleForNode(program: string, folder: string): Promise<string> {
  await build({
    entryPoints: [program],
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    conditions: ['@topup-kit/source'],
    plugins: [docsPages],
    // What is CommonJS in it calls require, which modules don't have.
    banner: {
      js: `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`,
    },
  });
  return join(folder, basename(program).replace(/\.ts$/, '.mjs'));
}
