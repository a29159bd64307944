import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { keepCompiled } from '../../../../test/compiled.ts';
import { bundled } from '../../../../test/shared.ts';
import { home } from './run.ts';

const source = new URL('../../src/bin.ts', import.meta.url);

/** The command as a bundle that starts fast. */
export const topup = await bundled(source);

export interface Child extends AsyncDisposable {
  process: ChildProcessWithoutNullStreams;
  said: { stdout: string; stderr: string };
  ended: Promise<{ code: number | null; signal: string | null }>;
}

/** Runs the command as a process; from its sources if Node's arguments inspect what it loads. */
export function spawnTopup(
  args: string[],
  nodeArgs: string[] = [],
  environment: Record<string, string> = {},
): Child {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const [bin, compiled] =
    nodeArgs.length > 0
      ? [['--conditions=@topup-kit/source', ...nodeArgs, fileURLToPath(source)], { NODE_COMPILE_CACHE }]
      : [[topup], keepCompiled(topup)];
  const child = spawn(process.execPath, [...bin, ...args], {
    env: { PATH, HOME: home, ...compiled, ...environment },
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
