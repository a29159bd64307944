import type { Citation } from './failure.ts';
import type { Probe } from './probe.ts';

/** A test of one promise of the contract, against a running service. */
export interface ConformanceCase {
  name: string;
  /** The sentences that the case proves. */
  cites: readonly Citation[];
  /** `reads`: sends only GET requests. Everything else is `writes`, also requests that should be rejected. */
  needs: 'reads' | 'writes';
  /** `interface`: every service must pass. `extension`: a choice of this kit (`docs/open-points.md`). */
  origin: 'interface' | 'extension';
  /** @throws ConformanceFailure when the service violates the contract, ConformanceSkip when the case can't run. */
  run(probe: Probe): Promise<void>;
}

/** The cases of one topic. Their origin is set in `cases/index.ts`. */
export type Topic = Omit<ConformanceCase, 'origin'>[];
