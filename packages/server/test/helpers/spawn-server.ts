import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { keepCompiled } from '../../../../test/compiled.ts';

export interface ServerProcess extends AsyncDisposable {
  baseUrl: string;
  process: ChildProcess;
  /**
   * Sends a signal and waits until the process exits.
   *
   * @throws Error when the process had already ended by itself, or ends otherwise than by the signal: SIGTERM ends it with
   * code 0.
   */
  end(signal: NodeJS.Signals): Promise<void>;
}

/** Starts a sandbox server in its own process and waits until it is ready. */
export type StartServerProcess = (environment: Record<string, string>) => Promise<ServerProcess>;

/** Starts servers by a bundled program that prints its base URL when it is ready, as `serve.ts` does. */
export const serverStarter =
  (program: string, nodeOptions: readonly string[] = []): StartServerProcess =>
  async (environment) => {
    const child = spawn(process.execPath, [...nodeOptions, program], {
      env: {
        ...{ PATH: process.env.PATH, TOPUP_MODE: 'sandbox', PORT: '0' },
        ...keepCompiled(program),
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(child, 'exit');
    const [line] = await Promise.race([
      once(createInterface(child.stdout), 'line'),
      ended.then(([code]) => Promise.reject(new Error(`the server ended with code ${code}`))),
    ]);
    const how = (): string => `with code ${child.exitCode}, signal ${child.signalCode}`;
    const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
    let isEnded = false;
    const end = async (signal: NodeJS.Signals): Promise<void> => {
      isEnded = true;
      if (hasEnded()) throw new Error(`the server ended ${how()} before it was sent ${signal}: see its log`);
      child.kill(signal);
      await ended;
      if (signal === 'SIGTERM' ? child.exitCode !== 0 : child.signalCode !== signal)
        throw new Error(`the server ended ${how()} after ${signal}`);
    };
    return {
      baseUrl: String(line),
      process: child,
      end,
      async [Symbol.asyncDispose]() {
        if (!hasEnded()) await end('SIGKILL');
        else if (child.exitCode && !isEnded)
          throw new Error(`the server ended ${how()} by itself: see its log`);
      },
    };
  };
