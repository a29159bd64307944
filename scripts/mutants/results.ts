/** Mutants that a test reaches. */
export interface Reach {
  /** Id of the test, which is the same in each run. */
  test: string;
  file: string;
  /** Processor time of one run, in milliseconds. */
  cpuMs: number;
  /** Duration of one run including waits, in milliseconds. */
  ms: number;
  /** Number of hits by the mutant's id. */
  hits: Record<string, number>;
}

export interface Survey {
  reach: Reach[];
  /** Mutants that ran while a file was imported. */
  atImport: string[];
  /** Tests that failed without a mutant, with the reason. */
  unrepeatable: string[];
}

export interface Assignment {
  /** Mutants to run with each test, by the test's id. */
  tests: Record<string, string[]>;
  /** Maximum number of times that a single test reaches each mutant. */
  mostHits: Record<string, number>;
}

/** Result of the tests of a mutant. */
export interface MutantResult {
  /** Number of tests that ran with the mutant and reached it. */
  tests: number;
  /** True if a test ran with the mutant, but reaches it only once in a process: its first run imports a file that is loaded on demand. */
  missed?: boolean;
  /** Test that noticed the mutant. */
  killedBy?: string;
  /** True if the mutant made the test hang. */
  hung?: boolean;
}

export interface Results {
  /** Results by the mutant's id. */
  results: Record<string, MutantResult>;
  /** Tests that fail without a mutant when they run again, with the reason. */
  unrepeatable: string[];
}

declare module 'vitest' {
  export interface ProvidedContext {
    /** Path of an {@link Assignment}; empty for the survey. */
    assignmentFile: string;
    /** Path to which the runner writes its {@link Survey} or {@link Results}. */
    resultsFile: string;
  }
}
