/** Which mutants a test reaches. */
export interface Reach {
  /** The test's id, which is the same in each run. */
  test: string;
  file: string;
  /** What one run takes, in milliseconds of the processor. */
  cpuMs: number;
  /** What it takes with what it waits for, in milliseconds. */
  ms: number;
  /** How often, by the mutant's id. */
  hits: Record<string, number>;
}

export interface Survey {
  reach: Reach[];
  /** The mutants that ran while a file was imported. */
  atImport: string[];
  /** Tests that failed without a mutant, and why. */
  unrepeatable: string[];
}

export interface Assignment {
  /** The mutants that each test is to run with, by the test's id. */
  tests: Record<string, string[]>;
  /** How often a single test reaches each mutant, at most. */
  mostHits: Record<string, number>;
}

/** What the tests showed of a mutant. */
export interface MutantResult {
  /** How many tests ran with it and reached it. */
  tests: number;
  /** A test ran with it, but reaches it only once in a process: the first run of a test imports a file that is loaded on demand. */
  missed?: boolean;
  /** The test that noticed it. */
  killedBy?: string;
  /** It made the test hang. */
  hung?: boolean;
}

export interface Results {
  /** By the mutant's id. */
  results: Record<string, MutantResult>;
  /** Tests that fail without a mutant when they run again, and why. */
  unrepeatable: string[];
}

declare module 'vitest' {
  export interface ProvidedContext {
    /** The path of an {@link Assignment}; empty for the survey. */
    assignmentFile: string;
    /** Where the runner leaves its {@link Survey} or {@link Results}. */
    resultsFile: string;
  }
}
