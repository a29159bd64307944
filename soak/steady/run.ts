import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { type RandomBytes, seededRandom } from '@topup-kit/core/platform';
import { z } from 'zod';
import { sha256Hex } from '../../packages/server/src/service/sha256.ts';
import type { ServerProcess, StartServerProcess } from '../../packages/server/test/helpers/spawn-server.ts';
import { median } from '../soak.ts';
import { actUntil } from './customers.ts';

const sampleShape = z.object({ heap: z.number(), native: z.number(), files: z.number() });
/** Bytes of the heap after a collection, bytes of the process outside the heap, and the number of open files. */
export type Sample = z.infer<typeof sampleShape>;

const samplesOf = 24;
const clients = 8;

/** Maximum growth without a leak: caches fill, and connections are opened and closed. */
const slack = { heap: 4 << 20, native: 24 << 20, files: 16 } as const satisfies Sample;

/** Creates a function that requests a sample from a server. */
function createSampler({ process: child }: ServerProcess): () => Promise<Sample> {
  if (!child.stdout) throw new Error('the server has no stdout');
  const lines = createInterface(child.stdout);
  return async () => {
    const line = once(lines, 'line');
    child.kill('SIGUSR2');
    return sampleShape.parse(JSON.parse(String((await line)[0])));
  };
}

const ofMany = (samples: readonly Sample[]): Sample => ({
  heap: median(samples.map(({ heap }) => heap)),
  native: median(samples.map(({ native }) => native)),
  files: median(samples.map(({ files }) => files)),
});

export interface Steady {
  requests: number;
  /** Medians of the second and of the last quarter of the time; the first quarter is for warming up. */
  early: Sample;
  late: Sample;
}

/** Rejects growth. @throws Error if a value grew by more than its normal variation. */
export function rejectGrowth({ early, late }: Pick<Steady, 'early' | 'late'>): void {
  for (const name of ['heap', 'native', 'files'] as const)
    if (late[name] > early[name] + slack[name])
      throw new Error(`${name} grew from ${early[name]} to ${late[name]}: something is never released`);
}

export interface SteadyOptions {
  seconds: number;
  store: string;
  seed: number;
  progress?: (share: number, latest: Sample) => void;
}

/** Lets clients run all actions for some time, and measures the server's memory and files. */
export async function runSteadily(
  start: StartServerProcess,
  { seconds, store, seed, progress = () => {} }: SteadyOptions,
): Promise<Steady> {
  await using server = await start({ TOPUP_STORE: store, TOPUP_LOG_LEVEL: 'error' });
  const sample = createSampler(server);
  let isOver = false;
  const randomOf = (index: number): RandomBytes => seededRandom(sha256Hex, `${seed} ${index}`);
  const acting = Promise.all(
    Array.from({ length: clients }, (_, index) => actUntil(() => isOver, server.baseUrl, randomOf(index))),
  );
  // Makes a fault end the run immediately.
  let failed = false;
  acting.catch(() => {
    failed = true;
  });
  const samples: Sample[] = [];
  while (samples.length < samplesOf && !failed) {
    await wait((seconds * 1_000) / samplesOf);
    const latest = await sample();
    samples.push(latest);
    progress(samples.length / samplesOf, latest);
  }
  isOver = true;
  const requests = (await acting).reduce((sum, count) => sum + count, 0);
  const quarter = samplesOf / 4;
  return {
    requests,
    early: ofMany(samples.slice(quarter, 2 * quarter)),
    late: ofMany(samples.slice(-quarter)),
  };
}
