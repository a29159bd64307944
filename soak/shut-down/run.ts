import { Agent, type RequestOptions, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { sandboxKey } from '@topup-kit/core/contract';
import { type RandomBytes, randomBelow } from '@topup-kit/core/platform';
import { fixtureOrder } from '../../packages/server/test/helpers/sandbox.ts';
import type { StartServerProcess } from '../../packages/server/test/helpers/spawn-server.ts';

const body = JSON.stringify(fixtureOrder);

/** Sends a request. Returns its status, or the error of its connection. */
const send = (url: string, options: RequestOptions, text?: string): Promise<number | string> =>
  new Promise((resolve) => {
    const sent = request(url, options, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
      response.on('error', ({ message }) => resolve(message));
    });
    sent.on('error', (error) =>
      resolve(
        `${'code' in error ? error.code : error.message} ${sent.reusedSocket ? 'reused' : 'new'} ${error.message}`,
      ),
    );
    sent.end(text);
  });

export interface ShutDowns {
  rounds: number;
  /** Folder for the file store. */
  folder: string;
  random: RandomBytes;
  progress?: (rounds: number) => void;
}

interface ShutDown {
  /** Number of responses that clients received. */
  responses: number;
  /** Failures of requests, except those that found no server any more. */
  cut: string[];
  /** Time from the signal to the end of the process, in milliseconds. */
  milliseconds: number;
}

/**
 * Stops a server with SIGTERM while 50 clients, each on its own connection, list games and place orders as fast as they can. Every fifth
 * client opens a connection for each request.
 */
async function shutDownOnce(start: StartServerProcess, store: string, waitMs: number): Promise<ShutDown> {
  await using server = await start({ TOPUP_STORE: store });
  const cut: string[] = [];
  let responses = 0;

  async function runClient(index: number): Promise<void> {
    const agent = new Agent({ keepAlive: index % 5 > 0, maxSockets: 1 });
    const headers = { 'X-API-KEY': sandboxKey };
    for (let count = index; ; count += 1) {
      const order = { agent, method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' } };
      const outcome = await (count % 4 === 0
        ? send(`${server.baseUrl}/order`, order, body)
        : send(`${server.baseUrl}/games`, { agent, headers }));
      if (outcome === 200 || outcome === 201) responses += 1;
      else {
        if (!String(outcome).startsWith('ECONNREFUSED')) cut.push(String(outcome));
        agent.destroy();
        return;
      }
    }
  }

  const clients = Array.from({ length: 50 }, (_, index) => runClient(index));
  while (responses < 200 && server.process.exitCode === null) await wait(10);
  await wait(waitMs);
  const begun = performance.now();
  await server.end('SIGTERM');
  const milliseconds = performance.now() - begun;
  await Promise.all(clients);
  return { responses, cut, milliseconds };
}

/**
 * Repeats this with a memory store and a file store in turn; `progress` is called after each run.
 *
 * @throws Error if a request was cut, or a server took 5 seconds or longer to stop.
 */
export async function shutDownUnderLoad(
  start: StartServerProcess,
  { rounds, folder, random, progress = () => {} }: ShutDowns,
): Promise<{ responses: number; slowestMs: number }> {
  let responses = 0;
  let slowestMs = 0;
  for (let round = 0; round < rounds; round += 1) {
    const store = round % 2 === 0 ? 'memory:' : `file:${join(folder, 'topup.db')}`;
    const run = await shutDownOnce(start, store, randomBelow(random, 50));
    if (run.cut.length > 0)
      throw new Error(`round ${round + 1} cut ${run.cut.length} requests: ${run.cut.slice(0, 5).join('; ')}`);
    if (run.milliseconds >= 5_000)
      throw new Error(`the server of round ${round + 1} took ${Math.round(run.milliseconds)} ms to stop`);
    responses += run.responses;
    slowestMs = Math.max(slowestMs, run.milliseconds);
    progress(round + 1);
  }
  return { responses, slowestMs };
}
