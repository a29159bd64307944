import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('../first-order.ts', import.meta.url));

export interface ScriptRun {
  said: { stdout: string; stderr: string };
  ended: Promise<{ code: number | null }>;
}

/** Runs first-order.ts, untouched, against a service. */
export function runScript(environment: Record<string, string>): ScriptRun {
  const child = spawn(process.execPath, ['--conditions=@topup-kit/source', script], {
    env: { PATH: process.env.PATH, ...environment },
  });
  const said = { stdout: '', stderr: '' };
  child.stdout.on('data', (data) => (said.stdout += data));
  child.stderr.on('data', (data) => (said.stderr += data));
  return { said, ended: once(child, 'close').then(([code]) => ({ code })) };
}
