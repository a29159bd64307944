import { expect, it } from 'vitest';
import type { Bug } from '../../../soak/teeth/bug.ts';
import { bugs } from '../../../soak/teeth/catalogue/index.ts';
import { runBugs } from '../../../soak/teeth/index.ts';

/** Bugs whose tests are fast. */
const some = [
  'a key is compared by its first two characters',
  "the signature of Midtrans's notifications is not checked",
];

const chosen = bugs.filter(({ name }) => some.includes(name));

/** Changes of the first one that are no bugs. */
function others(): Bug[] {
  const first = chosen.find(({ name }) => name === some[0]);
  if (!first) throw new Error(`The catalogue has no bug named "${some[0]}".`);
  return [
    { ...first, name: 'a change of nothing', replace: `${first.find} ` },
    { ...first, name: 'no TypeScript', replace: '(' },
    { ...first, name: 'an unknown name', replace: first.find.replace('a.length', 'nobody') },
  ];
}

it('bugs are caught; what changes nothing survives, and what can not run proves nothing', {
  timeout: 120_000,
}, async () => {
  const rows = await runBugs([...chosen, ...others()]);
  expect(Object.fromEntries(rows.map(({ bug, verdict }) => [bug.name, verdict.state]))).toEqual({
    ...Object.fromEntries(some.map((name) => [name, 'caught'])),
    'a change of nothing': 'survived',
    'no TypeScript': 'invalid',
    'an unknown name': 'invalid',
  });
});

it('a test that there is not is named before any bug is put in', { timeout: 120_000 }, async () => {
  const [first] = others();
  const caughtBy = { file: 'packages/core/test/pricing.test.ts', title: 'has no such test' };
  await expect(runBugs(first ? [{ ...first, caughtBy }] : [])).rejects.toThrow(
    'packages/core/test/pricing.test.ts ran no test named "has no such test"',
  );
});
