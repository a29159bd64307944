import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface Load {
  port: number;
  /** Raw requests; each connection sends them in turn, one after another. */
  requests: string[];
  connections: number;
  /** Duration of the measurement in seconds. Before it, all clients start within `warmUpSeconds`. */
  seconds: number;
  warmUpSeconds: number;
  /** Pause of a client after each response, in milliseconds; at least the time in `Retry-After`. */
  thinkMs: number;
  /** True if the clients ignore `Retry-After`. */
  isImpatient?: boolean;
  /** Seed for the variation of the clients' pauses. */
  seed: number;
}

export interface LoadResult {
  /** Number of responses by status. */
  statuses: Record<string, number>;
  /** Number of 200 and 201 responses per second. */
  goodPerSecond: number;
  /** Number of sent requests per second. */
  sentPerSecond: number;
  /** Latencies of the good responses, and waiting times of requests without a response, in milliseconds. */
  p50: number;
  p99: number;
  slowest: number;
  /** Number of 429 and 503 responses without `Retry-After`. */
  withoutRetryAfter: number;
  /** Number of requests without a response `graceMs` after the end. */
  unanswered: number;
  /** Number of broken connections, by the message of the error. */
  broken: Record<string, number>;
}

/** Maximum time for the responses to the last requests, in milliseconds. */
export const graceMs = 10_000;

/** Runs a program in a separate process. It takes one message, and sends one message as its result. */
export async function runProgram<Options extends object, Result>(
  program: URL,
  options: Options,
): Promise<Result> {
  const child = fork(fileURLToPath(program));
  const ended = once(child, 'exit');
  child.send(options);
  const [result] = await Promise.race([
    once(child, 'message'),
    ended.then(([code]) => Promise.reject(new Error(`${program.pathname} ended with code ${code}`))),
  ]);
  await ended;
  // Safe: the programs send nothing else.
  return result as Result;
}

/** Loads a server from a separate process. */
export const load = (options: Load): Promise<LoadResult> =>
  runProgram(new URL('generator.ts', import.meta.url), options);

/** Creates a raw request. */
export function rawRequest(
  method: 'GET' | 'POST',
  path: string,
  { body = '', headers = {} }: { body?: string | undefined; headers?: Record<string, string> } = {},
): string {
  const lines = Object.entries({
    Host: 'localhost',
    Accept: 'application/json',
    ...headers,
    ...(method === 'POST' && {
      'Content-Type': 'application/json',
      'Content-Length': String(Buffer.byteLength(body)),
    }),
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}
