import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import kit from '../package.json' with { type: 'json' };
import { createShop, ShopError } from '../src/create-shop.ts';
import template from '../template/package.json' with { type: 'json' };

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'create-shop-'));
});
afterEach(() => rm(folder, { recursive: true }));

it('creates a shop with the name of its folder, and names the next steps', async () => {
  const shop = join(folder, 'my-shop');
  const printed = await createShop(shop);

  expect(printed).toMatch(/ {2}cd .*my-shop\n {2}npm install\n {2}npm run dev\n/);
  expect(JSON.parse(readFileSync(join(shop, 'package.json'), 'utf8')).name).toBe('my-shop');
  for (const file of ['.gitignore', 'AGENTS.md', 'README.md', 'src/shop.ts', 'test/shop.test.ts'])
    expect(existsSync(join(shop, file)), file).toBe(true);
  expect(existsSync(join(shop, '_gitignore'))).toBe(false);
});

it('creates a shop in an empty clone', async () => {
  await mkdir(join(folder, 'clone', '.git'), { recursive: true });

  expect(await createShop(join(folder, 'clone'))).toContain('npm run dev');
});

it('rejects a folder with files, and leaves it unchanged', async () => {
  const shop = join(folder, 'shop');
  await mkdir(shop);
  await writeFile(join(shop, 'notes.txt'), 'mine');

  await expect(createShop(shop)).rejects.toThrow('is not empty. Choose another folder');
  expect(existsSync(join(shop, 'package.json'))).toBe(false);
});

it.each([
  ['a missing folder name', undefined, 'Give only the folder of your shop'],
  ['an unknown option', '--react', 'Give only the folder of your shop'],
  ["a folder whose name can't be a package name", 'My Shop', `"My Shop" can't be the name of a package`],
])('rejects %s, and explains the next step', async (_, path, message) => {
  const rejection = createShop(path);
  await expect(rejection).rejects.toBeInstanceOf(ShopError);
  await expect(rejection).rejects.toThrow(message);
});

it('rejects a file where the folder should be', async () => {
  await writeFile(join(folder, 'shop'), '');

  await expect(createShop(join(folder, 'shop'))).rejects.toThrow('is a file. Choose another folder.');
});

it('uses the same version of all packages in a new shop', () => {
  const wanted = Object.entries({ ...template.dependencies, ...template.devDependencies });
  const ours = wanted.filter(([name]) => name.startsWith('@topup-kit/'));

  expect(ours.map(([, range]) => range)).toEqual(ours.map(() => `^${kit.version}`));
});
