import type { ConformanceCase } from './case.ts';
import type { Citation } from './citation.ts';
import type { Statement } from './sentences.ts';

/** Where cases and documents have come apart; all lists are empty when they haven't. */
export interface CoverageReport {
  /** Statements that no case cites and no reason excuses. */
  uncovered: string[];
  /** Citations and excuses of statements that no document has. */
  stale: string[];
  /** Statements that are excused although a case proves them. */
  excusedAndCited: string[];
}

/** The sections of the interface of which every statement must be proven. */
const proven = /^(2|4|5|7)[./]/;

/**
 * Compares what the cases cite with what the documents say.
 *
 * @example
 * checkCoverage({
 *   interface: parseStatements(interfaceText),
 *   openPoints: parseStatements(openPointsText),
 *   cases: conformanceCases,
 *   notProvable,
 * }).uncovered; // ['interface 2.1/sort: | sort | integer | sort position |']
 */
export function checkCoverage(given: {
  interface: readonly Statement[];
  openPoints: readonly Statement[];
  cases: readonly Pick<ConformanceCase, 'cites'>[];
  notProvable: Partial<Record<Citation, string>>;
}): CoverageReport {
  const cited = new Set<string>(given.cases.flatMap(({ cites }) => cites));
  const excused = new Set(Object.keys(given.notProvable));
  const known = new Set([
    ...given.interface.map(({ id }) => `interface ${id}`),
    ...given.openPoints.map(({ id }) => `open-points ${id}`),
  ]);
  const owed = given.interface.filter(({ id }) => proven.test(id));
  return {
    uncovered: owed
      .filter(({ id }) => !cited.has(`interface ${id}`) && !excused.has(`interface ${id}`))
      .map(({ id, text }) => `interface ${id}: ${text}`),
    stale: [...cited, ...excused].filter((citation) => !known.has(citation)),
    excusedAndCited: [...excused].filter((citation) => cited.has(citation)),
  };
}
