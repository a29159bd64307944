import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface ScriptRun {
  /** Kills the script immediately. */
  kill: () => void;
  output: { stdout: string; stderr: string };
  ended: Promise<{ code: number | null }>;
}

/** Module that shortens waits, because the script asks for the state of its order every few seconds. */
const hurry = new URL('../../../test/hurry-process.ts', import.meta.url).href;

/** Runs a script from the folder above, unchanged, against a service. */
export function runScript(
  environment: Record<string, string>,
  name = 'first-order.ts',
  ...args: string[]
): ScriptRun {
  const script = fileURLToPath(new URL(`../${name}`, import.meta.url));
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(
    process.execPath,
    ['--conditions=@topup-kit/source', '--import', hurry, script, ...args],
    {
      env: { PATH, NODE_COMPILE_CACHE, ...environment },
    },
  );
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (data) => (output.stdout += data));
  child.stderr.on('data', (data) => (output.stderr += data));
  return {
    kill: () => child.kill('SIGKILL'),
    output,
    ended: once(child, 'close').then(([code]) => ({ code })),
  };
}
