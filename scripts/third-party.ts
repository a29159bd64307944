import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Returns the folder in `node_modules` of the package to which a bundled file belongs. */
const packageOf = (file: string): string | undefined =>
  /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1];

async function notice(folder: string): Promise<string> {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file === undefined ? '' : `\n${(await readFile(join(folder, file), 'utf8')).trim()}\n`;
  return `${name} ${version} (${license})\n${text}`;
}

/** Returns the licences of all bundled packages, which must be distributed with their code. */
export async function thirdPartyNotices(files: readonly string[]): Promise<string> {
  const folders = [...new Set(files.flatMap((file) => packageOf(file) ?? []))].toSorted();
  const notices = await Promise.all(folders.map(notice));
  return `This package contains these others.\n\n${notices.join(`\n${'-'.repeat(80)}\n\n`)}`;
}
