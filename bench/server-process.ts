import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** CPU time that a process used so far, in microseconds. */
export type CpuTime = number;

export interface BenchServer extends AsyncDisposable {
  baseUrl: string;
  cpuTime(): Promise<CpuTime>;
}

/** Starts a server of `bench/servers` as a process of its own, and waits until it answers. */
export async function startBenchServer(
  script: string,
  environment: Record<string, string>,
): Promise<BenchServer> {
  const child = fork(fileURLToPath(new URL(`servers/${script}`, import.meta.url)), {
    execArgv: ['--conditions=@topup-kit/source'],
    env: { PATH: process.env.PATH, ...environment },
  });
  const ended = once(child, 'exit');
  const told = async (): Promise<unknown> => {
    const [message] = await Promise.race([
      once(child, 'message'),
      ended.then(([code]) => Promise.reject(new Error(`${script} ended with code ${code}`))),
    ]);
    return message;
  };
  const baseUrl = String(await told());
  return {
    baseUrl,
    async cpuTime() {
      const answer = told();
      child.send('cpu');
      return Number(await answer);
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
