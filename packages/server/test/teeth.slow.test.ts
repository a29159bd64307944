import { expect, it } from 'vitest';
import type { Bug } from './soak/teeth/bug.ts';
import { bugs } from './soak/teeth/catalogue/index.ts';
import { runBugs } from './soak/teeth/index.ts';

/** Bugs whose tests are fast, one of each part of the system. */
const some = [
  'a key is compared by its first two characters',
  'a commit does not wait for the disk at all',
  'the limit by address is evaded with X-Forwarded-For',
  'waiting for an order goes on when its time is over',
  "the signature of Midtrans's notifications is not checked",
];

const chosen = bugs.filter(({ name }) => some.includes(name));
const [first] = chosen;

const stateOf = async (bug: Bug): Promise<string | undefined> => (await runBugs([bug]))[0]?.verdict.state;

it('seeded bugs are caught by the tests that they name', { timeout: 60_000 }, async () => {
  const rows = await runBugs(chosen);
  expect(rows.map(({ bug, verdict }) => [bug.name, verdict.state]).toSorted()).toEqual(
    some.map((name) => [name, 'caught']).toSorted(),
  );
});

it('what changes nothing survives, and what can not run proves nothing', { timeout: 60_000 }, async () => {
  if (!first) throw new Error('The catalogue has none of the chosen bugs.');
  expect(await stateOf({ ...first, replace: `${first.find} ` })).toBe('survived');
  expect(await stateOf({ ...first, replace: '(' })).toBe('invalid');
  expect(await stateOf({ ...first, replace: `${first.find.replace('a.length', 'nobody')}` })).toBe('invalid');
  const caughtBy = { ...first.caughtBy, title: 'has no such test' };
  await expect(runBugs([{ ...first, caughtBy }])).rejects.toThrow('ran no test named "has no such test"');
});
