import { type ConformanceResult, type ConformanceTarget, runConformance } from '@topup-kit/conformance';
import { crowded } from '../../../core/test/helpers/crowded.ts';
import { type Recorded, recordJourney } from './journey.ts';

/** All that a host is seen doing. */
export interface Observed {
  baseUrl: string;
  results: Pick<ConformanceResult, 'name' | 'outcome' | 'reason'>[];
  answers: Recorded[];
}

/** Walks the journey, and with `conformance` runs the cases of the conformance suite against a host. */
export async function observe(
  target: ConformanceTarget,
  { conformance }: { conformance: boolean },
): Promise<Observed> {
  const answers = await recordJourney(target);
  if (!conformance) return { baseUrl: target.baseUrl, results: [], answers };
  const results = await runConformance(target, { writes: true, only: ({ name }) => name !== crowded });
  return { baseUrl: target.baseUrl, results, answers };
}
