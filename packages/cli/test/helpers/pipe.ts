import { execFileSync, spawnSync } from 'node:child_process';

/** Whether this system makes named pipes by a command. */
export const hasPipes = spawnSync('mkfifo', ['--version']).status === 0;

/** Makes a named pipe, which stands for all that is no regular file, such as a device. */
export function makePipe(path: string): string {
  execFileSync('mkfifo', [path]);
  return path;
}
