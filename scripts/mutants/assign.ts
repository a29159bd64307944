import type { Assignment, Reach } from './results.ts';

/**
 * The tests that are to run with each mutant, until they would take longer than the budget: first those that are quick and
 * reach little else, which are about its code. A test that takes longer by itself is left out. Files come in the same order, so that few mutants live for long.
 */
export function assign(
  reach: readonly Reach[],
  budgetMs: number,
): { assignment: Assignment; files: string[] } {
  const costOf = ({ cpuMs, mutants }: Reach): number => Math.max(cpuMs, 1) * mutants.length;
  const sorted = reach.toSorted((one, other) => costOf(one) - costOf(other));
  const usedMs = new Map<string, number>();
  const assignment: Assignment = {};
  for (const { test, cpuMs, mutants } of sorted) {
    if (cpuMs > budgetMs) continue;
    const chosen = mutants.filter((id) => (usedMs.get(id) ?? 0) < budgetMs);
    for (const id of chosen) usedMs.set(id, (usedMs.get(id) ?? 0) + cpuMs);
    if (chosen.length > 0) assignment[test] = chosen;
  }
  return { assignment, files: [...new Set(sorted.map(({ file }) => file))] };
}
