import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export interface RunOptions {
  cwd: string;
  env?: NodeJS.ProcessEnv;
}

/** Runs a program with a bare environment; gives what it printed, and rejects with all of it when it fails. */
export async function run(program: string, args: string[], { cwd, env = {} }: RunOptions): Promise<string> {
  const { stdout } = await promisify(execFile)(program, args, {
    cwd,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
  });
  return stdout;
}
