import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { OtherCommit } from './measure.ts';
import { temporaryFolder } from './temporary-folder.ts';

const run = promisify(execFile);
const repository = fileURLToPath(new URL('..', import.meta.url));

const git = async (...args: string[]): Promise<string> =>
  (await run('git', args, { cwd: repository })).stdout;

/**
 * Puts the code of another commit into a temporary folder, with its dependencies, as the other side of a comparison.
 *
 * @throws Error if there is no such commit.
 */
export async function checkOut(commit: string): Promise<OtherCommit & AsyncDisposable> {
  const name = (await git('rev-parse', '--short', '--verify', `${commit}^{commit}`)).trim();
  const folder = await temporaryFolder();
  const path = join(folder.path, name);
  process.stderr.write(`Installing what ${name} needs ...\n`);
  await git('clone', '--quiet', '--shared', '--no-checkout', repository, path);
  await run('git', ['checkout', '--quiet', '--detach', name], { cwd: path });
  await run('npx', ['-y', 'pnpm@12', 'install', '--frozen-lockfile', '--prefer-offline'], { cwd: path });
  return { name, folder: path, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}
