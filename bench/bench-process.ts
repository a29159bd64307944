import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A script of the bench in its own process, which answers messages. */
export interface BenchProcess extends AsyncDisposable {
  /** Its first message, sent when it was ready. */
  greeting: unknown;
  ask(question: string | number): Promise<unknown>;
}

/** Starts a script in its own process, so that the sides of a comparison share no memory, and waits until it is ready. */
export async function startBenchProcess(
  script: string,
  environment: Record<string, string> = {},
): Promise<BenchProcess> {
  const child = fork(fileURLToPath(new URL(script, import.meta.url)), {
    execArgv: ['--conditions=@topup-kit/source'],
    env: { PATH: process.env.PATH, ...environment },
  });
  const ended = once(child, 'exit');
  const nextMessage = async (): Promise<unknown> => {
    const [message] = await Promise.race([
      once(child, 'message'),
      ended.then(([code]) => Promise.reject(new Error(`${script} ended with code ${code}`))),
    ]);
    return message;
  };
  return {
    greeting: await nextMessage(),
    ask(question) {
      const response = nextMessage();
      child.send(question);
      return response;
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

export interface BenchServer extends AsyncDisposable {
  baseUrl: string;
  /** The CPU time that its process has used so far, in microseconds. */
  cpuTime(): Promise<number>;
}

/** Starts a server of `bench/servers` in its own process, and waits until it listens. */
export async function startBenchServer(
  script: string,
  environment: Record<string, string>,
): Promise<BenchServer> {
  const server = await startBenchProcess(`servers/${script}`, environment);
  return {
    baseUrl: String(server.greeting),
    cpuTime: async () => Number(await server.ask('cpu')),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** A process that repeats one call. */
export interface BenchCaller extends AsyncDisposable {
  /** Runs this many calls one after another. Returns the mean time of one, in microseconds. */
  round(calls: number): Promise<number>;
}

/** Starts a caller of `bench/callers` in its own process. */
export async function startBenchCaller(
  script: string,
  environment: Record<string, string> = {},
): Promise<BenchCaller> {
  const caller = await startBenchProcess(`callers/${script}`, environment);
  return {
    round: async (calls) => Number(await caller.ask(calls)),
    [Symbol.asyncDispose]: () => caller[Symbol.asyncDispose](),
  };
}
