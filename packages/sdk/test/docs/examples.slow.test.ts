import { expect, it } from 'vitest';
import { complaintsOf, readDocs } from './examples.ts';
import { createPrelude } from './prelude.ts';
import { examplesForTests } from './run-examples.ts';

const { examples, options } = readDocs();
const names = Object.keys(createPrelude('', undefined));
const namedCodes = examples.flatMap(({ code }) =>
  [...code.matchAll(/isTopupError\(error, '(\w+)'\)/g)].map(([, name = '']) => name),
);

const run = examplesForTests(names, namedCodes);

it('compiles every example', { timeout: 30_000 }, () => {
  expect(complaintsOf(examples, names)).toEqual([]);
});

it('contains an example for every option', () => {
  const shown = new Set(examples.map(({ of }) => of));

  expect(options.filter((option) => !shown.has(option))).toEqual([]);
});

it.each(examples)('runs the example of $of', (example) => run(example));
