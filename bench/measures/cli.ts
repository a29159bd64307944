import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildCli } from '../../packages/cli/scripts/build.ts';
import { cpuOf } from '../command-cpu.ts';
import { type Bar, type Figure, type Measure, median } from '../measure.ts';
import { startBenchServer } from '../server-process.ts';

const rounds = 9;
const runs = 10;

/** Command lines, and how many times the CPU time of `node -e 0` each may take. */
const commands: { name: string; args: string[]; bar: number }[] = [
  { name: 'topup --version', args: ['--version'], bar: 1.2 },
  { name: 'topup --help', args: ['--help'], bar: 1.6 },
  { name: 'topup orders <TAB>', args: ['__complete', 'bash', 'topup orders ', ':=', '9', '80'], bar: 2 },
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
  about: 'CPU time, user and system, of the built command as a whole process, against node -e 0',
  async run() {
    const folder = await mkdtemp(join(tmpdir(), 'topup-kit-bench-'));
    try {
      const bin = await buildCli(folder);
      await using server = await startBenchServer('topup.ts', { TOPUP_STORE: 'memory:' });
      const compared = await compareAll(bin, { HOME: folder, TOPUP_BASE_URL: server.baseUrl });
      return {
        ...compared,
        remarks: ['The server of games list is another process, whose time is not counted.'],
      };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};
