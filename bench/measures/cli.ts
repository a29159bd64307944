import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildCli } from '../../packages/cli/scripts/build.ts';
import { startBenchServer } from '../bench-process.ts';
import { type Bar, type Figure, type Measure, median } from '../measure.ts';

const script =
  'left=$1; shift; while [ $left -gt 0 ]; do "$@" </dev/null >/dev/null; left=$((left - 1)); done; times';

/** Converts `0m1.23s 0m0.45s`, user and system time, to milliseconds. */
const milliseconds = (times: string): number =>
  [...times.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, seconds]) => sum + (Number(minutes) * 60 + Number(seconds)) * 1000,
    0,
  );

/**
 * Measures the mean CPU time, user and system, of one run of Node with these arguments, in milliseconds. The time comes from the shell's
 * `times`, which covers whole processes from start to end, with a resolution of 10 ms for all runs together.
 */
async function cpuOf(
  nodeArgs: readonly string[],
  { runs, environment }: { runs: number; environment: Record<string, string> },
): Promise<number> {
  const args = ['-c', script, 'sh', String(runs), process.execPath, ...nodeArgs];
  const { stdout } = await promisify(execFile)('sh', args, {
    env: { PATH: process.env.PATH, ...environment },
  });
  // The first line is the time of the shell itself.
  return milliseconds(stdout.trimEnd().split('\n').at(-1) ?? '') / runs;
}

const rounds = 9;
const runs = 10;

/** Command lines, with their maximum CPU time as a multiple of `node -e 0`. */
const commands: { name: string; args: string[]; bar: number }[] = [
  { name: 'topup --version', args: ['--version'], bar: 1.2 },
  { name: 'topup --help', args: ['--help'], bar: 1.6 },
  { name: 'topup orders <TAB>', args: ['__complete', 'bash', 'topup orders ', ':=', '9', '80'], bar: 2.5 },
  { name: 'topup games list', args: ['games', 'list'], bar: 4 },
];

async function compareAll(bin: string, environment: Record<string, string>) {
  const cpu = (args: readonly string[]): Promise<number> => cpuOf(args, { runs, environment });
  const figures = [{ name: 'node -e 0', unit: 'ms CPU', values: [] as number[] }];
  const ratios = commands.map(() => [] as number[]);
  figures.push(...commands.map(({ name }) => ({ name, unit: 'ms CPU', values: [] as number[] })));
  for (const { args } of commands) await cpu([bin, ...args]);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, { args }] of commands.entries()) {
      const ours = await cpu([bin, ...args]);
      const bare = await cpu(['-e', '0']);
      figures[0]?.values.push(bare);
      figures[index + 1]?.values.push(ours);
      ratios[index]?.push(ours / bare);
    }
  }
  const bars = commands.map(({ name, bar }, index): Bar => {
    const value = median(ratios[index] ?? []);
    return { name: `${name} / node -e 0`, value, kind: 'at most', bar };
  });
  return { figures: figures satisfies Figure[], bars };
}

export const cli: Measure = {
  name: 'cli',
  about: 'CPU time, user and system, of the whole process of the built command, against node -e 0',
  async run() {
    const folder = await mkdtemp(join(tmpdir(), 'topup-kit-bench-'));
    try {
      const bin = await buildCli(folder);
      await using server = await startBenchServer('topup.ts', { TOPUP_STORE: 'memory:' });
      const compared = await compareAll(bin, { HOME: folder, TOPUP_BASE_URL: server.baseUrl });
      return {
        ...compared,
        remarks: ['The server that games list talks to is another process. Its time is not counted.'],
      };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};
