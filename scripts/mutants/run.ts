/** `pnpm mutants AREA [FILE...]`: which changes of an area's code no test notices; see decisions/028-mutation-testing.md. */
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import { BaseSequencer, startVitest, type TestSpecification } from 'vitest/node';
import { areas } from './areas.ts';
import { summarise } from './report.ts';
import type { Results } from './results.ts';

const quiet = (): void => {};
const never = (): boolean => false;
const logger = {
  ...{ isTraceEnabled: never, isDebugEnabled: never, isInfoEnabled: never },
  ...{ isWarnEnabled: never, isErrorEnabled: never, isFatalEnabled: never },
  ...{ trace: quiet, debug: quiet, info: quiet, warn: quiet, error: quiet, fatal: quiet },
};

const { positionals } = parseArgs({ allowPositionals: true });
const [name = '', ...only] = positionals;
const area = areas[name];
if (area === undefined) {
  process.stdout.write(`pnpm mutants AREA [FILE...]\n\nareas: ${Object.keys(areas).join(', ')}\n`);
  process.exit(name === '' ? 0 : 2);
}

const find = (patterns: string[]): string[] => [
  ...new Set(globSync(patterns, { exclude: area.without ?? [] }).map((path) => resolve(path))),
];
const files = (only.length > 0 ? only.map((path) => resolve(path)) : find(area.code)).map((path) => ({
  name: path,
  mutate: true,
  content: readFileSync(path, 'utf8'),
}));
const { files: instrumented, mutants } = await new Instrumenter(logger).instrument(files, {
  plugins: null,
  excludedMutations: [],
  ignorers: [],
});
const mutated = new Map(instrumented.map(({ name: path, content }) => [path, content]));

const tests = find(area.tests);
class InOrder extends BaseSequencer {
  override async sort(specs: TestSpecification[]): Promise<TestSpecification[]> {
    return specs.toSorted((one, other) => tests.indexOf(one.moduleId) - tests.indexOf(other.moduleId));
  }
}

const folder = resolve('reports/mutants');
mkdirSync(folder, { recursive: true });
const resultsFile = resolve(folder, `${name}.json`);
const started = Date.now();

function report(): void {
  // safe: the runner wrote it
  const found = JSON.parse(readFileSync(resultsFile, 'utf8')) as Results;
  const { survivors, table } = summarise(
    mutants,
    found,
    new Map(files.map((one) => [one.name, one.content])),
  );
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

const source = ['@topup-kit/source'];
const vitest = await startVitest(
  'test',
  [],
  {
    config: false,
    watch: false,
    include: tests.map((path) => relative('.', path)),
    setupFiles: 'test/each-file.ts',
    env: { TZ: 'Asia/Jakarta' },
    provide: { environment: 'node', resultsFile },
    // One process has the sources in memory, instrumented, for all tests and all mutants.
    isolate: false,
    maxWorkers: 1,
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
report();
// A mutant may have left something open.
process.exit(0);
