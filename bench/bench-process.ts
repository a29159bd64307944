import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { OtherCommit } from './measure.ts';
import { nodeOnServerCore } from './pin.ts';

/** A script of the bench in its own process, which answers messages. */
export interface BenchProcess extends AsyncDisposable {
  /** Its first message, sent when it was ready. */
  greeting: unknown;
  ask(question: string | number): Promise<unknown>;
}

const sourceCondition = '--conditions=@topup-kit/source';

export interface StartOptions {
  /** Arguments of the script. */
  args?: string[];
  /** Whether it may only use the core of the servers, if the system allows it. Default: true. */
  pinned?: boolean;
  /** A script of the bench to load before the script. */
  preload?: string;
  /** Whether what it prints to stdout is dropped. */
  quiet?: boolean;
  /** Another commit whose code it runs. */
  of?: OtherCommit | undefined;
}

/** The path of a file in this folder. */
const pathOf = (script: string): string => fileURLToPath(new URL(script, import.meta.url));

/** Starts a script in its own process, so that the sides of a comparison share no memory, and waits until it is ready. */
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
  /** Whether it may only use the core of the servers, where the system allows that. */
  isPinned: boolean;
  /** The CPU time that its process has used so far, in microseconds. */
  cpuTime(): Promise<number>;
  /** The memory that its process has now (its resident set), in bytes. */
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

/** A process that repeats one call. */
export interface BenchCaller extends AsyncDisposable {
  /** Runs this many calls one after another. Returns the mean time of one, in microseconds. */
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
