import type { Assignment, Reach } from './results.ts';

/** What a run takes of the budget: a test that waits holds up the others too. */
const takes = ({ cpuMs, ms }: Reach): number => Math.max(cpuMs, ms / 4);

/** What a test says about a single mutant, the more the less it reaches; and a quick test can say it sooner. */
const costOf = (reach: Reach): number => Math.max(takes(reach), 1) * Object.keys(reach.hits).length;

/**
 * The tests that are to run with each mutant, until they would take longer than the budget: first those that are quick and
 * reach little else, which are about its code. A test that takes longer by itself is left out. Files of quick tests come
 * first, so that few mutants are left for the others.
 */
export function assign(
  reach: readonly Reach[],
  mutants: ReadonlySet<string>,
  budgetMs: number,
): { assignment: Assignment; files: string[] } {
  const usedMs = new Map<string, number>();
  const assignment: Assignment = { tests: {}, mostHits: {} };
  const files = new Map<string, { ms: number; runs: number }>();
  for (const one of reach.toSorted((a, b) => costOf(a) - costOf(b))) {
    const ms = takes(one);
    for (const [id, count] of Object.entries(one.hits))
      assignment.mostHits[id] = Math.max(assignment.mostHits[id] ?? 0, count);
    if (ms > budgetMs) continue;
    const chosen = Object.keys(one.hits).filter((id) => mutants.has(id) && (usedMs.get(id) ?? 0) < budgetMs);
    if (chosen.length === 0) continue;
    for (const id of chosen) usedMs.set(id, (usedMs.get(id) ?? 0) + ms);
    assignment.tests[one.test] = chosen;
    const file = files.get(one.file) ?? { ms: 0, runs: 0 };
    files.set(one.file, { ms: file.ms + ms * chosen.length, runs: file.runs + chosen.length });
  }
  const quickFirst = [...files].sort(([, a], [, b]) => a.ms / a.runs - b.ms / b.runs);
  return { assignment, files: quickFirst.map(([file]) => file) };
}
