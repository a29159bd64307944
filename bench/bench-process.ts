import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { OtherCommit } from './measure.ts';
import { nodeOnServerCore } from './pin.ts';

/** Script of the bench in its own process, which responds to messages. */
export interface BenchProcess extends AsyncDisposable {
  /** First message of the script, which it sent when it was ready. */
  greeting: unknown;
  ask(question: string | number): Promise<unknown>;
}

const sourceCondition = '--conditions=@topup-kit/source';

export interface StartOptions {
  /** Arguments of the script. */
  args?: string[];
  /** True if the process may use only the core of the servers, if the system allows this. Default: true. */
  pinned?: boolean;
  /** Script of the bench that is loaded before the script. */
  preload?: string;
  /** True if its output to stdout is discarded. */
  quiet?: boolean;
  /** Other commit whose code the process runs. */
  of?: OtherCommit | undefined;
}

/** Returns the path of a file in this folder. */
const pathOf = (script: string): string => fileURLToPath(new URL(script, import.meta.url));

/** Starts a script in its own process, so that the sides of a comparison share no memory. Waits until the script is ready. */
async function startBenchProcess(
  script: string,
  environment: Record<string, string> = {},
  { args = [], pinned = true, preload, quiet = false, of }: StartOptions = {},
): Promise<BenchProcess> {
  const nodeArgs = [sourceCondition, ...(preload === undefined ? [] : ['--import', pathOf(preload)])];
  const { program, args: execArgv } = pinned
    ? nodeOnServerCore(nodeArgs)
    : { program: process.execPath, args: nodeArgs };
  const path = of === undefined ? pathOf(script) : join(of.folder, 'bench', script);
  const child = fork(path, args, {
    execPath: program,
    execArgv,
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', quiet ? 'ignore' : 'inherit', 'inherit', 'ipc'],
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
  /** True if the process may use only the core of the servers, if the system allows this. */
  isPinned: boolean;
  /** Returns the CPU time that the process has used so far, in microseconds. */
  cpuTime(): Promise<number>;
  /** Returns the current memory of the process (its resident set), in bytes. */
  memory(): Promise<number>;
}

/** Starts a server of `bench/servers` in its own process, and waits until it listens. */
export async function startBenchServer(
  script: string,
  environment: Record<string, string>,
  options?: StartOptions,
): Promise<BenchServer> {
  const server = await startBenchProcess(`servers/${script}`, environment, options);
  return {
    baseUrl: String(server.greeting),
    isPinned: options?.pinned ?? true,
    cpuTime: async () => Number(await server.ask('cpu')),
    memory: async () => Number(await server.ask('memory')),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** Process that repeats one call. */
export interface BenchCaller extends AsyncDisposable {
  /** Runs this many calls one after another. Returns the mean time of a call, in microseconds. */
  round(calls: number): Promise<number>;
}

/** Starts a caller of `bench/callers` in its own process. */
export async function startBenchCaller(
  script: string,
  environment: Record<string, string> = {},
  options?: StartOptions,
): Promise<BenchCaller> {
  const caller = await startBenchProcess(`callers/${script}`, environment, options);
  return {
    round: async (calls) => Number(await caller.ask(calls)),
    [Symbol.asyncDispose]: () => caller[Symbol.asyncDispose](),
  };
}
