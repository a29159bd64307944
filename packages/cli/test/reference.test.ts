import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { commands, referenceSection } from './helpers/reference.ts';

const reference = readFileSync(new URL('../reference.md', import.meta.url), 'utf8');

// `help.test.ts` writes the reference. This is quick for each command, so that it runs with each mutant of a help text.
it.each(commands)('the help of $name is what the reference says', async ({ path }) => {
  expect(reference).toContain(await referenceSection(path));
});
