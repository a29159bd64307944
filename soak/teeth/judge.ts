import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { type Bug, withBug } from './bug.ts';
import { runTests, testsNamed } from './run-tests.ts';

/** The outcome of a bug. `invalid`: it proves nothing, because the code with it can't be run, or its test can't. */
export type Verdict =
  | { state: 'caught'; failure: string }
  | { state: 'survived' }
  | { state: 'invalid'; reason: string };

/** A test that could not run its code says nothing of what the code does. */
const isOfLoading = (failure: string): boolean =>
  /^(SyntaxError|ReferenceError)|Cannot find (module|package)|Failed to resolve import/.test(failure);

/** A test that took too long may only have been slow. */
const isOfTime = (failure: string): boolean => /timed out in \d+ ?ms/.test(failure);

function syntaxErrorOf(text: string): string | null {
  try {
    transformSync(text, { loader: 'ts' });
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Whether the named tests of all bugs pass without any; returns what is wrong. */
export async function checkWithoutBugs(root: string, bugs: readonly Bug[]): Promise<string[]> {
  const run = await runTests(
    root,
    bugs.map(({ caughtBy }) => caughtBy),
  );
  if (run.broken !== null) return [run.broken];
  return bugs.flatMap(({ name, caughtBy }) => {
    const found = testsNamed(run, caughtBy);
    const failed = found.find(({ passed }) => !passed);
    if (found.length === 0) return [`"${name}": ${caughtBy.file} ran no test named "${caughtBy.title}"`];
    return failed ? [`"${name}": "${failed.title}" fails without the bug: ${failed.failure}`] : [];
  });
}

/** Puts a bug into a copy of the project, runs the test that it names, and takes the bug out again. */
export async function judge(root: string, bug: Bug): Promise<Verdict> {
  const path = join(root, bug.file);
  const text = readFileSync(path, 'utf8');
  const changed = withBug(text, bug);
  const syntaxError = syntaxErrorOf(changed);
  if (syntaxError !== null) return { state: 'invalid', reason: syntaxError };
  writeFileSync(path, changed);
  try {
    const run = await runTests(root, [bug.caughtBy]);
    const found = testsNamed(run, bug.caughtBy);
    const failed = found.find(({ passed }) => !passed);
    const isUnclear = failed && (isOfLoading(failed.failure) || (isOfTime(failed.failure) && !bug.hangs));
    if (isUnclear) return { state: 'invalid', reason: failed.failure };
    if (failed) return { state: 'caught', failure: failed.failure };
    if (found.length === 0) return { state: 'invalid', reason: run.broken ?? 'its test did not run' };
    return { state: 'survived' };
  } finally {
    writeFileSync(path, text);
  }
}
