import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '../../sdk/scripts/run.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Builds the command into a folder, as `pnpm build` does, and gives the path of the file to run. */
export async function buildCli(folder: string): Promise<string> {
  const tsup = join(root, 'node_modules/tsup/dist/cli-default.js');
  const cwd = join(root, 'packages/cli');
  await run(process.execPath, [tsup, '--silent'], { cwd, env: { TOPUP_CLI_DIST: folder } });
  return join(folder, 'bin.mjs');
}
