import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

export interface ServerProcess extends AsyncDisposable {
  baseUrl: string;
  process: ChildProcess;
  /** Sends a signal and waits until the process exits. */
  end(signal: NodeJS.Signals): Promise<void>;
}

/** Starts a sandbox server in its own process and waits until it is ready. */
export type StartServerProcess = (environment: Record<string, string>) => Promise<ServerProcess>;

/** Starts servers by a bundled program that prints its base URL when it is ready, as `serve.ts` does. */
export const serverStarter =
  (program: string, nodeOptions: readonly string[] = []): StartServerProcess =>
  async (environment) => {
    const child = spawn(process.execPath, [...nodeOptions, program], {
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
  };
