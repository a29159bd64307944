import { execFileSync, spawnSync } from 'node:child_process';

/** Whether this system has a command for named pipes. */
export const hasPipes = spawnSync('mkfifo', ['--version']).status === 0;

/** Creates a named pipe, as an example of a file that is not regular. */
export function makePipe(path: string): string {
  execFileSync('mkfifo', [path]);
  return path;
}
