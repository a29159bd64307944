import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const bin = fileURLToPath(new URL('../../src/bin.ts', import.meta.url));

/** Bundles the command into a folder, where it starts several times as fast as from its sources; the file to run. */
export async function bundleTopup(folder: string): Promise<string> {
  await build({
    entryPoints: { topup: bin },
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    conditions: ['@topup-kit/source'],
    // What is CommonJS in it calls require, which modules don't have.
    banner: {
      js: `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`,
    },
  });
  return join(folder, 'topup.mjs');
}
