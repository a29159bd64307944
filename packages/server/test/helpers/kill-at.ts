/** Kills its own process at the n-th change of the file system or batch of SQL. For `node --import`, with n in KILL_AT. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { DatabaseSync } from 'node:sqlite';

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

function note(): void {
  count += 1;
  if (count === fatal) process.kill(process.pid, 'SIGKILL');
}

for (const name of changes) {
  const real = fs[name] as (...args: unknown[]) => unknown; // Safe: it is called with the arguments of the caller.
  Object.assign(fs, {
    [name](...args: unknown[]) {
      note();
      return real(...args);
    },
  });
}
syncBuiltinESMExports();

const { exec } = DatabaseSync.prototype;
DatabaseSync.prototype.exec = function (sql) {
  note();
  exec.call(this, sql);
};
