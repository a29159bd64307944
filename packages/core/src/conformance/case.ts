import type { Citation } from './failure.ts';
import type { Probe } from './probe.ts';

/** One thing that the contract promises, shown on a running service. */
export interface ConformanceCase {
  name: string;
  /** The sentences that the case proves. */
  cites: readonly Citation[];
  /** `reads` sends GET alone; anything else counts as writing, also what should be rejected. */
  needs: 'reads' | 'writes';
  /** `interface`: what any such service must do. `extension`: what the open points add. */
  origin: 'interface' | 'extension';
  /** @throws ConformanceFailure when the service does otherwise, ConformanceSkip when it can't be tried. */
  run(probe: Probe): Promise<void>;
}

/** A case as its topic writes it; the list that it stands in says where it comes from. */
export type Topic = Omit<ConformanceCase, 'origin'>[];
