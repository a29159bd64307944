export interface SoakOptions {
  /** Decides everything that is left to chance: the same seed gives the same run, as far as the machine allows. */
  seed: number;
  /** How much of it is to be done; left out, as much as `about` says. */
  count?: number | undefined;
  /** Told the share that is done, from 0 to 1, and what is being done. */
  progress: (share: number, doing: string) => void;
}

/** A long test that a person runs with `pnpm soak NAME`; it ends by itself, and throws when it finds a fault. */
export interface Soak {
  name: string;
  /** Whether the seed decides anything, so that the same one repeats a fault. */
  takesSeed: boolean;
  /** Whether a person may choose how much is done. */
  takesCount?: boolean;
  about: string;
  /** Returns what was found to be right, as a sentence with the figures. */
  run(options: SoakOptions): Promise<string>;
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
