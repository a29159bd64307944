import type { Assignment, Reach } from './results.ts';

/** Returns the share of the budget that a run takes. A test that waits also delays the others. */
const takes = ({ cpuMs, ms }: Reach): number => Math.max(cpuMs, ms / 4);

/**
 * Returns how long a test takes per piece of information about the code of a file. It is less if the test reaches much other code, and
 * nearly nothing if it only passes through the file. Most tests set up a whole service, so they reach all code that runs then, but few
 * tests are about that code.
 */
function costsOf(reach: Reach, mutants: ReadonlyMap<string, string>): (file: string) => number {
  const ids = Object.keys(reach.hits);
  const inFile = new Map<string, number>();
  for (const id of ids) {
    const file = mutants.get(id);
    if (file !== undefined) inFile.set(file, (inFile.get(file) ?? 0) + 1);
  }
  return (file) => (Math.max(takes(reach), 1) * ids.length) / (inFile.get(file) ?? 1) ** 2;
}

/**
 * Returns the tests to run with each mutant (by id: its file), until they would take longer than the budget: first those that are quick and
 * about its code. A test that alone takes longer is left out. Files of quick tests come first, so that few mutants are left for the others.
 */
export function assign(
  reach: readonly Reach[],
  mutants: ReadonlyMap<string, string>,
  budgetMs: number,
): { assignment: Assignment; files: string[] } {
  const assignment: Assignment = { tests: {}, mostHits: {} };
  const candidates = new Map<string, { test: Reach; cost: number }[]>();
  for (const test of reach) {
    const costIn = costsOf(test, mutants);
    for (const [id, count] of Object.entries(test.hits)) {
      assignment.mostHits[id] = Math.max(assignment.mostHits[id] ?? 0, count);
      const file = mutants.get(id);
      if (file === undefined || takes(test) > budgetMs) continue;
      const tests = candidates.get(id) ?? [];
      tests.push({ test, cost: costIn(file) });
      candidates.set(id, tests);
    }
  }

  const files = new Map<string, { ms: number; runs: number }>();
  for (const [id, tests] of candidates) {
    let usedMs = 0;
    for (const { test } of tests.sort((a, b) => a.cost - b.cost)) {
      if (usedMs >= budgetMs) break;
      usedMs += takes(test);
      assignment.tests[test.test] ??= [];
      assignment.tests[test.test]?.push(id);
      const file = files.get(test.file) ?? { ms: 0, runs: 0 };
      files.set(test.file, { ms: file.ms + takes(test), runs: file.runs + 1 });
    }
  }
  const quickFirst = [...files].sort(([, a], [, b]) => a.ms / a.runs - b.ms / b.runs);
  return { assignment, files: quickFirst.map(([file]) => file) };
}
