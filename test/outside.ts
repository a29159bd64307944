import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';

const programs = ['spawn', 'spawnSync', 'exec', 'execSync', 'execFile', 'execFileSync', 'fork'] as const;

/** Lets no test of the quick run start a program, listen at a port or connect to one: such a test file is listed in `outside.json`. */
export function forbidOutside(): void {
  const forbid = (object: object, name: string) =>
    Reflect.set(object, name, () => {
      throw new Error(
        `A quick test uses ${name}(). Add its file to test/outside.json, which lists the tests that start a program, a port, a database or a browser.`,
      );
    });
  for (const name of programs) forbid(childProcess, name);
  forbid(net.Server.prototype, 'listen');
  forbid(net.Socket.prototype, 'connect');
  syncBuiltinESMExports();
}
