import { importOnDemand } from '../install-once.ts';

interface Position {
  line: number;
  column: number;
}

/** A small change of the code, behind a switch of its own. */
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

/** The part of Stryker's instrumenter that is used here. It is installed only for this, so its types are not there. */
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

/** Puts all mutants of these files into them. */
export async function instrument(files: readonly SourceFile[]): Promise<Instrumented> {
  // safe: the package has this class at the version that is installed
  const { Instrumenter } = (await importOnDemand('@stryker-mutator/instrumenter')) as InstrumenterModule;
  return new Instrumenter(logger).instrument(
    files.map((file) => ({ ...file, mutate: true })),
    { plugins: null, excludedMutations: [], ignorers: [] },
  );
}
