/** Kills its own process at the n-th change of the file system. For `node --import`, with n in KILL_AT. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const changes = [
  'openSync',
  'copyFileSync',
  'linkSync',
  'renameSync',
  'rmSync',
  'fsyncSync',
  'chmodSync',
  'writeSync',
] as const;
const fatal = Number(process.env.KILL_AT);
let count = 0;

for (const name of changes) {
  const real = fs[name] as (...args: unknown[]) => unknown; // safe: it is called with the arguments of the caller
  Object.assign(fs, {
    [name](...args: unknown[]) {
      count += 1;
      if (count === fatal) process.kill(process.pid, 'SIGKILL');
      return real(...args);
    },
  });
}
syncBuiltinESMExports();
