import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createWebhookSecret } from '@topup-kit/core/contract';
import { verifyWebhook } from '@topup-kit/sdk';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createForwarding, type Forwarded, forward } from '../src/commands/listen/forward.ts';
import { eventDocument, eventLine } from '../src/commands/listen/lines.ts';
import type { OutputStyle } from '../src/output/style.ts';
import { version } from '../src/version.ts';
import { orderEvent } from './helpers/order-event.ts';
import { until } from './helpers/run.ts';
import { closedBaseUrl } from './helpers/servers.ts';

const secret = createWebhookSecret(new Uint8Array(24));
const event = orderEvent('INV-1');

interface Request {
  order: string;
  body: string;
  headers: IncomingHttpHeaders;
  response: ServerResponse;
}

const accept = (response: ServerResponse): unknown => response.writeHead(204).end();

/** A receiver of webhooks, and what is told of those that are forwarded to it until it is closed. */
async function startReceiver(respond: (response: ServerResponse) => unknown = accept) {
  const requests: Request[] = [];
  let toEach = respond;
  const stop = new AbortController();
  const receiver = createServer(async (request, response) => {
    const body = await text(request);
    requests.push({ order: JSON.parse(body).data.order.order_id, body, headers: request.headers, response });
    toEach(response);
  });
  await once(receiver.listen(0, '127.0.0.1'), 'listening');
  const { port } = receiver.address() as AddressInfo; // Safe: it listens on a port, not on a pipe.
  const target = { url: `http://127.0.0.1:${port}/hooks`, secret };
  return {
    requests,
    target,
    stop,
    holdAll() {
      toEach = () => {};
    },
    /** Accepts a request that waits, and at once all that follow. */
    accept(order: string) {
      toEach = accept;
      const waiting = requests.find((request) => request.order === order);
      if (waiting) accept(waiting.response);
    },
    /** Waits until so many have come, or more. */
    received: (count: number) => until(() => requests.length >= count, 2_000),
    startForwarding(url = target.url) {
      const forwarded: string[] = [];
      const away: string[] = [];
      const forwarding = createForwarding({ url, secret }, stop.signal, {
        onAway: async ({ data }, problem) => void away.push(`${data.order.order_id} ${problem}`),
        onForwarded: async ({ type, data }) => void forwarded.push(`${data.order.order_id} ${type}`),
      });
      return { forwarding, forwarded, away };
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      receiver.closeAllConnections();
      await once(receiver.close(), 'close');
    },
  };
}

const { signal } = new AbortController();
afterEach(() => {
  vi.restoreAllMocks();
});

describe('sending an event', () => {
  it('sends an event as a signed JSON webhook with a user agent', async () => {
    await using receiver = await startReceiver();
    expect(await forward(event, receiver.target, signal)).toEqual({ status: 204 });
    const { body = '', headers = {} } = receiver.requests[0] ?? {};
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': `topup-listen/${version}`,
      'webhook-id': 'evt_INV-1',
    });
    expect(JSON.parse(body)).toEqual({ type: event.type, timestamp: event.timestamp, data: event.data });
    // It rejects a time that is minutes away.
    expect(await verifyWebhook(body, headers, secret)).toMatchObject({ type: 'order.paid' });
  });

  it.each<[string, number, Record<string, string>, string, Forwarded]>([
    ['accepted', 200, {}, 'thanks', { status: 200 }],
    [
      'rejected with a reason, by its first line',
      400,
      {},
      '\n bad signature\nstack',
      { status: 400, said: 'bad signature' },
    ],
    ['rejected without a reason', 500, {}, '', { status: 500 }],
    [
      'rejected with a long reason, by its beginning',
      500,
      {},
      'x'.repeat(200),
      { status: 500, said: 'x'.repeat(120) },
    ],
    [
      'redirected, and follows no redirect',
      302,
      { Location: '/elsewhere' },
      'moved',
      { status: 302, said: 'it redirects to /elsewhere, which is not followed' },
    ],
  ])('shows the outcome of an event that is %s', async (_case, status, headers, body, expected) => {
    await using receiver = await startReceiver((response) => response.writeHead(status, headers).end(body));
    expect(await forward(event, receiver.target, signal)).toEqual(expected);
    expect(receiver.requests).toHaveLength(1);
  });

  it('reports that nothing reached an unavailable receiver', async () => {
    const url = await closedBaseUrl();
    expect(await forward(event, { url, secret }, signal)).toEqual({
      problem: 'no response (ECONNREFUSED)',
      isAway: true,
    });
  });

  it('reports that an event may have arrived when the receiver closes the connection', async () => {
    await using receiver = await startReceiver((response) => response.socket?.resetAndDestroy());
    expect(await forward(event, receiver.target, signal)).toEqual({
      problem: 'no response (ECONNRESET)',
      isAway: false,
    });
  });

  it('reports an invalid receiver', async () => {
    expect(await forward(event, { url: 'nothing://x.test', secret }, signal)).toEqual({
      problem: 'no response (the connection failed)',
      isAway: false,
    });
  });

  it("reports a receiver that doesn't respond within 15 s", async () => {
    await using receiver = await startReceiver(() => {});
    const timeout = vi.spyOn(AbortSignal, 'timeout');
    timeout.mockReturnValue(AbortSignal.abort(new DOMException('late', 'TimeoutError')));
    expect(await forward(event, receiver.target, signal)).toEqual({
      problem: 'no response in 15 s',
      isAway: false,
    });
    expect(timeout).toHaveBeenCalledWith(15_000);
  });
});

describe('forwarding events', () => {
  it('forwards events of one order in sequence, and events of different orders in parallel', async () => {
    await using receiver = await startReceiver(() => {});
    const { forwarding, forwarded } = receiver.startForwarding();
    await forwarding.add(orderEvent('INV-1', 'order.created'));
    await forwarding.add(orderEvent('INV-1', 'order.paid'));
    await forwarding.add(orderEvent('INV-2', 'order.created'));
    await receiver.received(2);
    expect(receiver.requests.map(({ order }) => order).toSorted()).toEqual(['INV-1', 'INV-2']);
    receiver.accept('INV-1');
    await until(() => forwarded.length >= 2, 1_000);
    expect(forwarded).toEqual(['INV-1 order.created', 'INV-1 order.paid']);
    receiver.accept('INV-2');
    await forwarding.end();
    expect(forwarded).toHaveLength(3);
  });

  it('forwards events of 50 orders in parallel, and queues events of other orders', async () => {
    await using receiver = await startReceiver(() => {});
    const { forwarding, forwarded } = receiver.startForwarding();
    for (let order = 1; order <= 50; order += 1) await forwarding.add(orderEvent(`INV-${order}`));
    // One of an order that waits already takes no room.
    await forwarding.add(orderEvent('INV-1', 'order.failed'));
    let hasRoom = false;
    const added = forwarding.add(orderEvent('INV-51')).then(() => {
      hasRoom = true;
    });
    await receiver.received(50);
    expect([receiver.requests.length, hasRoom]).toEqual([50, false]);
    receiver.accept('INV-2');
    await added;
    await until(() => forwarded.length >= 2, 1_000);
    expect(forwarded.toSorted()).toEqual(['INV-2 order.paid', 'INV-51 order.paid']);
  });

  it("forwards an order's later events in sequence as well", async () => {
    await using receiver = await startReceiver();
    const { forwarding, forwarded } = receiver.startForwarding();
    await forwarding.add(orderEvent('INV-1', 'order.created'));
    await forwarding.end();
    receiver.holdAll();
    await forwarding.add(orderEvent('INV-1', 'order.paid'));
    await forwarding.add(orderEvent('INV-1', 'order.processing'));
    await receiver.received(2);
    expect(receiver.requests).toHaveLength(2);
    expect(forwarded).toEqual(['INV-1 order.created']);
  });

  it('retries while the receiver is unavailable, and reports the outage once', async () => {
    await using receiver = await startReceiver();
    const { forwarding, forwarded, away } = receiver.startForwarding(await closedBaseUrl());
    await forwarding.add(event);
    await until(() => away.length > 0, 1_000);
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(away).toEqual(['INV-1 no response (ECONNREFUSED)']);
    receiver.stop.abort();
    await forwarding.end();
    expect(forwarded).toEqual([]);
  });

  it('stops forwarding when the command stops', async () => {
    await using receiver = await startReceiver(() => {});
    const { forwarding, forwarded } = receiver.startForwarding();
    await forwarding.add(event);
    await receiver.received(1);
    receiver.stop.abort();
    await forwarding.end();
    expect(forwarded).toEqual([]);
  });
});

describe('showing an event', () => {
  const style: OutputStyle = { paint: (name, words) => `<${name}>${words}</>` };
  const start = '09:30:00  order.paid        INV-1';
  it.each<[string, Forwarded | undefined, string, { status: number | null; problem: string | null }]>([
    ['that is not forwarded', undefined, '', { status: null, problem: null }],
    ['that was accepted', { status: 200 }, '  <good>200</>', { status: 200, problem: null }],
    [
      'that was accepted with the highest 2xx',
      { status: 299 },
      '  <good>299</>',
      { status: 299, problem: null },
    ],
    ['that was redirected', { status: 300, said: 'no' }, '  <bad>300 no</>', { status: 300, problem: 'no' }],
    ['with a status below 200', { status: 199 }, '  <bad>199</>', { status: 199, problem: null }],
    [
      'whose rejection contains control characters',
      { status: 400, said: 'bad\u001b[2J' },
      '  <bad>400 bad\\u{1b}[2J</>',
      { status: 400, problem: 'bad\u001b[2J' },
    ],
    [
      'without a response',
      { problem: 'no response in 15 s', isAway: false },
      '  <bad>no response in 15 s</>',
      { status: null, problem: 'no response in 15 s' },
    ],
  ])('prints an event %s', (_case, outcome, end, expected) => {
    expect(eventLine(event, outcome, style)).toBe(`${start}${end}\n`);
    expect(eventDocument(event, outcome)).toEqual({
      ...{ id: 'evt_INV-1', type: 'order.paid', timestamp: event.timestamp, order_id: 'INV-1' },
      ...expected,
    });
  });
});
