import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('../first-order.ts', import.meta.url));

export interface ScriptRun {
  output: { stdout: string; stderr: string };
  ended: Promise<{ code: number | null }>;
}

/** The script asks for the state of its order every few seconds. */
const hurry = new URL('../../../test/hurry-process.ts', import.meta.url).href;

/** Runs first-order.ts, unchanged, against a service. */
export function runScript(environment: Record<string, string>): ScriptRun {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, ['--conditions=@topup-kit/source', '--import', hurry, script], {
    env: { PATH, NODE_COMPILE_CACHE, ...environment },
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (data) => (output.stdout += data));
  child.stderr.on('data', (data) => (output.stderr += data));
  return { output, ended: once(child, 'close').then(([code]) => ({ code })) };
}
