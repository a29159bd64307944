import type { ServiceDescription } from '@topup-kit/core/conformance';
import { countOf } from './counts.ts';

/** The report for programs. */
export const conformanceDocument = (description: ServiceDescription & { baseUrl: string }): object => {
  const { baseUrl, wrote, orders, differences, dialect, unknown, results } = description;
  return {
    baseUrl,
    wrote,
    orders,
    interface: countOf(description, 'interface'),
    extension: countOf(description, 'extension'),
    differences,
    dialect,
    unknown,
    cases: results.map(({ name, origin, outcome, reason, notes }) => ({
      name,
      origin,
      outcome,
      reason,
      notes,
    })),
  };
};
