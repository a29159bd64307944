import { writeFileSync } from 'node:fs';
import { inject, type RunnerTask, type RunnerTestCase, TestRunner, type TestTryOptions } from 'vitest';
import type { MutantResult } from './results.ts';

// Tests may replace them.
const { setTimeout, clearTimeout } = globalThis;
const now = performance.now.bind(performance);

/**
 * A test that takes longer, and reaches so many mutants that it would take longer than the second in all, is left out.
 * These are milliseconds of the processor, so that it does not matter what else the machine does.
 */
const slowMs = 40;
const slowInAllMs = 4_000;
/** How long tests run with a mutant before it is said to survive; those of its subject come first. */
const budgetMs = 150;

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** What instrumented sources read, and where they note which mutants ran. */
interface Instrumentation {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  mutantCoverage?: { static: Record<string, number>; perTest: Record<string, Record<string, number>> };
  hitCount?: number;
  hitLimit?: number;
}

const instrumentation: Instrumentation = {};
Object.assign(globalThis, { __stryker__: instrumentation });

const startedAt = now();
const results: Record<string, MutantResult> = {};
const unrepeatable: string[] = [];

function resultOf(id: string): MutantResult {
  const result = results[id] ?? { tests: 0, tookMs: 0 };
  results[id] = result;
  return result;
}

const isDone = ({ killedBy, tookMs }: MutantResult): boolean => killedBy !== undefined || tookMs > budgetMs;

/** What is left to do with a test. */
interface Plan {
  waiting: string[];
  /** How often the test alone reaches each mutant. */
  hits: Record<string, number>;
  active: string | undefined;
  /** The next run is without a mutant: a test that fails then says nothing about mutants. */
  check: 'at first' | 'after a kill' | undefined;
  limitMs: number;
}

/**
 * Runs each test again and again: once to see which mutants it reaches, and then once for each of them that no test has
 * noticed so far. To vitest these are retries, so that each has its own `beforeEach` and `onTestFinished`.
 */
export default class MutantRunner extends TestRunner {
  readonly #plans = new Map<string, Plan>();
  #startMs = 0;
  #startCpuMs = 0;

  override async onBeforeRunTask(test: RunnerTask): Promise<void> {
    await super.onBeforeRunTask(test);
    if (test.type !== 'test') return;
    // Vitest reads the number of retries at the beginning of each repeat.
    test.repeats = 1;
    test.retry = 0;
  }

  override onBeforeTryTask(test: RunnerTask, options: TestTryOptions): void {
    super.onBeforeTryTask(test, options);
    this.#startMs = now();
    this.#startCpuMs = cpuMs();
    const plan = this.#plans.get(test.id);
    if (plan === undefined) {
      instrumentation.currentTestId = test.id;
    } else if (plan.check === undefined) {
      plan.active = plan.waiting.shift();
      instrumentation.activeMutant = plan.active;
      instrumentation.hitCount = 0;
      instrumentation.hitLimit = 1_000 + 100 * (plan.hits[plan.active ?? ''] ?? 0);
    }
  }

  async runTask(test: RunnerTestCase): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<never>((_, reject) => {
      const fail = (): void => reject(new Error('The test hangs'));
      timer = setTimeout(fail, this.#plans.get(test.id)?.limitMs ?? 60_000);
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
      this.#plan(test, failure);
      return;
    }
    this.#note(test, plan, failure);
    plan.waiting = plan.waiting.filter((id) => !isDone(resultOf(id)));
    // Vitest tries again what failed with an error, and only that.
    const again = plan.waiting.length > 0 || plan.check !== undefined;
    result.state = again ? 'fail' : 'pass';
    if (again) result.errors = [{ message: 'The next mutant is to come' }];
    else delete result.errors;
    if (result.attempts) result.attempts.length = 0;
  }

  /** After the first run. */
  #plan(test: RunnerTestCase, failure: string | null): void {
    const tookMs = now() - this.#startMs;
    const usedMs = cpuMs() - this.#startCpuMs;
    instrumentation.currentTestId = undefined;
    const hits = instrumentation.mutantCoverage?.perTest[test.id] ?? {};
    delete instrumentation.mutantCoverage?.perTest[test.id];
    const open = Object.keys(hits).filter((id) => !isDone(resultOf(id)));
    const isSlow = usedMs > slowMs && usedMs * open.length > slowInAllMs;
    if (isSlow)
      for (const id of open) {
        const result = resultOf(id);
        result.leftOut = (result.leftOut ?? 0) + 1;
      }
    if (failure !== null) unrepeatable.push(`${test.file.name} > ${test.fullTestName}: ${failure}`);
    const waiting = isSlow || failure !== null ? [] : open;
    const limitMs = 500 + 5 * tookMs;
    this.#plans.set(test.id, { waiting, hits, active: undefined, check: 'at first', limitMs });
    // Each mutant, a run without one after each, and the one at first.
    test.retry = 2 * waiting.length + 1;
  }

  #note(test: RunnerTestCase, plan: Plan, failure: string | null): void {
    const { active, check } = plan;
    instrumentation.activeMutant = undefined;
    plan.active = undefined;
    plan.check = undefined;
    if (check !== undefined) {
      if (failure === null) return;
      unrepeatable.push(`${test.file.name} > ${test.fullTestName}, ${check}: ${failure}`);
      plan.waiting = [];
      for (const result of Object.values(results))
        if (result.killedBy === test.fullTestName) delete result.killedBy;
    } else if (active !== undefined) {
      const result = resultOf(active);
      result.tests += 1;
      result.tookMs += cpuMs() - this.#startCpuMs;
      if (failure === null) return;
      result.killedBy = test.fullTestName;
      if (failure === 'The test hangs' || failure.includes('Hit count limit')) result.hung = true;
      plan.check = 'after a kill';
    }
  }

  override onAfterRunFiles(files: Parameters<TestRunner['onAfterRunFiles']>[0]): void {
    super.onAfterRunFiles(files);
    const all = Object.values(results);
    const killed = all.filter(({ killedBy }) => killedBy !== undefined).length;
    const seconds = Math.round((now() - startedAt) / 1_000);
    const [file] = files;
    process.stderr.write(`${seconds} s ${file?.name}: ${killed} of ${all.length} killed so far\n`);
    const atImport = Object.keys(instrumentation.mutantCoverage?.static ?? {});
    writeFileSync(inject('resultsFile'), JSON.stringify({ results, unrepeatable, atImport }));
  }
}
