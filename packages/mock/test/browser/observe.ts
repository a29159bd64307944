import { type ConformanceResult, runConformance, type Target } from '@topup-kit/core/conformance';
import { type Recorded, recordJourney } from './journey.ts';

/** The observed behaviour of a host. */
export interface Observed {
  baseUrl: string;
  results: Pick<ConformanceResult, 'name' | 'outcome' | 'reason'>[];
  responses: Recorded[];
}

/** Runs the journey and every case of the conformance suite against a host. */
export async function observe(target: Target): Promise<Observed> {
  const responses = await recordJourney(target);
  const results = await runConformance(target, { writes: true });
  return { baseUrl: target.baseUrl, results, responses };
}
