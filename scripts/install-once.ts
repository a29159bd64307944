import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

/**
 * Installs with npm the packages in the `package.json` of a folder outside the workspace, unless exactly these are already installed.
 * Packages that few people need are therefore not part of everyone's installation.
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

/** Imports a package of `on-demand/package.json`, which is installed on first use. */
export async function importOnDemand(name: string): Promise<unknown> {
  const folder = join(import.meta.dirname, 'on-demand');
  await installOnce(folder);
  const path = createRequire(join(folder, 'package.json')).resolve(name);
  return import(pathToFileURL(path).href);
}
