import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { inject, type RunnerTask, type RunnerTestCase, TestRunner, type TestTryOptions } from 'vitest';
import type { Assignment, MutantResult, Reach, Results, Survey } from './results.ts';

// Kept here, because tests may replace these functions.
const { setTimeout, clearTimeout } = globalThis;
const now = performance.now.bind(performance);

/** Returns the processor time, so that other work on the machine doesn't matter. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Object that instrumented sources read, and in which they record the mutants that ran. */
interface Instrumentation {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  mutantCoverage?: { static: Record<string, number>; perTest: Record<string, Record<string, number>> };
  hitCount?: number;
  /** Limit of runs. A mutant that runs more often is in an infinite loop. */
  hitLimit?: number;
}

const instrumentation: Instrumentation = {};
Object.assign(globalThis, { __stryker__: instrumentation });

/** Assignment of this run; null for the survey. */
const assigned: Assignment | null =
  inject('assignmentFile') === ''
    ? null
    : // Safe: run.ts wrote it.
      (JSON.parse(readFileSync(inject('assignmentFile'), 'utf8')) as Assignment);
const reach: Reach[] = [];
/** Results, including those of the runs before. */
const { results, unrepeatable }: Results =
  assigned === null
    ? { results: {}, unrepeatable: [] }
    : // Safe: run.ts or this runner wrote it.
      (JSON.parse(readFileSync(inject('resultsFile'), 'utf8')) as Results);
const startedAt = now();

function resultOf(id: string): MutantResult {
  const result = results[id] ?? { tests: 0 };
  results[id] = result;
  return result;
}

const secondsSinceStart = (): number => Math.round((now() - startedAt) / 1_000);

function tell(what: string | undefined): void {
  const all = Object.values(results);
  const killed = all.filter(({ killedBy }) => killedBy !== undefined).length;
  const doing = assigned === null ? 'surveyed' : `${killed} of ${all.length} killed so far`;
  process.stderr.write(`${secondsSinceStart()} s ${what}: ${doing}\n`);
}

let savedAt = startedAt;

/** Writes the results so far in one step, so that they can be read at any time. */
function save(): void {
  const atImport = Object.keys(instrumentation.mutantCoverage?.static ?? {});
  const found: Survey | Results =
    assigned === null ? { reach, atImport, unrepeatable } : { results, unrepeatable };
  const path = inject('resultsFile');
  writeFileSync(`${path}.new`, JSON.stringify(found));
  renameSync(`${path}.new`, path);
  savedAt = now();
}

/** Remaining work of a test. */
interface Plan {
  waiting: string[];
  /** Mutant of the last run with a mutant. */
  active: string | undefined;
  /** Set if the next run has no mutant. A test that fails then says nothing about mutants. */
  check: 'at first' | 'after a kill' | undefined;
  limitMs: number;
}

/**
 * Records in the survey which mutants each test reaches. Afterwards, runs each test once for each assigned mutant that no other test has
 * noticed yet. Vitest treats these runs as retries, so that each has its own `beforeEach` and `onTestFinished`.
 */
export default class MutantRunner extends TestRunner {
  readonly #plans = new Map<string, Plan>();
  #startMs = 0;
  #startCpuMs = 0;

  override async onBeforeRunTask(test: RunnerTask): Promise<void> {
    await super.onBeforeRunTask(test);
    if (test.type !== 'test' || assigned === null) return;
    const waiting = (assigned.tests[test.id] ?? []).filter((id) => resultOf(id).killedBy === undefined);
    if (waiting.length === 0) test.mode = 'skip';
    this.#plans.set(test.id, { waiting, active: undefined, check: 'at first', limitMs: 0 });
    // Each mutant needs one run with it and one without it, in addition to the first run.
    test.retry = 2 * waiting.length;
  }

  override onBeforeTryTask(test: RunnerTask, options: TestTryOptions): void {
    super.onBeforeTryTask(test, options);
    const plan = this.#plans.get(test.id);
    if (plan === undefined) instrumentation.currentTestId = test.id;
    else if (plan.check === undefined) {
      plan.active = plan.waiting.shift();
      instrumentation.activeMutant = plan.active;
      instrumentation.hitCount = 0;
      instrumentation.hitLimit = 1_000 + 20 * (assigned?.mostHits[plan.active ?? ''] ?? 0);
    }
    this.#startMs = now();
    this.#startCpuMs = cpuMs();
  }

  async runTask(test: RunnerTestCase): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<never>((_, reject) => {
      const fail = (): void => reject(new Error('The test hangs'));
      const plan = this.#plans.get(test.id);
      // A run without a mutant has enough time, regardless of other work on the machine.
      timer = setTimeout(fail, plan && plan.check === undefined ? plan.limitMs : 20_000);
    });
    try {
      await Promise.race([TestRunner.getTestFn(test)(), timeout]);
    } finally {
      clearTimeout(timer);
    }
  }

  override async onAfterRetryTask(test: RunnerTestCase, options: TestTryOptions): Promise<void> {
    await super.onAfterRetryTask(test, options);
    const { result } = test;
    if (result === undefined) return;
    const failure = result.state === 'pass' ? null : (result.errors?.at(-1)?.message ?? 'It fails');
    const plan = this.#plans.get(test.id);
    if (plan === undefined) {
      this.#survey(test, failure);
      return;
    }
    this.#note(test, plan, failure);
    if (now() - savedAt > 5_000) {
      tell(`${test.fullTestName}, ${plan.waiting.length} to go`);
      save();
    }
    plan.waiting = plan.waiting.filter((id) => resultOf(id).killedBy === undefined);
    // Vitest repeats only runs that failed with an error.
    const again = plan.waiting.length > 0 || plan.check !== undefined;
    result.state = again ? 'fail' : 'pass';
    if (again) result.errors = [{ message: 'The next mutant is to come' }];
    else delete result.errors;
    if (result.attempts) result.attempts.length = 0;
  }

  #survey(test: RunnerTestCase, failure: string | null): void {
    instrumentation.currentTestId = undefined;
    const hits = instrumentation.mutantCoverage?.perTest[test.id] ?? {};
    if (failure === null)
      reach.push({
        test: test.id,
        file: test.file.name,
        cpuMs: cpuMs() - this.#startCpuMs,
        ms: now() - this.#startMs,
        hits,
      });
    else unrepeatable.push(`${test.file.name} > ${test.fullTestName}: ${failure}`);
  }

  #note(test: RunnerTestCase, plan: Plan, failure: string | null): void {
    const { active, check } = plan;
    instrumentation.activeMutant = undefined;
    plan.check = undefined;
    if (check !== undefined) {
      if (check === 'at first') plan.limitMs = 500 + 5 * (now() - this.#startMs);
      if (failure === null) return;
      unrepeatable.push(`${test.file.name} > ${test.fullTestName}, ${check}: ${failure}`);
      plan.waiting = [];
      // The kills before this one were already checked.
      if (active !== undefined) delete resultOf(active).killedBy;
    } else if (active !== undefined) {
      const result = resultOf(active);
      if (instrumentation.hitCount === 0) result.missed = true;
      else result.tests += 1;
      if (failure === null) return;
      result.killedBy = test.id;
      if (failure === 'The test hangs' || failure.includes('Hit count limit')) result.hung = true;
      plan.check = 'after a kill';
    }
  }

  override onAfterRunFiles(files: Parameters<TestRunner['onAfterRunFiles']>[0]): void {
    super.onAfterRunFiles(files);
    for (const { name, result } of files)
      for (const { message } of result?.errors ?? []) unrepeatable.push(`${name}, all of it: ${message}`);
    tell(files[0]?.name);
    save();
  }
}
