import { cp, mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { basename, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The files of a new shop. They are next to the folder of this file, in the sources and in the package. */
const template = fileURLToPath(new URL('../template/', import.meta.url));

export const help = `Usage: npm create topup-shop FOLDER

Creates a game top-up shop in a new folder: a page, tests and a sandbox.
It installs nothing and asks nothing. Run it with Node 20.19 or later; the shop itself needs Node 24.
`;

/** A problem that the caller can solve. Its message says how. */
export class ShopError extends Error {}

/** npm accepts these names for a package. */
const isPackageName = (name: string): boolean => /^[a-z0-9][a-z0-9._-]{0,213}$/.test(name);

async function assertEmpty(folder: string): Promise<void> {
  const found = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new ShopError(
      error.code === 'ENOTDIR'
        ? `${folder} is a file. Choose another folder.`
        : `${folder} can't be read: ${error.message}`,
    );
  });
  // A clone of an empty repository has only the folder `.git`.
  if (found.some((name) => name !== '.git'))
    throw new ShopError(`${folder} is not empty. Choose another folder, or empty this one.`);
}

/**
 * Creates a shop in a new or empty folder, and returns what to do next.
 *
 * @param path the folder of the shop, relative to the working directory; its last part becomes the name of the package
 * @throws {ShopError} when the folder is missing, has other files, or its name can't name a package
 * @example process.stdout.write(await createShop('my-shop'));
 */
export async function createShop(path: string | undefined): Promise<string> {
  if (path === undefined || path.startsWith('-'))
    throw new ShopError('Give only the folder of your shop: npm create topup-shop my-shop');
  const folder = resolve(path);
  const name = basename(folder);
  if (!isPackageName(name))
    throw new ShopError(
      `"${name}" can't be the name of a package. Use lower-case letters, digits and hyphens, such as my-shop.`,
    );
  await assertEmpty(folder);
  await mkdir(folder, { recursive: true });
  await cp(template, folder, { recursive: true });
  // npm packs no file of this name.
  await rename(join(folder, '_gitignore'), join(folder, '.gitignore'));
  const file = join(folder, 'package.json');
  await writeFile(file, (await readFile(file, 'utf8')).replace('"name": "shop"', `"name": "${name}"`));
  const place = relative('', folder);
  return `Your shop is in ${folder}. Next, with Node 24:

${place === '' ? '' : `  cd ${place}\n`}  npm install
  npm run dev

Open the printed address: the shop runs on a sandbox, where nothing costs money. README.md has the next steps.
`;
}
