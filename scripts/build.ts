import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { outDir } from '../tsup.shared.ts';
import { run } from './run.ts';

/**
 * Tells TypeScript that the types for CommonJS use those of MSW from an ES module. With `module: node16`, an import without this attribute
 * is an error. The bundler of types drops the attribute from the sources.
 */
async function markEsModules(folder: string): Promise<void> {
  const files = await readdir(folder).catch(() => []);
  for (const name of files.filter((name) => name.endsWith('.d.cts'))) {
    const path = join(folder, name);
    const text = await readFile(path, 'utf8');
    const marked = text.replace(
      /^import (\{[^}]*\} from 'msw(?:\/[^']+)?');$/gm,
      "import type $1 with { 'resolution-mode': 'import' };",
    );
    if (marked !== text) await writeFile(path, marked);
  }
}

// Builds the package in the working directory.
const tsup = fileURLToPath(new URL('../node_modules/tsup/dist/cli-default.js', import.meta.url));
await run(process.execPath, [tsup, '--silent', ...process.argv.slice(2)], {
  cwd: process.cwd(),
  env: { TOPUP_DIST: process.env.TOPUP_DIST },
});
await markEsModules(join(outDir, 'types'));
