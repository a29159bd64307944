/** `pnpm mutants AREA`: lists the changes of an area's code that no test notices; see decisions/028-mutation-testing.md. */
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { Argument, Command, InvalidArgumentError } from '@commander-js/extra-typings';
import { BaseSequencer, startVitest, type TestSpecification } from 'vitest/node';
import { areas } from './areas.ts';
import { assign } from './assign.ts';
import { instrument } from './instrument.ts';
import { summarise } from './report.ts';
import type { Results, Survey } from './results.ts';

function parseCount(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError('It is a whole number from 1.');
  return Number(text);
}

const program = new Command('mutants')
  .description('Changes the code of an area in small ways, and lists the changes that no test notices.')
  .addArgument(new Argument('<area>', 'the area').choices(Object.keys(areas)))
  .argument('[files...]', 'only these files of the area')
  .option('--budget <ms>', 'the tests of each change, in milliseconds', parseCount, 2_000)
  .option('--every <n>', 'only each nth change', parseCount, 1)
  .showHelpAfterError('pnpm mutants --help lists the areas.')
  .parse();
const [name, only] = program.processedArgs;
const { budget: budgetMs, every } = program.opts();
const area = areas[name];
if (area === undefined) throw new Error('only known areas are parsed');

const find = (patterns: string[]): string[] => [
  ...new Set(globSync(patterns, { exclude: area.without ?? [] })),
];
const files = (only.length > 0 ? only : find(area.code)).map((path) => ({
  name: resolve(path),
  content: readFileSync(path, 'utf8'),
}));
const { files: instrumented, mutants: all } = await instrument(files);
const mutants = all.filter((_, index) => index % every === 0);
const mutated = new Map(instrumented.map(({ name: path, content }) => [path, content]));

const folder = resolve('reports/mutants');
mkdirSync(folder, { recursive: true });
const pathOf = (what: string): string => resolve(folder, `${name}-${what}.json`);
const assignmentFile = pathOf('assignment');
const started = Date.now();

/** Runs test files in their order, in one process that has the instrumented sources in memory. */
async function runTests(
  tests: string[],
  given: { assignmentFile: string; resultsFile: string },
): Promise<void> {
  class InOrder extends BaseSequencer {
    override async sort(specs: TestSpecification[]): Promise<TestSpecification[]> {
      const place = ({ moduleId }: TestSpecification): number => tests.indexOf(relative('.', moduleId));
      return specs.toSorted((a, b) => place(a) - place(b));
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
      globalSetup: 'test/global-setup.ts',
      setupFiles: 'test/each-file.ts',
      env: { TZ: 'Asia/Jakarta' },
      provide: { environment: 'node', ...given },
      isolate: false,
      maxWorkers: 1,
      // The cache would return the original sources.
      fsModuleCache: false,
      runner: './scripts/mutants/runner.ts',
      sequence: { sequencer: InOrder },
      reporters: [{}],
      update: 'none',
      // The runner has its own limit.
      testTimeout: 3_600_000,
      // After a mutant that hangs, a hook often waits for the same event. The first set-up of a file takes longer on a busy machine.
      hookTimeout: given.assignmentFile === '' ? 20_000 : 10_000,
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

// Safe: the runner wrote these.
const readSurvey = (): Survey => JSON.parse(readFileSync(pathOf('survey'), 'utf8')) as Survey;
const readResults = (): Results => JSON.parse(readFileSync(pathOf('results'), 'utf8')) as Results;

/** Creates the report of the results so far, because an interrupted run also needs a report. */
function report(): string {
  const contents = new Map(files.map(({ name: path, content }) => [path, content]));
  const { survivors, table } = summarise(mutants, readSurvey(), readResults(), contents);
  const seconds = Math.round((Date.now() - started) / 1_000);
  writeFileSync(resolve(folder, `${name}.txt`), `${survivors}\n${table}${seconds} s\n`);
  return `\n${table}${seconds} s. What survived: reports/mutants/${name}.txt\n`;
}

function end(code: number): void {
  process.stdout.write(report());
  process.exit(code);
}

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => end(1));

const nothing: Survey & Results = { reach: [], atImport: [], unrepeatable: [], results: {} };
for (const what of ['survey', 'results']) writeFileSync(pathOf(what), JSON.stringify(nothing));
await runTests(find(area.tests), { assignmentFile: '', resultsFile: pathOf('survey') });
setInterval(report, 15_000);
// The first test about a mutant kills most mutants, so few are left for tests that take long.
for (const share of [0.1, 1]) {
  const { results } = readResults();
  const alive = mutants.filter(({ id }) => results[id]?.killedBy === undefined);
  const { assignment, files: testFiles } = assign(
    readSurvey().reach,
    new Map(alive.map(({ id, fileName }) => [id, fileName])),
    budgetMs * share,
  );
  writeFileSync(assignmentFile, JSON.stringify(assignment));
  await runTests(testFiles, { assignmentFile, resultsFile: pathOf('results') });
}
// A mutant may have left handles open.
end(0);
