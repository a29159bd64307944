import { importOnDemand } from '../install-once.ts';

interface Position {
  line: number;
  column: number;
}

/** Small change of the code with its own switch. */
export interface Mutant {
  id: string;
  fileName: string;
  location: { start: Position; end: Position };
  mutatorName: string;
  replacement: string;
}

interface SourceFile {
  name: string;
  content: string;
}

interface Instrumented {
  files: readonly SourceFile[];
  mutants: readonly Mutant[];
}

/** Part of Stryker's instrumenter that is used here. Its types are missing, because it is installed only on demand. */
interface InstrumenterModule {
  Instrumenter: new (
    logger: object,
  ) => {
    instrument(files: readonly (SourceFile & { mutate: true })[], options: object): Promise<Instrumented>;
  };
}

const quiet = (): void => {};
const never = (): boolean => false;
const logger = {
  isTraceEnabled: never,
  isDebugEnabled: never,
  isInfoEnabled: never,
  isWarnEnabled: never,
  isErrorEnabled: never,
  isFatalEnabled: never,
  trace: quiet,
  debug: quiet,
  info: quiet,
  warn: quiet,
  error: quiet,
  fatal: quiet,
};

/** Inserts all mutants of these files into their code. */
export async function instrument(files: readonly SourceFile[]): Promise<Instrumented> {
  // Safe: the installed version of the package has this class.
  const { Instrumenter } = (await importOnDemand('@stryker-mutator/instrumenter')) as InstrumenterModule;
  return new Instrumenter(logger).instrument(
    files.map((file) => ({ ...file, mutate: true })),
    { plugins: null, excludedMutations: [], ignorers: [] },
  );
}
