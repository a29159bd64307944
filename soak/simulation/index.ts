import { createMemoryStore, type Store } from '@topup-kit/core/store';
import fc from 'fast-check';
import type { Soak } from '../soak.ts';
import { play } from './play.ts';
import { type World, worlds } from './steps.ts';

/** Plays a world. Returns the result of each step, and the difference from the model that ended the world, if there was one, as lines. */
export async function traceOf(world: World, store: Store = createMemoryStore()): Promise<string[]> {
  const lines: string[] = [];
  await play(world, store, (line) => lines.push(line)).catch((error: unknown) => {
    lines.push(`=> ${error instanceof Error ? error.message : error}`);
  });
  return lines;
}

/** Returns the first worlds of a seed. */
export const worldsOf = (seed: number, count: number): World[] => fc.sample(worlds, { seed, numRuns: count });

/** Maximum length of a response in a trace; a longer one is shortened. */
const lineLength = 300;

/**
 * Plays the first worlds of a seed, each on an empty store.
 *
 * @throws Error with the shortest trace found of a world that differs from the model.
 */
export async function simulate(
  seed: number,
  count: number,
  openStore: () => Store = createMemoryStore,
): Promise<void> {
  const property = fc.asyncProperty(worlds, async (world) => {
    const store = openStore();
    await play(world, store);
    await store.close();
  });
  const found = await fc.check(property, { seed, numRuns: count });
  const [world] = found.counterexample ?? [];
  if (!world) return;
  const { gateway, findBy } = world.place;
  const lines = await traceOf(world, openStore());
  throw new Error(
    [
      `World ${found.numRuns} of seed ${seed} is not as the model says. The shortest trace that was found:`,
      `a ${gateway} gateway; the supplier finds a purchase by ${findBy}`,
      ...lines.map((line) => line.slice(0, lineLength)),
    ].join('\n'),
    { cause: found.errorInstance },
  );
}

/** Number of worlds that are played with one seed. The next worlds use the next seed. */
const batch = 1_000;
const batches = 100;

export const simulation: Soak = {
  name: 'simulation',
  takesSeed: true,
  about:
    'Plays 100,000 small worlds of clients, payments, deliveries, faults, kills and operators, and compares each step with a model of the contract. 15 minutes after the faults of each, an alert names whatever is not final.',
  async run({ seed, progress }) {
    for (let index = 0; index < batches; index += 1) {
      progress(index / batches, `${index * batch} worlds`);
      await simulate(seed + index, batch);
    }
    return `${batches * batch} worlds are as the model says, and nothing waits in them without an alert.`;
  },
};
