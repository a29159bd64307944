import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { textWithBug, withBug } from '../../../soak/teeth/bug.ts';
import { bugs } from '../../../soak/teeth/catalogue/index.ts';
import { root } from '../../../soak/teeth/index.ts';

const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** Tests that are made of a suite have its titles. */
const suites = ['packages/suites/src/store', 'packages/conformance/src/cases/extension'].flatMap((folder) =>
  readdirSync(join(root, folder)).map((file) => read(`${folder}/${file}`)),
);

it('the catalogue has at least 40 bugs, each with a name of its own', () => {
  const names = bugs.map(({ name }) => name);
  expect(names.length).toBeGreaterThanOrEqual(40);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

it('each bug can be put into the code as it is now', () => {
  for (const bug of bugs) expect(textWithBug(root, bug), bug.name).not.toBe(read(bug.file));
});

it('a bug whose place is missing, or is one of several, is named', () => {
  const bug = { name: 'B', file: 'f.ts', find: 'x', replace: 'y', caughtBy: { file: '', title: '' } };
  expect(withBug('a x b', bug)).toBe('a y b');
  expect(() => withBug('a b', bug)).toThrow('"B": f.ts has the text "x" 0 times instead of once.');
  expect(() => withBug('x x x', bug)).toThrow('"B": f.ts has the text "x" 3 times instead of once.');
});

it('each bug names a test that there is', () => {
  const missing = bugs.filter(({ caughtBy: { file, title } }) => {
    const quoted = [title, title.replaceAll("'", "\\'")];
    return ![read(file), ...suites].some((text) => quoted.some((one) => text.includes(one)));
  });
  expect(missing.map(({ name, caughtBy }) => `${name}: ${caughtBy.title}`)).toEqual([]);
});
