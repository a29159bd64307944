import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { home } from './run.ts';

const bin = fileURLToPath(new URL('../../src/bin.ts', import.meta.url));

export interface Child extends AsyncDisposable {
  process: ChildProcessWithoutNullStreams;
  said: { stdout: string; stderr: string };
  ended: Promise<{ code: number | null; signal: string | null }>;
}

/** The command as a process of its own. */
export function spawnTopup(args: string[], nodeArgs: string[] = []): Child {
  const child = spawn(process.execPath, ['--conditions=@topup-kit/source', ...nodeArgs, bin, ...args], {
    env: { PATH: process.env.PATH, HOME: home },
  });
  const said = { stdout: '', stderr: '' };
  child.stdout.on('data', (data) => (said.stdout += data));
  child.stderr.on('data', (data) => (said.stderr += data));
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal }));
  return {
    process: child,
    said,
    ended,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
