import type { ConformanceResult, ServiceDescription } from '@topup-kit/core/conformance';

/** How the cases of one origin went. */
export function countOf(
  { results }: Pick<ServiceDescription, 'results'>,
  origin: ConformanceResult['origin'],
): Record<ConformanceResult['outcome'], number> {
  const count = (outcome: ConformanceResult['outcome']): number =>
    results.filter((one) => one.origin === origin && one.outcome === outcome).length;
  return { passed: count('passed'), failed: count('failed'), skipped: count('skipped') };
}
