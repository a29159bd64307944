import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/**
 * Installs with npm what the `package.json` of a folder outside the workspace names, unless exactly that is there. So
 * what few need is no part of what everybody installs.
 */
export async function installOnce(folder: string): Promise<void> {
  const wanted = await readFile(join(folder, 'package.json'), 'utf8');
  const stamp = join(folder, 'node_modules', 'installed.json');
  const installed = await readFile(stamp, 'utf8').catch(() => undefined);
  if (installed === wanted) return;
  process.stderr.write(`Installing what ${folder} needs, which takes a minute ...\n`);
  const options = ['--no-package-lock', '--no-audit', '--no-fund'];
  await promisify(execFile)('npm', ['install', ...options], { cwd: folder });
  await writeFile(stamp, wanted);
}
