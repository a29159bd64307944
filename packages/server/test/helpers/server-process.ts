import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { bundled } from '../../../../test/shared.ts';

const program = await bundled(new URL('serve.ts', import.meta.url));

export interface ServerProcess extends AsyncDisposable {
  baseUrl: string;
  process: ChildProcess;
  /** Sends a signal and waits until the process exits. */
  end(signal: NodeJS.Signals): Promise<void>;
}

/** Starts a sandbox server in its own process and waits until it is ready. */
export async function startServerProcess(environment: Record<string, string>): Promise<ServerProcess> {
  const child = spawn(process.execPath, [program], {
    env: { PATH: process.env.PATH, TOPUP_MODE: 'sandbox', PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const [line] = await Promise.race([
    once(createInterface(child.stdout), 'line'),
    ended.then(([code]) => Promise.reject(new Error(`the server ended with code ${code}`))),
  ]);
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    await ended;
  };
  return { baseUrl: String(line), process: child, end, [Symbol.asyncDispose]: () => end('SIGKILL') };
}
