export interface SoakOptions {
  /** Seed for all random decisions. The same seed gives the same run, as far as the machine allows this. */
  seed: number;
  /** Amount of work to do; by default the amount in `about`. */
  count?: number | undefined;
  /** Called with the completed share, from 0 to 1, and with the current work. */
  progress: (share: number, doing: string) => void;
}

/** Long test that a person runs with `pnpm soak NAME`. It ends without input, and throws if it finds a fault. */
export interface Soak {
  name: string;
  /** True if the run depends on the seed, so that the same seed repeats a fault. */
  takesSeed: boolean;
  /** True if a person may choose the amount of work. */
  takesCount?: boolean;
  about: string;
  /** Runs the test. Returns a sentence with the figures of the checks that passed. */
  run(options: SoakOptions): Promise<string>;
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
