/** A long test that a person runs with `pnpm soak NAME`; it ends by itself, and throws when it finds a fault. */
export interface Soak {
  name: string;
  about: string;
  /**
   * @param progress is told the share that is done, from 0 to 1, and what is being done
   * @returns what was found to be right, as a sentence.
   */
  run(options: { progress: (share: number, doing: string) => void }): Promise<string>;
}
