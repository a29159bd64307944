import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate, setTimeout as wait } from 'node:timers/promises';
import type { PlainResponse } from '@topup-kit/core/app';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { closeGently } from '../src/edge/close.ts';
import { TrackedResponse } from '../src/edge/connections.ts';
import { createWriter } from '../src/edge/exchange.ts';
import { installGuard } from '../src/edge/guard.ts';
import type { Rejection } from '../src/observability/rejected-requests.ts';
import { startLogged } from './helpers/log.ts';
import { sendRaw } from './helpers/raw.ts';

/** More than the system takes of a response that nobody reads, in bytes. */
const large = 12 * 1024 * 1024;
const largeBody = new Uint8Array(large);

const respondWith = (body: PlainResponse['body']): PlainResponse => ({ status: 200, headers: {}, body });

/** A server whose requests are handled by `serve`; each is noted in `begun` when that begins. */
async function startServer(
  respond: (path: string) => PlainResponse | Promise<PlainResponse>,
  { isFromProxy = () => false }: { isFromProxy?: () => boolean } = {},
) {
  const server = createServer({ ServerResponse: TrackedResponse, requireHostHeader: false });
  const sockets: Socket[] = [];
  server.on('connection', (socket: Socket) => {
    sockets.push(socket);
    socket.destroySoon = () => closeGently(socket);
  });
  const begun: string[] = [];
  const rejections: Rejection[] = [];
  const { write, cutUnread } = createWriter();
  const serve: RequestListener = async ({ url = '' }, response) => {
    begun.push(url);
    write(response, await respond(url));
  };
  installGuard(server, {
    held: { serve },
    write,
    report: (rejection) => rejections.push(rejection),
    isFromProxy,
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  // Safe: it listens on a port.
  const { port } = server.address() as AddressInfo;
  return { port, url: `http://127.0.0.1:${port}`, begun, rejections, sockets, cutUnread };
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

const paths = (count: number): string[] => Array.from({ length: count }, (_, index) => `/${index}`);

/** Other addresses of this machine; not every system has them without being asked. */
const otherAddress = '127.0.0.2';

/** A client that reads nothing until it is told to. */
async function connectUnread(port: number, localAddress = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  socket.on('error', () => {});
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  return socket.pause();
}

describe('a connection with several requests in line', () => {
  it("handles a connection's requests in sequence, each after the previous response was sent", async () => {
    const steps: string[] = [];
    const { url, begun } = await startServer(async (path) => {
      steps.push(`begin ${path}`);
      await wait(path === '/0' ? 50 : 0);
      steps.push(`end ${path}`);
      return respondWith(`body of ${path}.`);
    });
    const { text } = await sendRaw(url, paths(3).map(get).join(''), { waitMs: 400 });
    expect(text.match(/body of \/\d/g)).toEqual(['body of /0', 'body of /1', 'body of /2']);
    expect(steps).toEqual(['begin /0', 'end /0', 'begin /1', 'end /1', 'begin /2', 'end /2']);
    expect(begun).toEqual(['/0', '/1', '/2']);
  });

  it('handles one request of a connection at a time while the client reads nothing', async () => {
    const { port, begun } = await startServer(() => respondWith(largeBody));
    const socket = await connectUnread(port);
    socket.write(paths(5).map(get).join(''));
    await expect.poll(() => begun).toEqual(['/0']);
    await wait(100);
    expect(begun).toEqual(['/0']);

    let received = 0;
    socket.on('data', (chunk) => {
      received += chunk.length;
    });
    socket.resume();
    await expect.poll(() => received, { timeout: 4_000 }).toBeGreaterThan(5 * large);
    expect(begun).toEqual(paths(5));
  });

  it('lets up to 32 requests of a connection wait', async () => {
    const { url, begun, rejections } = await startServer(() => respondWith('.'));
    const { statuses } = await sendRaw(url, paths(33).map(get).join(''), { waitMs: 400 });
    expect(statuses).toHaveLength(33);
    expect(begun).toEqual(paths(33));
    expect(rejections).toEqual([]);
  });

  it('cuts a connection with more waiting requests, and ignores the rest of its packet', async () => {
    const { promise, resolve } = Promise.withResolvers<PlainResponse>();
    const { url, begun, rejections, sockets } = await startServer(() => promise);
    const { end, text } = await sendRaw(url, paths(1_600).map(get).join(''));
    expect(end).not.toBe('open');
    expect(text).toBe('');
    expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true]);
    resolve(respondWith('.'));
    await wait(50);
    expect(begun).toEqual(['/0']);
    expect(rejections).toEqual([
      {
        requestId: expect.stringMatching(/^req_/),
        method: null,
        status: null,
        error: 'TOO_MANY_REQUESTS',
        reason: 'More than 32 requests waited for their turn on one connection.',
      },
    ]);
  });

  it('rejects a malformed request in its turn, and ignores later data', async () => {
    const { url, begun } = await startServer(async () => {
      await wait(50);
      return respondWith('.');
    });
    const { statuses, end } = await sendRaw(url, get('/0') + get('/a#b') + get('/2'));
    expect({ statuses, end }).toEqual({ statuses: ['HTTP/1.1 200', 'HTTP/1.1 400'], end: 'closed' });
    expect(begun).toEqual(['/0']);
  });
});

describe('a client whose connection was cut', () => {
  const tooMany = paths(34).map(get).join('');
  const awayMs = 10_000;
  const ask = async (url: string): Promise<string[]> =>
    (await sendRaw(url, get('/'), { waitMs: 300 })).statuses;

  async function startCut(options?: { isFromProxy?: () => boolean }) {
    const now = vi.spyOn(performance, 'now').mockReturnValue(1_000);
    onTestFinished(() => now.mockRestore());
    const started = await startServer(() => respondWith('.'), options);
    const before = await connectUnread(started.port);
    await sendRaw(started.url, tooMany);
    return { ...started, before, now };
  }

  it('rejects new connections of a cut client for ten seconds', async () => {
    const { url, now } = await startCut();
    expect(await ask(url)).toEqual([]);
    now.mockReturnValue(1_000 + awayMs - 1);
    expect(await ask(url)).toEqual([]);
    now.mockReturnValue(1_000 + awayMs);
    expect(await ask(url)).toEqual(['HTTP/1.1 200']);
  });

  it("cuts the client's other connections before they send the same amount", async () => {
    const { sockets } = await startCut();
    await expect.poll(() => sockets.map(({ destroyed }) => destroyed)).toEqual([true, true]);
  });

  it.runIf(process.platform === 'linux')('leaves clients with other addresses connected', async () => {
    const { port, url } = await startServer(() => respondWith('.'));
    const other = await connectUnread(port, otherAddress);
    await sendRaw(url, tooMany);
    const fresh = await connectUnread(port, otherAddress);
    for (const client of [other, fresh]) {
      client.resume().write(get('/'));
      expect(String(await once(client, 'data'))).toMatch(/^HTTP\/1\.1 200/);
    }
  });

  it('cuts only the affected connection of a proxy', async () => {
    const { url, sockets } = await startCut({ isFromProxy: () => true });
    expect(sockets.map(({ destroyed }) => destroyed)).toEqual([false, true]);
    expect(await ask(url)).toEqual(['HTTP/1.1 200']);
  });
});

describe('a response that its client does not read', () => {
  /** What a client may take to read something, in milliseconds. */
  const longestMs = 30_000;

  /** Without a timer: the test has stopped them. */
  async function until(condition: () => boolean): Promise<void> {
    while (!condition()) await setImmediate();
  }

  async function startUnread() {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { port, sockets } = await startServer(() => respondWith(largeBody));
    const client = await connectUnread(port);
    let received = 0;
    client.on('data', (chunk) => {
      received += chunk.length;
    });
    client.pause();
    client.write(get('/'));
    /** Waits until the system takes no more. */
    async function settle(): Promise<void> {
      for (let before = -1, turns = 0; turns < 100; turns += 1) {
        const written = sockets[0]?.bytesWritten ?? 0;
        if (written !== before) turns = 0;
        before = written;
        await setImmediate();
      }
    }
    async function read(bytes: number): Promise<void> {
      client.resume();
      await until(() => received >= bytes);
      client.pause();
      await settle();
    }
    await until(() => vi.getTimerCount() > 0);
    await settle();
    return { read, isOpen: () => sockets.some(({ destroyed }) => !destroyed) };
  }

  it("waits at most 30 seconds for a client that doesn't read", async () => {
    const { isOpen } = await startUnread();
    vi.advanceTimersByTime(longestMs - 1);
    expect(isOpen()).toBe(true);
    vi.advanceTimersByTime(2);
    await until(() => !isOpen());
  });

  it('waits for a client that reads slowly', async () => {
    const { read, isOpen } = await startUnread();
    for (const share of [0.3, 0.6, 0.9]) {
      vi.advanceTimersByTime(longestMs - 1);
      await read(share * large);
      expect(isOpen()).toBe(true);
    }
    vi.advanceTimersByTime(longestMs - 1);
    await read(large);
    await until(() => vi.getTimerCount() === 0);
    vi.advanceTimersByTime(longestMs);
    expect(isOpen()).toBe(true);
  });
});

/** 65 kB of requests. */
const packet = get('/openapi.json').repeat(1_500);

describe('a server whose clients read nothing', () => {
  it.runIf(process.platform === 'linux')(
    'handles only a few requests from clients that read nothing, and serves other clients',
    async () => {
      const { server, lines } = await startLogged();
      await using _ = server;
      const port = Number(new URL(server.localUrl).port);
      const clients = await Promise.all(Array.from({ length: 5 }, () => connectUnread(port, otherAddress)));
      for (const client of clients) client.write(packet);
      await expect
        .poll(() => lines('request').filter(({ error }) => error === 'TOO_MANY_REQUESTS'))
        .toHaveLength(1);
      expect((await fetch(`${server.localUrl}/livez`)).status).toBe(200);
      const handled = lines('request').filter(({ operation }) => operation === '/openapi.json');
      expect(handled.length).toBeLessThanOrEqual(5 * 33);
    },
  );

  it('stops soon despite clients that read nothing', async () => {
    const { server } = await startLogged();
    const port = Number(new URL(server.localUrl).port);
    const clients = await Promise.all(Array.from({ length: 5 }, () => connectUnread(port)));
    // As many as may wait, so that more than the system takes is owed to each.
    for (const client of clients) client.write(get('/openapi.json').repeat(33));
    const busy = async (): Promise<string> => (await fetch(`${server.localUrl}/livez`)).text();
    await busy();
    const begun = performance.now();
    await server.close();
    // Requests in progress are cut only after 4.5 s.
    expect(performance.now() - begun).toBeLessThan(4_000);
  });
});
