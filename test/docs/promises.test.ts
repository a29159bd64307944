import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const page = readFileSync(join(root, 'docs/promises.md'), 'utf8');
const [head = '', ...sections] = page.split(/^(?=## )/m);

interface Row {
  promise: string;
  proof: string;
}

/** The rows of the tables, without their heads. */
const rows: Row[] = sections.flatMap((section) =>
  section
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(1)
    .map((line) => {
      const [, promise = '', proof = ''] = line.split(/ ?\| ?/);
      return { promise, proof };
    }),
);

/** What is wrong with a proof: null if it is a test with this title, or a soak of this name. */
function problemOf(text: string, path: string, title: string | undefined): string | null {
  const file = join(root, 'docs', path);
  if (!existsSync(file)) return `${path} is not there`;
  const code = readFileSync(file, 'utf8');
  if (path.startsWith('../soak/')) {
    const name = /^soak ([\w-]+)$/.exec(text)?.[1];
    return name && code.includes(`'${name}'`) ? null : `${path} has no soak of the name of "${text}"`;
  }
  if (!/^\.\.\/packages\/\w+\/test\/[\w-]+(\.slow|\.long)?\.test\.ts$/.test(path))
    return `${path} is no test`;
  return title && code.replaceAll('\\', '').includes(title) ? null : `${path} has no test "${title}"`;
}

it('keeps docs/promises.md within 900 words', () => {
  const words = page
    .replaceAll(/\]\([^)]*\)/g, '')
    .split(/\s+/)
    .filter((word) => /\w/.test(word));
  expect(words.length).toBeLessThanOrEqual(900);
});

it('promises only in the tables of docs/promises.md', () => {
  expect(head.split('\n').filter((line) => line !== '').length).toBe(4);
  const lines = sections.flatMap((section) => section.split('\n').slice(1));
  expect(lines.filter((line) => line !== '' && !line.startsWith('|'))).toEqual([]);
});

describe('docs/promises.md', () => {
  it.each([
    'Durability',
    'Order of events',
    'Age of reads',
    'Keys',
    'Money',
    'Restores',
    'What operators must do',
  ])('contains the section %s', (title) => {
    expect(sections.some((section) => section.startsWith(`## ${title}\n`))).toBe(true);
  });

  it.each(rows)('names existing tests: $promise', ({ promise, proof }) => {
    expect(promise).toMatch(/^[A-Z`].*\.$/);
    const links = [...proof.matchAll(/\[([^\]]*)\]\((\S+?)(?: "([^"]*)")?\)/g)];
    expect(links).not.toEqual([]);
    expect(links.flatMap(([, text = '', path = '', title]) => problemOf(text, path, title) ?? [])).toEqual(
      [],
    );
  });
});
