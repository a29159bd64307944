import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A process that calls something again and again. */
export interface BenchCaller extends AsyncDisposable {
  /** Microseconds of one call, in the mean of so many one after another. */
  round(calls: number): Promise<number>;
}

/** Starts a caller of `bench/callers` as a process of its own: what one side loads is no weight on the other. */
export async function startBenchCaller(
  script: string,
  environment: Record<string, string> = {},
): Promise<BenchCaller> {
  const child = fork(fileURLToPath(new URL(`callers/${script}`, import.meta.url)), {
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
  await told();
  return {
    async round(calls) {
      const answer = told();
      child.send(calls);
      return Number(await answer);
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
