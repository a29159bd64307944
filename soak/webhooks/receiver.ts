import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { signWebhook } from '@topup-kit/core/contract';
import { sha256Hex } from '../../packages/server/src/service/sha256.ts';

/** Data that a receiver has about an event. */
export interface ReceivedEvent {
  id: string;
  type: string;
  orderId: string;
  body: string;
  attempts: number;
  hasArrived: boolean;
}

export interface Failing {
  /** Share of the attempts that fail. */
  failShare: number;
  /** Maximum number of failed attempts per event, because the intervals between retries grow. */
  maxFailed: number;
}

/** Tells whether an attempt should fail; the result for an attempt is always the same. */
const fails = (id: string, attempt: number, { failShare, maxFailed }: Failing): boolean =>
  attempt <= maxFailed &&
  Number.parseInt(sha256Hex(`${id} ${attempt}`).slice(0, 8), 16) / 2 ** 32 < failShare;

/**
 * Starts an endpoint at which a share of the deliveries fails: with a status, or with a connection that is cut before or after the event
 * was recorded. It keeps all requests, so that their order can be checked.
 */
export async function startReceiver(failing: Failing) {
  const events = new Map<string, ReceivedEvent>();
  const problems: string[] = [];
  let secret = '';
  let attempts = 0;
  let failed = 0;
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const [id = '', timestamp = '', signature = ''] = ['id', 'timestamp', 'signature'].map((name) =>
      String(request.headers[`webhook-${name}`]),
    );
    const expected = await signWebhook({ id, timestamp: Number(timestamp), body, secret });
    if (signature !== expected) problems.push(`${id}: the signature is not that of what was sent`);
    const { type, data } = JSON.parse(body);
    const known = events.get(id) ?? {
      ...{ id, type, body, orderId: String(data.order.order_id), attempts: 0, hasArrived: false },
    };
    if (known.body !== body) problems.push(`${id}: another attempt has another body`);
    known.attempts += 1;
    attempts += 1;
    events.set(id, known);
    if (!fails(id, known.attempts, failing)) {
      known.hasArrived = true;
      response.writeHead(204).end();
      return;
    }
    failed += 1;
    if (attempts % 2 === 0) response.writeHead(500).end('out of order');
    else request.socket.destroy();
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // Safe: it listens on a port.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    /** Events in the order of their first attempts. */
    events,
    problems,
    counts: () => ({ attempts, failed }),
    expectSecret(known: string): void {
      secret = known;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
