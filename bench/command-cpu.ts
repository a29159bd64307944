import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const script =
  'left=$1; shift; while [ $left -gt 0 ]; do "$@" </dev/null >/dev/null; left=$((left - 1)); done; times';

/** Reads `0m1.23s 0m0.45s`, user and system time, as milliseconds. */
const milliseconds = (times: string): number =>
  [...times.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, seconds]) => sum + (Number(minutes) * 60 + Number(seconds)) * 1000,
    0,
  );

/**
 * CPU time, user and system, of one run of Node with these arguments, in milliseconds; a mean of several runs. The
 * shell's `times` tells it for whole processes, from before their start to after their end, to a hundredth of a second
 * for all runs together.
 */
export async function cpuOf(
  nodeArgs: readonly string[],
  { runs, environment }: { runs: number; environment: Record<string, string> },
): Promise<number> {
  const args = ['-c', script, 'sh', String(runs), process.execPath, ...nodeArgs];
  const { stdout } = await promisify(execFile)('sh', args, {
    env: { PATH: process.env.PATH, ...environment },
  });
  // The first line is the shell's own.
  return milliseconds(stdout.trimEnd().split('\n').at(-1) ?? '') / runs;
}
