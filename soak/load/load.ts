import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface Load {
  port: number;
  /** Whole requests as they are sent; each connection sends them in turn, one after the other. */
  requests: string[];
  connections: number;
  /** How long it is measured, after as long as `warmUpSeconds` in which all clients have begun. */
  seconds: number;
  warmUpSeconds: number;
  /** How long a client waits after each response, in milliseconds; at least as long as `Retry-After` says. */
  thinkMs: number;
  /** Whether they don't care about `Retry-After`. */
  isImpatient?: boolean;
  /** Decides how the waits of the clients vary. */
  seed: number;
}

export interface LoadResult {
  /** Responses by status. */
  statuses: Record<string, number>;
  /** Responses of 200 and 201 in a second. */
  goodPerSecond: number;
  /** Requests that were sent in a second. */
  sentPerSecond: number;
  /** Latencies of the good responses, and for how long the unanswered requests waited, in milliseconds. */
  p50: number;
  p99: number;
  slowest: number;
  /** Responses of 429 and 503 that did not say when to come again. */
  withoutRetryAfter: number;
  /** Requests without a response when `graceMs` had passed after the end. */
  unanswered: number;
  /** Connections that broke, by the message of the error. */
  broken: Record<string, number>;
}

/** How long the responses to the last requests may take, in milliseconds. */
export const graceMs = 10_000;

/** Runs a program that takes one message and sends one as its result, in a process of its own. */
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

/** Loads a server from another process. */
export const load = (options: Load): Promise<LoadResult> =>
  runProgram(new URL('generator.ts', import.meta.url), options);

/** A whole request, as it is sent. */
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
