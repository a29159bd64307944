/** `pnpm mutants AREA [FILE...] [--budget MS]`: which changes of an area's code no test notices; see decisions/028-mutation-testing.md. */
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import { BaseSequencer, startVitest, type TestSpecification } from 'vitest/node';
import { areas } from './areas.ts';
import { assign } from './assign.ts';
import { summarise } from './report.ts';
import type { Results, Survey } from './results.ts';

const quiet = (): void => {};
const never = (): boolean => false;
const logger = {
  ...{ isTraceEnabled: never, isDebugEnabled: never, isInfoEnabled: never },
  ...{ isWarnEnabled: never, isErrorEnabled: never, isFatalEnabled: never },
  ...{ trace: quiet, debug: quiet, info: quiet, warn: quiet, error: quiet, fatal: quiet },
};

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { budget: { type: 'string', default: '2000' } },
});
const budgetMs = Number(values.budget);
const [name = '', ...only] = positionals;
const area = areas[name];
if (area === undefined || !(budgetMs > 0)) {
  process.stdout.write(
    `pnpm mutants AREA [FILE...] [--budget MS]\n\nareas: ${Object.keys(areas).join(', ')}\n`,
  );
  process.exit(name === '' ? 0 : 2);
}

const find = (patterns: string[]): string[] => [
  ...new Set(globSync(patterns, { exclude: area.without ?? [] })),
];
const files = (only.length > 0 ? only : find(area.code)).map((path) => ({
  name: resolve(path),
  mutate: true,
  content: readFileSync(path, 'utf8'),
}));
const { files: instrumented, mutants } = await new Instrumenter(logger).instrument(files, {
  plugins: null,
  excludedMutations: [],
  ignorers: [],
});
const mutated = new Map(instrumented.map(({ name: path, content }) => [path, content]));

const folder = resolve('reports/mutants');
mkdirSync(folder, { recursive: true });
const pathOf = (what: string): string => resolve(folder, `${name}-${what}.json`);
const assignmentFile = pathOf('assignment');
const started = Date.now();

/** Runs test files, in their order, in one process that has the instrumented sources in memory. */
async function runTests(
  tests: string[],
  given: { assignmentFile: string; resultsFile: string },
): Promise<void> {
  class InOrder extends BaseSequencer {
    override async sort(specs: TestSpecification[]): Promise<TestSpecification[]> {
      const place = ({ moduleId }: TestSpecification): number => tests.indexOf(relative('.', moduleId));
      return specs.toSorted((one, other) => place(one) - place(other));
    }
  }
  const source = ['@topup-kit/source'];
  const vitest = await startVitest(
    'test',
    [],
    {
      config: false,
      watch: false,
      include: tests,
      setupFiles: 'test/each-file.ts',
      env: { TZ: 'Asia/Jakarta' },
      provide: { environment: 'node', ...given },
      isolate: false,
      maxWorkers: 1,
      // It would give the sources as they are.
      fsModuleCache: false,
      runner: './scripts/mutants/runner.ts',
      sequence: { sequencer: InOrder },
      reporters: [{}],
      update: 'none',
      // The runner has a limit of its own.
      testTimeout: 3_600_000,
      dangerouslyIgnoreUnhandledErrors: true,
    },
    {
      plugins: [{ name: 'mutants', enforce: 'pre', load: (id) => mutated.get(id.split('?')[0] ?? '') }],
      resolve: { conditions: source },
      ssr: { resolve: { conditions: source } },
    },
  );
  await vitest.close();
}

// safe: the runner wrote these
const readSurvey = (): Survey => JSON.parse(readFileSync(pathOf('survey'), 'utf8')) as Survey;
const readResults = (): Results => JSON.parse(readFileSync(pathOf('results'), 'utf8')) as Results;

function report(): void {
  const contents = new Map(files.map(({ name: path, content }) => [path, content]));
  const { survivors, table } = summarise(mutants, readSurvey(), readResults(), contents);
  writeFileSync(resolve(folder, `${name}.txt`), `${survivors}\n${table}`);
  const seconds = Math.round((Date.now() - started) / 1_000);
  process.stdout.write(`\n${table}${seconds} s. What survived: reports/mutants/${name}.txt\n`);
}

// What was found so far is worth a report too.
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    report();
    process.exit(1);
  });

const nothing: Survey & Results = { reach: [], atImport: [], unrepeatable: [], results: {} };
for (const what of ['survey', 'results']) writeFileSync(pathOf(what), JSON.stringify(nothing));
await runTests(find(area.tests), { assignmentFile: '', resultsFile: pathOf('survey') });
const { assignment, files: testFiles } = assign(readSurvey().reach, budgetMs);
writeFileSync(assignmentFile, JSON.stringify(assignment));
await runTests(testFiles, { assignmentFile, resultsFile: pathOf('results') });
report();
// A mutant may have left something open.
process.exit(0);
