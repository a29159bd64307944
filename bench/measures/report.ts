import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { buildCli } from '../../packages/cli/scripts/build.ts';
import { type Measure, median } from '../measure.ts';
import { storeWith } from '../stores.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const orders = 1_000_000;
const rounds = 3;
const divisions = ['day', 'product'] as const;
/** Prints the maximum memory of the process, in kB, as its last line. `resourceUsage` would include the memory of the parent. */
const noteMemory = `data:text/javascript,import { readFileSync } from 'node:fs';
process.on('exit', () => process.stderr.write('\\n' + /VmHWM:\\s*(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1] + '\\n'))`;

/** Runs a report as an operator would. Returns the time in seconds, and the maximum memory in MB. */
async function runReport(
  bin: string,
  store: string,
  by: string,
): Promise<{ seconds: number; megabytes: number }> {
  const started = performance.now();
  const args = ['report', 'sales', '--from', '2020-01-01', '--by', by, '--json', '--store', store];
  const child = spawn(process.execPath, ['--import', noteMemory, bin, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`topup report ended with ${code}: ${said}`);
  const kilobytes = Number(said.trim().split('\n').at(-1));
  return { seconds: (performance.now() - started) / 1_000, megabytes: kilobytes / 1_024 };
}

export const reportOfSales: Measure = {
  name: 'report',
  about: 'topup report sales over a file with 1,000,000 orders, by day and by product, its process included',
  async run() {
    await using folder = await temporaryFolder();
    const bin = await buildCli(folder.path);
    const store = `file:${await storeWith(orders)}`;
    // The first report also adds up all orders.
    const first = await runReport(bin, store, 'day');
    const runs: Record<(typeof divisions)[number], { seconds: number; megabytes: number }[]> = {
      day: [],
      product: [],
    };
    for (let round = 0; round < rounds; round += 1)
      for (const by of divisions) runs[by].push(await runReport(bin, store, by));
    const secondsOf = (by: (typeof divisions)[number]): number[] => runs[by].map(({ seconds }) => seconds);
    const largest = [first, ...runs.day, ...runs.product].map(({ megabytes }) => megabytes);
    return {
      figures: [
        { name: 'the first report, which adds up every order', unit: 's', values: [first.seconds] },
        ...divisions.map((by) => ({ name: `by ${by}`, unit: 's', values: secondsOf(by) })),
        { name: 'memory', unit: 'MB', values: largest },
      ],
      bars: [
        {
          name: 'slowest report, s',
          value: Math.max(...divisions.map((by) => median(secondsOf(by)))),
          kind: 'at most',
          bar: 5,
        },
        { name: 'memory, MB', value: Math.max(...largest), kind: 'at most', bar: 200 },
      ],
      remarks: [],
    };
  },
};
