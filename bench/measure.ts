/** One line of a measure's table: what was compared, in what unit, round by round. */
export interface Figure {
  name: string;
  unit: string;
  /** One value a round. */
  values: number[];
}

/** A figure with the bar it is held to. */
export interface Bar {
  name: string;
  value: number;
  /** `at least` for ratios of speed, `at most` for times. */
  kind: 'at least' | 'at most';
  bar: number;
}

export interface Outcome {
  figures: Figure[];
  bars: Bar[];
  /** What a reader must know to judge the figures. */
  remarks: string[];
}

export interface Measure {
  name: string;
  /** What is compared with what, in one line. */
  about: string;
  run(): Promise<Outcome>;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? Number.NaN;
  return Number.isInteger(middle) ? ((sorted[middle - 1] ?? Number.NaN) + upper) / 2 : upper;
}

export const isMet = ({ kind, value, bar }: Bar): boolean =>
  kind === 'at least' ? value >= bar : value <= bar;
