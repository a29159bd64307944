/** Line of a measure's table. */
export interface Figure {
  name: string;
  unit: string;
  /** One value per round. */
  values: number[];
}

/** Value with the limit that it must meet. */
export interface Bar {
  name: string;
  value: number;
  /** `at least` for ratios of speed, `at most` for times. */
  kind: 'at least' | 'at most';
  bar: number;
}

/** Change of the speed as something grows. */
export interface Curve {
  /** Name of the file for its drawing. */
  name: string;
  about: string;
  /** Name of the growing quantity. */
  axis: string;
  series: { name: string; points: CurvePoint[] }[];
}

export interface CurvePoint {
  at: number;
  perSecond: number;
  /** p99 in milliseconds. */
  p99: number;
}

export interface Outcome {
  figures: Figure[];
  bars: Bar[];
  curves?: Curve[];
  /** Notes that a reader needs to interpret the figures. */
  remarks: string[];
}

/** Result of a measure, as a run writes it to `bench/results`. */
export interface Result extends Outcome {
  name: string;
  about: string;
  /** Time of the run, in ISO 8601. */
  at: string;
  machine: {
    cores: number;
    model: string;
    node: string;
    /** Load average before the run, which shows other work on the machine. */
    loadBefore: number;
  };
  calibration: Figure[];
}

export interface Measure {
  name: string;
  /** One-line description of the comparison. */
  about: string;
  /** Runs the measure. Some measures also compare with the code of another commit. */
  run(against: OtherCommit | null): Promise<Outcome>;
}

/** Code of another commit. */
export interface OtherCommit {
  /** Short hash of the commit. */
  name: string;
  /** Folder with its files. */
  folder: string;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? Number.NaN;
  return Number.isInteger(middle) ? ((sorted[middle - 1] ?? Number.NaN) + upper) / 2 : upper;
}

/** Measures the time of some work, in milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

export const isMet = ({ kind, value, bar }: Bar): boolean =>
  kind === 'at least' ? value >= bar : value <= bar;
