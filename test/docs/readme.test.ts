import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sizeBars } from '../../packages/sdk/scripts/size.ts';
import { filmFile } from '../../scripts/film/run.ts';

const root = join(import.meta.dirname, '..', '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const readme = read('README.md');

/** The words that a visitor reads, without code, pictures and addresses. */
const wordsOf = (text: string): string[] =>
  text
    .replaceAll(/^```.*?^```$/gms, '')
    .replaceAll(/!\[[^\]]*\]\([^)]*\)|\]\([^)]*\)/g, '')
    .split(/\s+/)
    .filter((word) => /\w/.test(word));

it('keeps README within 700 words, and shows code within the first 150', () => {
  expect(wordsOf(readme).length).toBeLessThanOrEqual(700);
  expect(wordsOf(readme.slice(0, readme.indexOf('\n```ts'))).length).toBeLessThanOrEqual(150);
});

it('shows the two commands of a first visit in README', () => {
  expect(readme).toContain('```\nnpx -y pnpm@12 start\nnpx -y pnpm@12 test\n```');
});

it.each(['sdk', 'mock', 'cli', 'server'])('names the Node version of @topup-kit/%s in README', (name) => {
  const { engines } = JSON.parse(read(`packages/${name}/package.json`));
  const row = readme.split('\n').find((line) => line.startsWith(`| \`@topup-kit/${name}\` |`));
  expect(row).toMatch(new RegExp(`\\| ${engines.node.replace('>=', '')} \\|$`));
});

it('names the tested size limits of the SDK in README', () => {
  const [full, light] = Object.values(sizeBars).map((bytes) => `${bytes / 1_000} kB`);
  expect(readme).toContain(`at most ${full}, \`/light\` ${light}`);
});

it('shows existing pictures in README', () => {
  const pictures = [...readme.matchAll(/!\[[^\]]*\]\(([^)]*)\)/g)].map(([, path = '']) => path);
  expect(pictures).toContain('docs/pictures/topup.svg');
  expect(pictures.filter((path) => !statSync(join(root, path), { throwIfNoEntry: false }))).toEqual([]);
});

it('shows a film from the menu over a QR code to PAID / Sukses, in at most 1.5 MB and both themes', () => {
  const film = readFileSync(filmFile, 'utf8');
  const text = film.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
  for (const words of [
    'What would you like?',
    'Which game?',
    'the customer scans this code',
    'PAID / Sukses',
  ])
    expect(text).toContain(words);
  expect(film.length).toBeLessThanOrEqual(1_500_000);
  expect(film).toContain('prefers-color-scheme:dark');
});
