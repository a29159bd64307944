import { createMemoryStore, type Store } from '@topup-kit/core/store';
import fc from 'fast-check';
import type { Soak } from '../soak.ts';
import { play } from './simulate.ts';
import { type World, worlds } from './steps.ts';

/** What came of a world, step by step, as lines. */
export async function traceOf(world: World, store: Store = createMemoryStore()): Promise<string[]> {
  const lines: string[] = [];
  await play(world, store, (line) => lines.push(line)).catch((error: unknown) => {
    lines.push(`=> ${error instanceof Error ? error.message : error}`);
  });
  return lines;
}

/** The first worlds of a seed. */
export const worldsOf = (seed: number, count: number): World[] => fc.sample(worlds, { seed, numRuns: count });

/**
 * Plays the worlds of a seed.
 *
 * @throws Error with the shortest trace that was found to end in the same kind of fault.
 */
export async function simulate(seed: number, count: number): Promise<void> {
  const property = fc.asyncProperty(worlds, (world) => play(world, createMemoryStore()));
  const found = await fc.check(property, { seed, numRuns: count });
  if (!found.failed) return;
  const [world] = found.counterexample ?? [];
  const lines = world ? await traceOf(world) : [];
  throw new Error(
    [
      `World ${found.numRuns} of seed ${seed} is not as the model says. The shortest trace, of ${world?.steps.length} steps:`,
      `in a shop with ${JSON.stringify(world?.place)}`,
      ...lines,
    ].join('\n'),
    { cause: found.errorInstance },
  );
}

/** Each so many worlds have a seed of their own. */
const batch = 1_000;

export const simulation: Soak = {
  name: 'simulation',
  about:
    'Plays 100,000 worlds of clients, payments, deliveries, faults, kills and operators, and compares each step with a small model.',
  async run({ seed, progress }) {
    const batches = 100;
    for (let index = 0; index < batches; index += 1) {
      progress(index / batches, `${index * batch} worlds`);
      await simulate(seed + index, batch);
    }
    return `${batches * batch} worlds are as the model says.`;
  },
};
