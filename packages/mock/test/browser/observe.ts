import { type ConformanceResult, runConformance, type Target } from '@topup-kit/core/conformance';
import { type Recorded, recordJourney } from './journey.ts';

/** All that a host is seen doing. */
export interface Observed {
  baseUrl: string;
  results: Pick<ConformanceResult, 'name' | 'outcome' | 'reason'>[];
  answers: Recorded[];
}

/** Runs every case of the conformance suite against a host, and walks the journey. */
export async function observe(target: Target): Promise<Observed> {
  const answers = await recordJourney(target);
  const results = await runConformance(target, { writes: true });
  return { baseUrl: target.baseUrl, results, answers };
}
