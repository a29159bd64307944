import { createMemoryStore, type SalesSum, type Store } from '@topup-kit/core/store';
import { describe, expect, it } from 'vitest';
import {
  canHappen,
  type Pair,
  pairs,
  type Story,
  stories,
  tell,
  tellWithKills,
} from '../../../soak/money/index.ts';

/** Every other story with one of the pairs with which it can happen; money.long.test.ts has all of them, and kills. */
function chosenPairs(story: Story, index: number): Pair[] {
  // With each supplier as the first one, because what one can prove, the other one has to be asked for.
  if (story.isAtBoth) return pairs.filter(({ gateway }) => gateway === 'tripay');
  const fitting = pairs.filter((pair) => canHappen(story, pair));
  return index % 2 === 1 ? [] : fitting.slice((index >> 1) % fitting.length).slice(0, 1);
}

const cases = stories.flatMap((story, index) =>
  chosenPairs(story, index).map((pair) => ({
    pair,
    story,
    name: `${story.name} (${pair.gateway}, ${pair.supplier})`,
  })),
);

describe("money and items match the providers' books when", () => {
  it.each(cases)('$name', async ({ pair, story }) => {
    const { steps, kills } = await tell(pair, story, null);
    expect(kills).toBe(0);
    expect(steps).toBeGreaterThan(5);
  });
});

describe("a report that differs from the providers' books", () => {
  const pair: Pair = { gateway: 'tripay', supplier: 'digiflazz' };
  /** A store whose reports lack something. */
  const lacking = (change: (sum: SalesSum) => SalesSum): Store => {
    const store = createMemoryStore();
    return { ...store, sumSales: async (...span) => (await store.sumSales(...span)).map(change) };
  };

  it.each<[string, string, (sum: SalesSum) => SalesSum]>([
    ['the fees of the gateway', 'nothing goes wrong', (one) => ({ ...one, gatewayFees: 0, reportedFees: 0 })],
    ['what suppliers cost', 'nothing goes wrong', (one) => ({ ...one, cost: 0 })],
    ['what went back to customers', 'both items fail', (one) => ({ ...one, returned: 0 })],
    ['what the gateway paid back', 'the gateway pays back afterwards', (one) => ({ ...one, returned: 0 })],
  ])('finds a difference in a report without %s', async (_what, name, change) => {
    const story = stories.find((one) => one.name === name && !one.isAtBoth);
    if (!story) throw new Error(`there is no story ${name}`);
    await expect(tell(pair, story, null, lacking(change))).rejects.toThrow('the report of the day');
  });
});

describe("money and items match the providers' books when the server is killed", () => {
  it.each(pairs)('with $gateway and $supplier', async (pair) => {
    expect(await tellWithKills(pair, { name: 'nothing else goes wrong' }, { every: 10 })).toBeGreaterThan(2);
  });
});
