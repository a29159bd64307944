import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A script of the bench as a process of its own, which tells things and can be asked. */
export interface BenchProcess extends AsyncDisposable {
  /** What it told when it was ready. */
  greeting: unknown;
  ask(question: string | number): Promise<unknown>;
}

/** Starts a script and waits until it is ready; what one loads is no weight on another. */
export async function startBenchProcess(
  script: string,
  environment: Record<string, string> = {},
): Promise<BenchProcess> {
  const child = fork(fileURLToPath(new URL(script, import.meta.url)), {
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
  return {
    greeting: await told(),
    ask(question) {
      const answer = told();
      child.send(question);
      return answer;
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
