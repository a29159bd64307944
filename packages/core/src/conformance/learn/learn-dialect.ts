import { type DialectChanges, kitDialect } from '../../contract/index.ts';
import { createProbe } from '../probe.ts';
import type { Target } from '../target.ts';
import { learnByOrdering, learnByRefusals } from './learn-by-ordering.ts';
import { learnByReading } from './learn-by-reading.ts';
import { learnExpiry } from './learn-expiry.ts';
import { learnStatuses } from './learn-statuses.ts';
import { createLessons } from './lessons.ts';

/** What a service let see of its dialect. */
export interface LearnedDialect {
  /** What was seen; the rest is left out. */
  dialect: DialectChanges;
  /** The entries that nothing was seen of, such as `errorBodies.rateLimited`. */
  unknown: string[];
}

/**
 * Learns how a service fills the interface's silence. Without `writes` only GET is sent. With it about seven orders
 * are placed, and about twelve in a sandbox that can be moved.
 *
 * @throws ConformanceFailure when the service can't be reached.
 * @example
 * const { dialect } = await learnDialect({ baseUrl, apiKey, fetch, sample }, { signal });
 * createTopupMock({ dialect: completeDialect(dialect) });
 */
export async function learnDialect(
  target: Target,
  { writes = false, signal }: { writes?: boolean; signal: AbortSignal },
): Promise<LearnedDialect> {
  const needs = writes ? 'writes' : 'reads';
  const probe = createProbe({ needs, cites: [] }, { ...target, dialect: kitDialect }, { signal, notes: [] });
  const lessons = createLessons();
  await learnByReading(probe, lessons);
  if (writes) {
    await learnByRefusals(probe, lessons);
    await learnByOrdering(probe, lessons);
    await learnExpiry(probe, lessons);
    if (target.sandbox) await learnStatuses(probe, target.sandbox, lessons);
  }
  return { dialect: lessons.dialect, unknown: lessons.unknown() };
}
