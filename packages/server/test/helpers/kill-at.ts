/** Kills its process at the n-th change of a file system; for `node --import`, with the number in KILL_AT. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const changes = ['openSync', 'linkSync', 'renameSync', 'rmSync', 'fsyncSync', 'chmodSync'] as const;
const fatal = Number(process.env.KILL_AT);
let count = 0;

for (const name of changes) {
  const real = fs[name] as (...args: unknown[]) => unknown; // safe: it is called as it was
  Object.assign(fs, {
    [name](...args: unknown[]) {
      count += 1;
      if (count === fatal) process.kill(process.pid, 'SIGKILL');
      return real(...args);
    },
  });
}
syncBuiltinESMExports();
