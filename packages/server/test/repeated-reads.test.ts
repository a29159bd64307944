import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { sandboxKey } from '@topup-kit/core/engine';
import { describe, expect, it, onTestFinished } from 'vitest';
import { closeGently, pendingResponse, TrackedResponse } from '../src/edge/connections.ts';
import { createRepeatedReads, type SendResponse } from '../src/edge/repeated-reads.ts';
import { fixtureOrder, startSandbox } from './helpers/sandbox.ts';

const matched = { operation: 'listGames', parameters: {} } as const;

/** A server that remembers each GET, and what it did: `parsed` by Node, or `repeated`. */
async function startRemembering({ keepAliveMs = 5_000, isKeptAtOnce = true } = {}) {
  const seen: string[] = [];
  const sends: SendResponse[] = [];
  const server = createServer({ ServerResponse: TrackedResponse, keepAliveTimeout: keepAliveMs });
  const reads = createRepeatedReads(server);
  let isHolding = false;
  server.on('request', (request, response) => {
    seen.push(`parsed ${request.url}`);
    // A head is kept when it comes again; here it is so at once, unless a test wants it otherwise.
    for (let times = isKeptAtOnce ? 2 : 1; request.method === 'GET' && times > 0; times -= 1)
      reads.remember(request, matched);
    if (request.url === '/early') return void response.end('early');
    request.on('data', () => {}).on('end', () => response.end(`parsed ${request.url}`));
  });
  reads.serve((_matched, { url }, send) => {
    seen.push(`repeated ${url}`);
    const respond = (): void => send({ status: 200, headers: [{ 'X-A': '1' }], body: `repeated ${url}` });
    if (isHolding) sends.push(respond);
    else respond();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    server,
    reads,
    seen,
    hold() {
      isHolding = true;
    },
    release() {
      isHolding = false;
      for (const respond of sends.splice(0)) respond({ status: 200, headers: [], body: '' });
    },
  };
}

/** The memory of all Buffers that are still in use. */
function arrayBuffers(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().arrayBuffers;
}

interface Client {
  socket: Socket;
  /** Sends pieces, each in a packet of its own, and returns what came until there were so many responses. */
  send(pieces: readonly string[], responses?: number): Promise<string>;
}

async function connectTo(server: Server): Promise<Client> {
  // Safe: it listens over TCP.
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1').setEncoding('latin1').setNoDelay();
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  let text = '';
  let got = (): void => {};
  socket.on('data', (chunk: string) => {
    text += chunk;
    got();
  });
  return {
    socket,
    async send(pieces, responses = 1) {
      text = '';
      const all = new Promise<void>((resolve) => {
        got = () => {
          if (text.split('HTTP/1.1 ').length > responses) resolve();
        };
      });
      for (const [index, piece] of pieces.entries()) {
        if (index > 0) await wait(20);
        socket.write(piece);
      }
      await all;
      return text;
    },
  };
}

const get = (path: string, more = ''): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`;
const post = (body: string, length = body.length): string =>
  `POST /order HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${length}\r\n\r\n${body}`;

describe('a repeated read', () => {
  it('is responded to without Node’s parser, from the second request of a connection on', async () => {
    const { server, seen } = await startRemembering();
    const one = await connectTo(server);
    await one.send([get('/a')]);
    const response = await one.send([get('/a')]);
    const other = await connectTo(server);
    await other.send([get('/a')]);
    await other.send([get('/a')]);
    expect(seen).toEqual(['parsed /a', 'repeated /a', 'parsed /a', 'repeated /a']);
    expect(response).toMatch(
      /^HTTP\/1\.1 200 OK\r\nX-A: 1\r\nContent-Length: 11\r\nDate: .* GMT\r\nConnection: keep-alive\r\nKeep-Alive: timeout=5\r\n\r\nrepeated \/a$/,
    );
  });

  it('is one whose head came twice before, wherever it came from', async () => {
    const { server, seen } = await startRemembering({ isKeptAtOnce: false });
    const { send } = await connectTo(server);
    for (let count = 0; count < 4; count += 1) await send([get('/a')]);
    const other = await connectTo(server);
    for (const path of ['/b', '/a', '/b', '/b']) await other.send([get(path)]);
    expect(seen).toEqual([
      ...['parsed /a', 'parsed /a', 'repeated /a', 'repeated /a'],
      ...['parsed /b', 'repeated /a', 'parsed /b', 'repeated /b'],
    ]);
  });

  it('is not one with the same hash', async () => {
    const { server, seen } = await startRemembering();
    const { send } = await connectTo(server);
    // Their bytes up to here have the same FNV-1a hash; what follows is the same.
    const [one, other] = ['/games/1129599', '/games/1732382'];
    for (const path of [one, one, other, other, one]) await send([get(path)]);
    expect(seen).toEqual([
      `parsed ${one}`,
      `repeated ${one}`,
      `parsed ${other}`,
      `repeated ${other}`,
      `parsed ${one}`,
    ]);
  });

  it('has the date of its second', async () => {
    const { server } = await startRemembering();
    const { send } = await connectTo(server);
    await send([get('/a')]);
    for (let count = 0; count < 2; count += 1) {
      await wait(1_100);
      const before = Math.floor(Date.now() / 1_000) * 1_000;
      const [, date = ''] = /^Date: (.*)\r$/m.exec(await send([get('/a')])) ?? [];
      expect(Date.parse(date)).toBeGreaterThanOrEqual(before);
      expect(Date.parse(date)).toBeLessThanOrEqual(Date.now());
    }
  });

  it('is told from another one of the same length', async () => {
    const { server, seen } = await startRemembering();
    const { send } = await connectTo(server);
    for (const path of ['/a', '/b', '/a', '/a', '/b', '/a']) await send([get(path)]);
    expect(seen.slice(2)).toEqual(['repeated /a', 'repeated /a', 'repeated /b', 'repeated /a']);
  });

  it('needs the same bytes', async () => {
    const { server, seen } = await startRemembering();
    const { send } = await connectTo(server);
    for (const request of [
      get('/a'),
      get('/b'),
      get('/a', 'X-API-KEY: x\r\n'),
      get('/a', 'x-api-key: x\r\n'),
    ])
      await send([request]);
    expect(seen).toEqual(['parsed /a', 'parsed /b', 'parsed /a', 'parsed /a']);
  });

  it.each([
    ['that closes its connection', get('/a', 'Connection: close\r\n')],
    ['of HTTP/1.0', get('/a', 'Connection: keep-alive\r\n').replace('1.1', '1.0')],
    ['with Proxy-Connection', get('/a', 'Proxy-Connection: close\r\n')],
    ['with a long head', get('/a', `X-Long: ${'x'.repeat(1_024)}\r\n`)],
    ['with many headers', get('/a', 'X: \r\n'.repeat(40))],
  ])('is parsed again: one %s', async (_what, request) => {
    const { server, seen } = await startRemembering();
    for (let count = 0; count < 2; count += 1) {
      const { send } = await connectTo(server);
      await send([get('/first')]);
      await send([request]);
    }
    expect(seen).toEqual(['parsed /first', 'parsed /a', 'parsed /first', 'parsed /a']);
  });

  it('is parsed again when many others came in between', async () => {
    const { server, seen } = await startRemembering();
    const { send } = await connectTo(server);
    await send([get('/a')]);
    await send([get('/a')]);
    for (let index = 0; index < 4_096; index += 1) await send([get(`/${index}`)]);
    const other = await connectTo(server);
    await other.send([get('/first')]);
    await other.send([get('/a')]);
    await other.send([get('/4095')]);
    expect(seen.filter((one) => /(a|4095)$/.test(one))).toEqual([
      'parsed /a',
      'repeated /a',
      'parsed /4095',
      'parsed /a',
      'repeated /4095',
    ]);
  });

  it('is not forgotten when connections begin with others that are kept already', async () => {
    const { server, seen } = await startRemembering();
    const { send } = await connectTo(server);
    for (let index = 0; index < 4_096; index += 1) await send([get(`/${index}`)]);
    const other = await connectTo(server);
    await other.send([get('/4095')]);
    await other.send([get('/0')]);
    expect(seen.slice(-2)).toEqual(['parsed /4095', 'repeated /0']);
  });

  it('that came in several packets keeps no more memory than its bytes', async () => {
    const { server, seen } = await startRemembering();
    const { send } = await connectTo(server);
    const heads = Array.from({ length: 60 }, (_, index) => get(`/${index}`));
    const before = arrayBuffers();
    for (const head of heads) {
      await send([head.slice(0, 20), head.slice(20)]);
      // The next short Buffer is a part of another pool.
      for (let count = 0; count < 3; count += 1) Buffer.allocUnsafe(Buffer.poolSize / 2 - 1);
    }
    const kept = arrayBuffers() - before;
    for (const head of heads) await send([head]);
    expect(seen.filter((one) => one.startsWith('repeated')).length).toBe(60);
    expect(kept).toBeLessThan((60 * Buffer.poolSize) / 4);
  });

  it('keeps its connection open, which is closed when it has been idle', async () => {
    const { server, seen } = await startRemembering({ keepAliveMs: 300 });
    const { send, socket } = await connectTo(server);
    const closed = once(socket, 'close');
    await send([get('/a')]);
    for (let count = 0; count < 6; count += 1) {
      await wait(200);
      await send([get('/a')]);
    }
    expect(seen.filter((one) => one === 'repeated /a')).toHaveLength(6);
    await closed;
  });

  it('is not taken from a client that does not read its responses', async () => {
    const { server, reads, seen } = await startRemembering();
    reads.serve((_matched, _head, send) => {
      seen.push('repeated');
      send({ status: 200, headers: [], body: 'x'.repeat(1_000_000) });
    });
    const connected = once(server, 'connection');
    const { send, socket } = await connectTo(server);
    // Safe: the server is one of TCP.
    const [receiver] = (await connected) as [Socket];
    await send([get('/a')]);
    socket.pause();
    for (let count = 0; count < 60; count += 1) {
      const { bytesRead } = receiver;
      socket.write(get('/a'));
      // Each in a packet of its own, until the server reads no more.
      for (let tries = 0; tries < 100 && receiver.bytesRead === bytesRead; tries += 1) await wait(1);
    }
    const repeated = seen.filter((one) => one === 'repeated').length;
    expect(repeated).toBeGreaterThan(0);
    expect(repeated).toBeLessThan(50);
  });
});

describe('the bytes of a known read are not taken for one', () => {
  const known = get('/a');

  it.each<[what: string, pieces: string[], parsed: string[]]>([
    ['as the body of another request', [post('', known.length), known], ['/order']],
    ['as a part of such a body', [post('x', known.length + 1), known], ['/order']],
    ['as the last part of it', [post('', known.length + 1), 'x', known], ['/order']],
    [
      'as a chunk of such a body',
      [
        `POST /order HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n${known.length.toString(16)}\r\n`,
        known,
        '\r\n0\r\n\r\n',
      ],
      ['/order'],
    ],
    [
      'as the rest of a head that began in the packet of another request',
      [`${get('/b')}GET /c HTTP/1.1\r\nHost: localhost\r\nX-A: `, known],
      ['/b', '/c'],
    ],
    ['in a header', ['GET /b HTTP/1.1\r\nHost: localhost\r\nX-A: ', `${known}`], ['/b']],
    ['after the first byte of a request', ['G', known.slice(1)], ['/a']],
    ['after the first byte of its head’s end', [get('/b').slice(0, -1), '\n'], ['/b']],
  ])('%s', async (what, pieces, parsed) => {
    const { server, seen } = await startRemembering();
    const { send } = await connectTo(server);
    await send([known]);
    await send([known]);
    seen.length = 0;
    await send(pieces, parsed.length);
    expect(seen).toEqual(parsed.map((path) => `parsed ${path}`));
    // What comes after it is the next request. Where only the parser knows that, it goes on.
    await send([known]);
    const isKnown = !what.includes('chunk') && parsed.length === 1;
    expect(seen.slice(parsed.length)).toEqual([isKnown ? 'repeated /a' : 'parsed /a']);
  });

  it.each([
    ['with another one in a packet', known + known, ['/a', '/a']],
    ['with the beginning of another one', `${known}GET /b HTTP/1.1\r\nHost: localhost\r\nX-A: `, ['/a']],
  ])('%s, also when such a packet comes again', async (_what, packet, parsed) => {
    const { server, seen } = await startRemembering();
    for (let count = 0; count < 2; count += 1) {
      const { send } = await connectTo(server);
      await send([get('/first')]);
      seen.length = 0;
      await send([packet], parsed.length);
      expect(seen).toEqual(parsed.map((path) => `parsed ${path}`));
    }
  });

  it('where a chunk of a body must begin, although there was a response already', async () => {
    const { server, seen } = await startRemembering();
    const { send } = await connectTo(server);
    await send([known]);
    await send(['POST /early HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n']);
    expect(await send([known])).toMatch(/^HTTP\/1\.1 400 /);
    expect(seen).toEqual(['parsed /a', 'parsed /early']);
  });

  it('after a request to upgrade, whose parser hides errors until it has parsed another one', async () => {
    const { server, seen } = await startRemembering();
    const { send } = await connectTo(server);
    await send([known]);
    await send([get('/b', 'Connection: Upgrade\r\nUpgrade: websocket\r\n')]);
    await send([known]);
    expect(seen).toEqual(['parsed /a', 'parsed /b', 'parsed /a']);
  });

  it('after the end of a body, also when they come again', async () => {
    const { server, seen } = await startRemembering();
    const { send } = await connectTo(server);
    await send([post('', 1), `x${get('/b')}`], 2);
    const other = await connectTo(server);
    await other.send([get('/first')]);
    expect(await other.send([`x${get('/b')}`])).toMatch(/^HTTP\/1\.1 400 /);
    expect(seen).toEqual(['parsed /order', 'parsed /b', 'parsed /first']);
  });
});

describe('while a read is responded to', () => {
  it('what comes waits for its turn', async () => {
    const { server, seen, hold, release } = await startRemembering();
    const { send, socket } = await connectTo(server);
    await send([get('/a')]);
    hold();
    const all = send([get('/a'), get('/b'), get('/a'), post('x')], 4);
    await expect.poll(() => seen).toEqual(['parsed /a', 'repeated /a']);
    await wait(100);
    expect(seen).toEqual(['parsed /a', 'repeated /a']);
    release();
    // Node is still responding to /b when /a comes, so that /a is parsed.
    expect((await all).match(/(parsed|repeated) \/(a|b|order)/g)).toEqual([
      'repeated /a',
      'parsed /b',
      'parsed /a',
      'parsed /order',
    ]);
    await wait(50);
    expect(socket.destroyed).toBe(false);
  });

  it('further ones wait, and then the connection goes on', async () => {
    const { server, seen, hold, release } = await startRemembering();
    const { send } = await connectTo(server);
    await send([get('/a')]);
    hold();
    const all = send([get('/a'), get('/a'), get('/a')], 3);
    await expect.poll(() => seen).toEqual(['parsed /a', 'repeated /a']);
    await wait(100);
    release();
    await all;
    await send([get('/a')]);
    expect(seen).toEqual(['parsed /a', ...Array<string>(4).fill('repeated /a')]);
  });

  it('what waits is parsed at the pace of a client that does not read its responses', async () => {
    const { server, reads, seen } = await startRemembering();
    const sends: SendResponse[] = [];
    reads.serve((_matched, _head, send) => void sends.push(send));
    const { send, socket } = await connectTo(server);
    await send([get('/a')]);
    socket.pause().removeAllListeners('data');
    socket.write(get('/a'));
    await expect.poll(() => sends).toHaveLength(1);
    for (const path of ['/b', '/c', '/d']) {
      socket.write(get(path));
      await wait(20);
    }
    sends[0]?.({ status: 200, headers: [], body: 'x'.repeat(20_000_000) });
    await wait(100);
    // The one that waited made Node pause the connection.
    expect(seen).toEqual(['parsed /a', 'parsed /b']);
    let last = '';
    socket.on('data', (chunk: string) => {
      last = (last + chunk).slice(-1_000);
    });
    socket.resume();
    await expect.poll(() => last).toMatch(/parsed \/b.*parsed \/c.*parsed \/d$/s);
  });

  it('little more is read', async () => {
    const { server, hold, seen } = await startRemembering();
    const sockets: Socket[] = [];
    server.on('connection', (one) => sockets.push(one));
    const { send, socket } = await connectTo(server);
    await send([get('/a')]);
    hold();
    socket.write(get('/a'));
    await expect.poll(() => seen).toHaveLength(2);
    socket.write(post('x'.repeat(20_000_000)));
    await wait(300);
    expect(sockets[0]?.bytesRead).toBeLessThan(1_000_000);
  });

  it('the response closes the connection when the server begins to close', async () => {
    const { server, hold, release, seen } = await startRemembering();
    const sockets: Socket[] = [];
    server.on('connection', (socket) => sockets.push(socket));
    const { send, socket } = await connectTo(server);
    await send([get('/a')]);
    hold();
    const response = send([get('/a')]);
    await expect.poll(() => seen).toHaveLength(2);
    for (const one of sockets) pendingResponse(one)?.setHeader('Connection', 'close');
    release();
    expect(await response).toMatch(/^Connection: close\r$/m);
    await once(socket, 'end');
  });

  it('what waits behind it is dropped when the client goes, because its parser serves others then', async () => {
    const { server, seen, hold, release } = await startRemembering();
    const connected = once(server, 'connection');
    const gone = await connectTo(server);
    // Safe: the server is one of TCP.
    const [receiver] = (await connected) as [Socket];
    await gone.send([get('/a')]);
    hold();
    gone.socket.write(get('/a'));
    await expect.poll(() => seen).toHaveLength(2);
    const { bytesRead } = receiver;
    gone.socket.write('POST /evil HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nX-Swallow: ');
    await expect.poll(() => receiver.bytesRead).toBeGreaterThan(bytesRead);
    receiver.destroy();
    await once(receiver, 'close');
    const { send } = await connectTo(server);
    release();
    const response = await Promise.race([send([get('/b')]), wait(1_000, 'no response')]);
    expect(response).toContain('parsed /b');
    expect(seen.slice(2)).toEqual(['parsed /b']);
  });

  it('a client that has gone gets nothing', async () => {
    const { server, seen, hold, release } = await startRemembering();
    const gone = await connectTo(server);
    await gone.send([get('/a')]);
    hold();
    gone.socket.write(get('/a'));
    await expect.poll(() => seen).toEqual(['parsed /a', 'repeated /a']);
    gone.socket.destroy();
    await wait(50);
    release();
    const { send } = await connectTo(server);
    expect(await send([get('/b')])).toContain('parsed /b');
  });

  it('a connection that is being closed reads no more', async () => {
    const { server, seen } = await startRemembering();
    const sockets: Socket[] = [];
    server.on('connection', (socket) => sockets.push(socket));
    const { send, socket } = await connectTo(server);
    await send([get('/a')]);
    for (const one of sockets) closeGently(one);
    socket.write(get('/a'));
    await once(socket, 'end');
    await wait(50);
    expect(seen).toEqual(['parsed /a']);
  });
});

it('reads are parsed when nobody serves repeated ones', async () => {
  const { server, reads, seen } = await startRemembering();
  const { send } = await connectTo(server);
  await send([get('/a')]);
  reads.serve(null);
  await send([get('/a')]);
  expect(seen).toEqual(['parsed /a', 'parsed /a']);
});

/** A response without what differs from one to the next. */
const comparable = (response: string): string =>
  response.replace(/^X-Request-Id: req_\w+$/im, 'X-Request-Id: (id)').replace(/^Date: .*$/im, 'Date: (date)');

describe('a server', () => {
  it('responds to a repeated read as to the first one, byte for byte', async () => {
    await using server = await startSandbox({ TOPUP_READS_PER_MINUTE: '1000', TOPUP_LOG_LEVEL: 'silent' });
    const headers = { 'X-API-KEY': sandboxKey, 'Content-Type': 'application/json' };
    const placed = await fetch(`${server.baseUrl}/order`, {
      method: 'POST',
      headers,
      body: JSON.stringify(fixtureOrder),
    });
    const { orderId } = await placed.json();
    const etag = (await fetch(`${server.baseUrl}/games`, { headers })).headers.get('ETag') ?? '';
    const key = `X-API-KEY: ${sandboxKey}\r\n`;
    const paths: [path: string, more: string, status: number][] = [
      ['/games', key, 200],
      ['/games', `${key}If-None-Match: ${etag}\r\n`, 304],
      ['/games', `${key}Accept-Encoding: br\r\n`, 200],
      ['/games', '', 401],
      ['/games', 'X-API-KEY: wrong\r\nAccept-Language: en\r\n', 401],
      ['/games/mobile-legends', key, 200],
      ['/games/none', `${key}Accept-Language: en\r\n`, 404],
      ['/order/mobile-legends', key, 200],
      [`/invoice/${orderId}`, key, 200],
      [`/invoice/${orderId}/payment-status`, `${key}X-Request-Id: mine\r\n`, 200],
      ['/invoice/INV-20260329093000-ABCDEFGH', key, 404],
    ];
    for (const [path, more, status] of paths) {
      const { port } = new URL(server.localUrl);
      const socket = connect(Number(port), '127.0.0.1').setEncoding('latin1');
      const responses: string[] = [];
      for (let count = 0; count < 3; count += 1) {
        socket.write(get(`/api${path}`, more));
        let text = '';
        while (!/^content-length: /im.test(text) && !text.startsWith('HTTP/1.1 304'))
          text += await once(socket, 'data');
        const length = Number(/^content-length: (\d+)/im.exec(text)?.[1] ?? 0);
        while (text.length < text.indexOf('\r\n\r\n') + 4 + length) text += await once(socket, 'data');
        responses.push(comparable(text.replace(/^RateLimit: .*$/im, '')));
      }
      socket.destroy();
      expect(responses[0]).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
      expect(responses[1], path).toBe(responses[0]);
      expect(responses[2], path).toBe(responses[0]);
    }
  });
});
