import { conformanceCases } from './cases/index.ts';
import {
  ConformanceFailure,
  ConformanceSkip,
  type Difference,
  type RecordedRequest,
  withoutKeys,
} from './failure.ts';
import { type ConformanceCase, type ConformanceTarget, createProbe } from './probe.ts';

export interface ConformanceResult extends Pick<ConformanceCase, 'name' | 'origin' | 'cites'> {
  outcome: 'passed' | 'failed' | 'skipped';
  /** The reason for a failure or a skip. */
  reason?: string;
  /** The required value and the service's value, if they caused the failure. */
  difference?: Difference;
  /** The request for the response with this difference, with variables instead of keys. */
  sent?: RecordedRequest;
  /** Observations that are not failures, such as fields outside the contract. */
  notes: string[];
}

export interface RunOptions {
  /** True to allow orders. Otherwise, only cases that send nothing but GET requests run. */
  writes?: boolean;
  /** Selects the cases to run; all if left out. */
  only?: (testCase: ConformanceCase) => boolean;
  /** Maximum duration of a case, in milliseconds; 30,000 if left out. */
  timeoutMs?: number;
}

const defaultTimeoutMs = 30_000;

const whenAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

function outcomeOf(error: unknown): Pick<ConformanceResult, 'outcome' | 'reason' | 'difference' | 'sent'> {
  if (error instanceof ConformanceSkip) return { outcome: 'skipped', reason: error.message };
  if (error instanceof ConformanceFailure)
    return { outcome: 'failed', reason: error.message, difference: error.difference, sent: error.sent };
  return { outcome: 'failed', reason: String(error) };
}

/**
 * Runs one case. It never throws: every error becomes a failed result.
 *
 * @example
 * const { outcome, reason } = await runCase(one, { baseUrl, apiKey, fetch });
 */
export async function runCase(
  testCase: ConformanceCase,
  target: ConformanceTarget,
  { timeoutMs = defaultTimeoutMs }: Pick<RunOptions, 'timeoutMs'> = {},
): Promise<ConformanceResult> {
  const { name, origin, cites } = testCase;
  const notes: string[] = [];
  const controller = new AbortController();
  const timeout = new Error(`timed out after ${timeoutMs} ms`);
  const timer = setTimeout(() => controller.abort(timeout), timeoutMs);
  try {
    const probe = createProbe(testCase, target, { signal: controller.signal, notes });
    await Promise.race([testCase.run(probe), whenAborted(controller.signal)]);
    return { name, origin, cites, notes, outcome: 'passed' };
  } catch (error) {
    const failure = outcomeOf(controller.signal.aborted ? timeout : error);
    return withoutKeys({ name, origin, cites, notes, ...failure }, target);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Runs the cases in sequence. Without `writes`, it sends only GET requests, which is safe on a production service.
 *
 * @example
 * const results = await runConformance({ baseUrl, apiKey, fetch }, { only: ({ origin }) => origin === 'interface' });
 * const failures = results.filter(({ outcome }) => outcome === 'failed');
 */
export async function runConformance(
  target: ConformanceTarget,
  { writes = false, only = () => true, timeoutMs = defaultTimeoutMs }: RunOptions = {},
): Promise<ConformanceResult[]> {
  const results: ConformanceResult[] = [];
  for (const testCase of conformanceCases.filter(only)) {
    const { name, origin, cites } = testCase;
    if (testCase.needs === 'writes' && !writes)
      results.push({ name, origin, cites, notes: [], outcome: 'skipped', reason: 'writes are not allowed' });
    else results.push(await runCase(testCase, target, { timeoutMs }));
  }
  return results;
}
