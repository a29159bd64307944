import {
  type ConformanceCase,
  type ConformanceTarget,
  conformanceCases,
  runCase,
} from '@topup-kit/conformance';
import { assert, it, vi } from 'vitest';
import { crowded } from '../../../core/test/helpers/crowded.ts';
import { mockGaps } from '../browser/gaps.ts';

/** One test a case, so that a failure has its name; a case among the gaps has to fail. */
export function conformanceSuite(target: ConformanceTarget): void {
  // The cases ask for what there is not, and the mock says so each time.
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  const verify = async (one: ConformanceCase): Promise<void> => {
    const { outcome, reason } = await runCase(one, target);
    assert(outcome === 'passed', reason);
  };
  for (const one of conformanceCases.filter(({ name }) => name !== crowded)) {
    const test = Object.hasOwn(mockGaps, one.name) ? it.fails : it;
    test(one.name, { timeout: 60_000 }, () => verify(one));
  }
}
