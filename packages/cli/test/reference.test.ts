import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { commands, pageOf, referenceSection } from './helpers/reference.ts';

const read = (page: string): string => readFileSync(new URL(`../${page}`, import.meta.url), 'utf8');

// `help.test.ts` writes the reference. This is quick for each command, so that it runs with each mutant of a help text.
it.each(commands)('shows the same help of $name as the reference', async ({ path }) => {
  expect(read(pageOf(path))).toContain(await referenceSection(path));
});
