import { spawnSync } from 'node:child_process';
import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Figure, median } from './measure.ts';

const samples = 15;

function timed(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

/** Measures the current speed of this machine's disk and CPU. Compare the figures of two runs only together with this speed. */
export function calibrate(folder = tmpdir()): Figure[] {
  const path = join(folder, `topup-kit-calibration-${process.pid}`);
  const file = openSync(path, 'w');
  const fsync = Array.from({ length: samples }, () =>
    timed(() => {
      writeSync(file, 'x'.repeat(4096));
      fsyncSync(file);
    }),
  );
  closeSync(file);
  rmSync(path);
  const node = Array.from({ length: 5 }, () => timed(() => spawnSync(process.execPath, ['-e', '0'])));
  return [
    { name: 'one fsync of 4 KiB', unit: 'ms', values: [median(fsync)] },
    { name: 'node -e 0', unit: 'ms', values: [median(node)] },
  ];
}
