import { ConformanceFailure } from '../failure.ts';
import type { Probe, ProbedResponse } from '../probe.ts';

const attempts = 3;

/** Whether a response says something about the service, and not only about this moment. */
const isTelling = ({ status }: ProbedResponse): boolean => status < 500 && status !== 429;

/** Sends a GET; undefined when it got no telling response in several attempts. */
export type Read = (...request: Parameters<Probe['get']>) => Promise<ProbedResponse | undefined>;

/**
 * Reads that are repeated after a lost connection, a 5xx and a 429, because a failure of the moment says nothing about what the
 * service has. They throw only while the service was never reached.
 */
export function createRepeatedReads({ get }: Probe): Read {
  let reached = false;
  return async (...request) => {
    let lost: ConformanceFailure | undefined;
    for (let attempt = 1; attempt <= attempts; attempt++)
      try {
        const response = await get(...request);
        reached = true;
        if (isTelling(response)) return response;
      } catch (error) {
        if (!(error instanceof ConformanceFailure)) throw error;
        lost = error;
      }
    if (lost && !reached) throw lost;
    return undefined;
  };
}
