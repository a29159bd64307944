import { ConformanceFailure } from '../failure.ts';
import type { Probe, ProbedResponse } from '../probe.ts';

const attempts = 3;

/** Tells whether a response says something about the service, and not only about its current load. */
const isTelling = ({ status }: ProbedResponse): boolean => status < 500 && status !== 429;

/** Sends a GET; undefined if several attempts got no conclusive response. */
export type Read = (...request: Parameters<Probe['get']>) => Promise<ProbedResponse | undefined>;

/**
 * Creates reads that are repeated after a lost connection, a 5xx or a 429, because a temporary failure says nothing about the service. They
 * throw only as long as the service has never been reached.
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
