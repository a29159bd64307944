import type { ConformanceCase } from './case.ts';
import { conformanceCases } from './cases/index.ts';
import { ConformanceFailure, ConformanceSkip, type Difference } from './failure.ts';
import { createProbe, type Target } from './probe.ts';

/** How a case went. */
export interface ConformanceResult extends Pick<ConformanceCase, 'name' | 'origin' | 'cites'> {
  outcome: 'passed' | 'failed' | 'skipped';
  /** Why it failed or was skipped. */
  reason?: string;
  /** What the service did and what the contract wants, where the two differ. */
  difference?: Difference;
  /** What fails nothing but is worth knowing, such as fields that the contract doesn't have. */
  notes: string[];
}

export interface RunOptions {
  /** Whether orders may be placed; only what GET can show is tried otherwise. */
  writes?: boolean;
  /** Which cases to run; all when left out. */
  only?: (one: ConformanceCase) => boolean;
  /** How long a case may take, in milliseconds; 30,000 when left out. */
  timeoutMs?: number;
}

const defaultTimeoutMs = 30_000;

const whenAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

function outcomeOf(error: unknown): Pick<ConformanceResult, 'outcome' | 'reason' | 'difference'> {
  if (error instanceof ConformanceSkip) return { outcome: 'skipped', reason: error.message };
  if (error instanceof ConformanceFailure)
    return { outcome: 'failed', reason: error.message, difference: error.difference };
  return { outcome: 'failed', reason: String(error) };
}

/**
 * Runs one case; it never throws, whatever the service does.
 *
 * @example
 * const { outcome, reason } = await runCase(one, { baseUrl, apiKey, fetch });
 */
export async function runCase(
  one: ConformanceCase,
  target: Target,
  { timeoutMs = defaultTimeoutMs }: Pick<RunOptions, 'timeoutMs'> = {},
): Promise<ConformanceResult> {
  const { name, origin, cites } = one;
  const notes: string[] = [];
  const ending = new AbortController();
  const late = new Error(`no end after ${timeoutMs} ms`);
  const timer = setTimeout(() => ending.abort(late), timeoutMs);
  try {
    const probe = createProbe(one, target, { signal: ending.signal, notes });
    await Promise.race([one.run(probe), whenAborted(ending.signal)]);
    return { name, origin, cites, notes, outcome: 'passed' };
  } catch (error) {
    return { name, origin, cites, notes, ...outcomeOf(ending.signal.aborted ? late : error) };
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Runs the cases one after another. Without `writes` nothing is sent but GET: that is safe on a live service.
 *
 * @example
 * const results = await runConformance({ baseUrl, apiKey, fetch }, { only: ({ origin }) => origin === 'interface' });
 * const failures = results.filter(({ outcome }) => outcome === 'failed');
 */
export async function runConformance(
  target: Target,
  { writes = false, only = () => true, timeoutMs = defaultTimeoutMs }: RunOptions = {},
): Promise<ConformanceResult[]> {
  const results: ConformanceResult[] = [];
  for (const one of conformanceCases.filter(only)) {
    const { name, origin, cites } = one;
    if (one.needs === 'writes' && !writes)
      results.push({ name, origin, cites, notes: [], outcome: 'skipped', reason: 'writes are not allowed' });
    else results.push(await runCase(one, target, { timeoutMs }));
  }
  return results;
}
