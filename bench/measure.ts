/** One line of a measure's table. */
export interface Figure {
  name: string;
  unit: string;
  /** One value per round. */
  values: number[];
}

/** A value with the limit that it must meet. */
export interface Bar {
  name: string;
  value: number;
  /** `at least` for ratios of speed, `at most` for times. */
  kind: 'at least' | 'at most';
  bar: number;
}

/** How the speed changes as something grows. */
export interface Curve {
  /** The name of the file that it is drawn in. */
  name: string;
  about: string;
  /** What grows. */
  axis: string;
  series: { name: string; points: CurvePoint[] }[];
}

export interface CurvePoint {
  at: number;
  perSecond: number;
  /** In milliseconds. */
  p99: number;
}

export interface Outcome {
  figures: Figure[];
  bars: Bar[];
  curves?: Curve[];
  /** Notes that a reader needs to interpret the figures. */
  remarks: string[];
}

/** What a run of a measure writes to `bench/results`. */
export interface Result extends Outcome {
  name: string;
  about: string;
  /** ISO 8601. */
  at: string;
  machine: {
    cores: number;
    model: string;
    node: string;
    /** The load average before the run: other work on the machine. */
    loadBefore: number;
  };
  calibration: Figure[];
}

export interface Measure {
  name: string;
  /** What is compared, in one line. */
  about: string;
  /** Runs it; some measures also compare with the code of another commit. */
  run(against: OtherCommit | null): Promise<Outcome>;
}

/** The code of another commit. */
export interface OtherCommit {
  /** Its short hash. */
  name: string;
  /** Where its files are. */
  folder: string;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? Number.NaN;
  return Number.isInteger(middle) ? ((sorted[middle - 1] ?? Number.NaN) + upper) / 2 : upper;
}

/** How long some work takes, in milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

export const isMet = ({ kind, value, bar }: Bar): boolean =>
  kind === 'at least' ? value >= bar : value <= bar;
