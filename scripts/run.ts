import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export interface RunOptions {
  cwd: string;
  env?: NodeJS.ProcessEnv;
}

/** Runs a program with a minimal environment. Returns its output, or rejects with it if the program fails. */
export async function run(program: string, args: string[], { cwd, env = {} }: RunOptions): Promise<string> {
  const { stdout } = await promisify(execFile)(program, args, {
    cwd,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
  });
  return stdout;
}
