import { join } from 'node:path';
import { buildPackage } from '../../../scripts/pack.ts';

/** Builds the command into a folder, as `pnpm build` does, and gives the path of the file to run. */
export async function buildCli(folder: string): Promise<string> {
  await buildPackage('cli', folder);
  return join(folder, 'bin.mjs');
}
