import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateCatalog } from '@topup-kit/mock/catalog';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { spawnTopup } from './helpers/child.ts';
import { temporaryFolder } from './helpers/folder.ts';
import { run } from './helpers/run.ts';

let folder: ReturnType<typeof temporaryFolder>;
const fileIn = (name: string): string => join(folder.path, name);
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder[Symbol.dispose]());

const catalog = (...args: string[]) =>
  run(['catalog', ...args], { columns: 80, environment: { TOPUP_STORE: `file:${fileIn('topup.db')}` } });

describe('catalog generate', () => {
  it('generates the catalogue that the seed determines', async () => {
    const args = ['--games', '12', '--products', '3', '--seed', '7', '--locale', 'en'];

    const { code, stdout, stderr } = await catalog('generate', ...args);

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual(generateCatalog({ games: 12, products: 3, seed: 7, locale: 'en' }));
  });

  it('writes a file that is the same byte for byte after an import and an export', async () => {
    const file = fileIn('generated.json');

    const { code, stdout } = await catalog('generate', '--games', '200', '--out', file);

    expect(code).toBe(0);
    expect(stdout).toMatch(/^Wrote 8 categories, 200 games, \d+ products, 12 payment methods, 6 promos\nto /);
    expect(await catalog('import', file)).toMatchObject({ code: 0 });
    expect((await catalog('export')).stdout).toBe(readFileSync(file, 'utf8'));
  });

  it('prints the path of the generated file for programs', async () => {
    const file = fileIn('told.json');

    const { stdout } = await catalog('generate', '--games', '2', '--products', '4', '--out', file, '--json');

    expect(JSON.parse(stdout)).toMatchObject({ file, games: 2, products: 8 });
  });

  it('overwrites a file only with --force', async () => {
    const file = fileIn('precious.json');
    writeFileSync(file, 'precious');

    expect(await catalog('generate', '--out', file)).toMatchObject({
      code: 6,
      stderr: expect.stringContaining('--force'),
    });
    expect(readFileSync(file, 'utf8')).toBe('precious');
    expect(await catalog('generate', '--out', file, '--force')).toMatchObject({ code: 0 });
    expect(await catalog('check', file)).toMatchObject({ code: 0 });
  });

  it.each([
    [['--games', '10001'], '--games must be a whole number from 1 to 10000, got 10001.'],
    [['--products', '0'], '--products must be a whole number from 1 to 50, got 0.'],
    [['--seed', 'x'], 'Give a whole number.'],
    [['--locale', 'fr'], 'Allowed choices are id, en.'],
  ])('rejects catalog generate %j, and exits with 2', async (args, message) => {
    expect(await catalog('generate', ...args)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(message),
    });
  });

  it('loads faker only for catalog generate', async () => {
    const reportLoaded = new URL('./helpers/report-loaded.ts', import.meta.url).href;
    const loads = async (...args: string[]): Promise<boolean> => {
      await using child = spawnTopup(args, ['--import', reportLoaded]);
      await child.ended;
      expect(child.said.stderr).toContain('loaded file:');
      return child.said.stderr.includes('@faker-js');
    };

    expect(await loads('catalog', 'check', 'none.json')).toBe(false);
    expect(await loads('catalog', 'generate', '--games', '1')).toBe(true);
  });
});
