/** What the tests showed of a mutant. */
export interface MutantResult {
  /** How many tests ran with it. */
  tests: number;
  /** How long they took, in milliseconds of the processor. */
  tookMs: number;
  /** The test that noticed it. */
  killedBy?: string;
  /** It made the test hang. */
  hung?: boolean;
  /** How many tests reach it and did not run with it, because they are slow. */
  leftOut?: number;
}

export interface Results {
  /** By the mutant's id. */
  results: Record<string, MutantResult>;
  /** Tests that can't run with mutants, and why. */
  unrepeatable: string[];
  /** The mutants that ran while a file was imported. */
  atImport: string[];
}

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where the runner of `pnpm mutants` leaves its {@link Results}. */
    resultsFile: string;
  }
}
