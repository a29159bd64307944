/** `pnpm bench [NAME ...] [--check]`: runs the measures, prints their tables and writes bench/results/NAME.json. */
import { mkdir, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { calibrate } from './calibration.ts';
import { isMet, type Measure } from './measure.ts';
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
import { sdk } from './measures/sdk.ts';
import { sdkSize } from './measures/sdk-size.ts';
import { status } from './measures/status.ts';
import { report } from './report.ts';
import { deleteStores } from './stores.ts';

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
  options: { check: { type: 'boolean' } },
});
const results = new URL('results/', import.meta.url);
await mkdir(results, { recursive: true });
let missed = false;

async function runOne(measure: Measure): Promise<void> {
  const calibration = calibrate();
  const outcome = await measure.run();
  process.stdout.write(report(measure, calibration, outcome));
  const { name, about } = measure;
  await writeFile(
    new URL(`${name}.json`, results),
    JSON.stringify({ name, about, calibration, ...outcome }, null, 2),
  );
  missed ||= !outcome.bars.every(isMet);
}

try {
  for (const measure of select(positionals)) await runOne(measure);
} finally {
  await deleteStores();
}

if (values.check && missed) process.exitCode = 1;
