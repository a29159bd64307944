import type { Assignment, Reach } from './results.ts';

/** What a test says about a single mutant, the more the less it reaches; and a quick test can say it sooner. */
const costOf = ({ cpuMs, hits }: Reach): number => Math.max(cpuMs, 1) * Object.keys(hits).length;

/**
 * The tests that are to run with each mutant, until they would take longer than the budget: first those that are quick and
 * reach little else, which are about its code. A test that takes longer by itself is left out. Files with the least to do
 * come first, so that few mutants are left for the others.
 */
export function assign(
  reach: readonly Reach[],
  budgetMs: number,
): { assignment: Assignment; files: string[] } {
  const usedMs = new Map<string, number>();
  const assignment: Assignment = { tests: {}, mostHits: {} };
  const filesMs = new Map<string, number>();
  for (const { test, file, cpuMs, hits } of reach.toSorted((one, other) => costOf(one) - costOf(other))) {
    for (const [id, count] of Object.entries(hits))
      assignment.mostHits[id] = Math.max(assignment.mostHits[id] ?? 0, count);
    if (cpuMs > budgetMs) continue;
    const chosen = Object.keys(hits).filter((id) => (usedMs.get(id) ?? 0) < budgetMs);
    if (chosen.length === 0) continue;
    for (const id of chosen) usedMs.set(id, (usedMs.get(id) ?? 0) + cpuMs);
    assignment.tests[test] = chosen;
    filesMs.set(file, (filesMs.get(file) ?? 0) + cpuMs * chosen.length);
  }
  return { assignment, files: [...filesMs].sort(([, one], [, other]) => one - other).map(([file]) => file) };
}
