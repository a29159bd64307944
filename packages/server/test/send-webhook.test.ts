import { once } from 'node:events';
import { createServer } from 'node:net';
import type { WebhookRequest } from '@topup-kit/core/engine';
import { describe, expect, it, onTestFinished } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { isPublicAddress } from '../src/features/webhooks/guarded-agent.ts';
import {
  createWebhookTransport,
  type WebhookTransport,
  type WebhookTransportOptions,
} from '../src/features/webhooks/send-webhook.ts';
import { startEndpoint, startSecureEndpoint, startTcpEndpoint } from './helpers/endpoint.ts';
import { hooksCertificate } from './helpers/hooks-certificate.ts';

function startSender(options: WebhookTransportOptions): WebhookTransport {
  const sender = createWebhookTransport(options);
  onTestFinished(sender.close);
  return sender;
}

const request = (url: string, signal = new AbortController().signal): WebhookRequest => ({
  url,
  headers: { 'webhook-id': 'evt_1', 'webhook-timestamp': '1614265330' },
  body: '{"type":"order.paid"}',
  signal,
});

const sandbox = (options: Partial<WebhookTransportOptions> = {}) =>
  startSender({ mode: 'sandbox', timeoutMs: 400, ...options });

/** A live sender to whom `hooks.example` is this machine, and which may send there. */
const liveToLoopback = (options: Partial<WebhookTransportOptions> = {}) =>
  startSender({
    mode: 'live',
    timeoutMs: 2_000,
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    isAllowed: () => true,
    ca: hooksCertificate.cert,
    ...options,
  });

const urlOf = ({ port }: { port: number }): string => `http://127.0.0.1:${port}/hooks?token=t0k`;
const secureUrlOf = ({ port }: { port: number }): string => `https://hooks.example:${port}/hooks`;

describe('an event', () => {
  it('sends an event with its headers and bytes, and returns the response', async () => {
    const endpoint = await startEndpoint((response) => response.writeHead(202).end('taken'));
    const response = await sandbox().send(request(urlOf(endpoint)));
    expect(response).toEqual({ status: 202, retryAfter: null, body: 'taken' });
    expect(endpoint.received).toEqual([
      {
        path: '/hooks?token=t0k',
        body: '{"type":"order.paid"}',
        headers: expect.objectContaining({
          'webhook-id': 'evt_1',
          'webhook-timestamp': '1614265330',
          'content-type': 'application/json',
          'content-length': '21',
          'user-agent': `TopupKit-Webhooks/${manifest.version}`,
        }),
      },
    ]);
  });

  it('sends over TLS to the name in the URL', async () => {
    const endpoint = await startSecureEndpoint((response) => response.writeHead(204).end());
    const response = await liveToLoopback().send(request(secureUrlOf(endpoint)));
    expect(response).toEqual({ status: 204, retryAfter: null, body: '' });
    expect(endpoint.received[0]?.headers.host).toBe(`hooks.example:${endpoint.port}`);
  });

  it.each(['http', 'https'])('reuses a connection (%s)', async (scheme) => {
    const start = scheme === 'http' ? startEndpoint : startSecureEndpoint;
    const endpoint = await start((response) => response.end('ok'));
    const [sender, url] =
      scheme === 'http' ? [sandbox(), urlOf(endpoint)] : [liveToLoopback(), secureUrlOf(endpoint)];
    for (let count = 0; count < 3; count += 1) await sender.send(request(url));
    expect(endpoint.received).toHaveLength(3);
    expect(endpoint.connections()).toBe(1);
    sender.close();
    await expect.poll(endpoint.open).toBe(0);
  });

  it('keeps at most 64 connections open, for any number of endpoints', async () => {
    const endpoint = await startEndpoint((response) => response.end());
    const sender = sandbox({ resolve: async () => [{ address: '127.0.0.1', family: 4 }] });
    for (let count = 0; count < 70; count += 1)
      await sender.send(request(`http://shop-${count}.example:${endpoint.port}/`));
    await expect.poll(endpoint.open).toBe(64);
    expect(endpoint.connections()).toBe(70);
  });

  it('repeats a request if the endpoint had just closed a kept connection', async () => {
    let count = 0;
    const endpoint = await startTcpEndpoint((socket) => {
      socket.on('data', () => {
        count += 1;
        // The second event comes over the first connection, and is not read.
        if (count === 2) socket.resetAndDestroy();
        else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
      });
    });
    const sender = sandbox();
    await sender.send(request(urlOf(endpoint)));
    await expect(sender.send(request(urlOf(endpoint)))).resolves.toMatchObject({ status: 200 });
    expect(endpoint.connections()).toBe(2);
  });

  it("doesn't repeat a request when a new connection is closed", async () => {
    const endpoint = await startTcpEndpoint((socket) => socket.on('data', () => socket.resetAndDestroy()));
    await expect(sandbox().send(request(urlOf(endpoint)))).rejects.toThrow(
      `127.0.0.1:${endpoint.port} closed the connection without a response.`,
    );
    expect(endpoint.connections()).toBe(1);
  });

  it('sends to an endpoint while 60 other endpoints hang', async () => {
    const hanging = await startEndpoint(() => {});
    const endpoint = await startEndpoint((response) => response.end());
    const sender = sandbox({ timeoutMs: 1_000 });
    const hung = Array.from({ length: 60 }, () => sender.send(request(urlOf(hanging))));
    await expect.poll(() => hanging.received.length).toBe(60);
    await expect(sender.send(request(urlOf(endpoint)))).resolves.toMatchObject({ status: 200 });
    const results = await Promise.allSettled(hung);
    expect(results.every(({ status }) => status === 'rejected')).toBe(true);
    await expect.poll(hanging.open).toBe(0);
  });
});

describe('a response', () => {
  it('follows no redirect from an endpoint', async () => {
    const endpoint = await startEndpoint((response) =>
      response.writeHead(307, { location: '/hooks', 'retry-after': '7' }).end(),
    );
    const response = await sandbox().send(request(urlOf(endpoint)));
    expect(response).toEqual({ status: 307, retryAfter: '7', body: '' });
    expect(endpoint.received).toHaveLength(1);
  });

  it('keeps only the start of a gigabyte response, and uses little more than 64 kB', async () => {
    let written = 0;
    const endpoint = await startEndpoint((response) => {
      const part = Buffer.alloc(65_536, 'a');
      const write = (): void => {
        while (!response.destroyed && written < 1_000_000_000) {
          written += part.length;
          if (!response.write(part)) return void response.once('drain', write);
        }
      };
      write();
    });
    const { status, body } = await sandbox().send(request(urlOf(endpoint)));
    expect({ status, length: body.length }).toEqual({ status: 200, length: 2_048 });
    await expect.poll(endpoint.open).toBe(0);
    // The rest is what the buffers of the system took.
    expect(written).toBeLessThan(20_000_000);
  });

  it('stores a response as text that every store accepts: no zero, and no split character', async () => {
    const endpoint = await startEndpoint((response) => response.end(`ab\0${'é'.repeat(2_000)}`));
    const { body } = await sandbox().send(request(urlOf(endpoint)));
    expect(body).toBe(`ab\uFFFD${'é'.repeat(1_022)}`);
  });

  it('keeps the status of a response that is cut off', async () => {
    const endpoint = await startTcpEndpoint((socket) =>
      socket.on('data', () => socket.end('HTTP/1.1 503 Busy\r\nContent-Length: 100\r\n\r\nsorry')),
    );
    await expect(sandbox().send(request(urlOf(endpoint)))).resolves.toMatchObject({
      status: 503,
      body: 'sorry',
    });
  });

  it('keeps only the status of a protocol change', async () => {
    const endpoint = await startTcpEndpoint((socket) =>
      socket.on('data', () => {
        socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nmore');
      }),
    );
    await expect(sandbox().send(request(urlOf(endpoint)))).resolves.toEqual({
      status: 101,
      retryAfter: null,
      body: '',
    });
    await expect.poll(endpoint.open).toBe(0);
  });

  it('waits for a slow response no longer than for any other response', async () => {
    const endpoint = await startEndpoint((response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write('a'), 50);
      response.on('close', () => clearInterval(drip));
    });
    await expect(sandbox().send(request(urlOf(endpoint)))).rejects.toThrow(
      `The response of 127.0.0.1:${endpoint.port} did not end within 0.4 seconds.`,
    );
    await expect.poll(endpoint.open).toBe(0);
  });

  it.each<[what: string, pieces: string[]]>([
    ['never arrives', []],
    ['sends its head byte by byte', [...'HTTP/1.1 200 OK\r\n'.repeat(5)]],
    ['consists of interim responses', Array(100).fill('HTTP/1.1 103 Early Hints\r\n\r\n')],
  ])('waits for a response that %s until its time-out', async (_, pieces) => {
    const endpoint = await startTcpEndpoint((socket) => {
      const drip = setInterval(() => socket.write(pieces.shift() ?? ''), 50);
      socket.on('close', () => clearInterval(drip));
      socket.resume();
    });
    await expect(sandbox().send(request(urlOf(endpoint)))).rejects.toThrow(
      `127.0.0.1:${endpoint.port} did not respond within 0.4 seconds.`,
    );
    await expect.poll(endpoint.open).toBe(0);
  });

  it.each([
    ['not HTTP', 'SSH-2.0-OpenSSH_9.6\r\n', 'did not respond with HTTP (HPE_INVALID_CONSTANT)'],
    [
      'a head without end',
      `HTTP/1.1 200 OK\r\nX: ${'a'.repeat(100_000)}`,
      'did not respond with HTTP (HPE_HEADER_OVERFLOW)',
    ],
    ['nothing', '', 'closed the connection without a response'],
  ])('reports in one clear line a response that is %s', async (_, text, what) => {
    const endpoint = await startTcpEndpoint((socket) => {
      socket.on('data', () => {
        socket.end(text);
      });
    });
    await expect(sandbox().send(request(urlOf(endpoint)))).rejects.toThrow(
      expect.objectContaining({
        name: 'WebhookSendError',
        message: `127.0.0.1:${endpoint.port} ${what}.`,
      }),
    );
  });
});

describe('a connection', () => {
  it('makes no connection to a name without a public address', async () => {
    const endpoint = await startSecureEndpoint((response) => response.end());
    const resolve = async () => [
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ];
    const sender = liveToLoopback({ resolve, isAllowed: isPublicAddress });
    await expect(sender.send(request(secureUrlOf(endpoint)))).rejects.toThrow(
      'hooks.example has no public IP address, so nothing was sent.',
    );
    expect(endpoint.connections()).toBe(0);
  });

  it('connects only to the public addresses of a name', async () => {
    const endpoint = await startSecureEndpoint((response) => response.end());
    const resolve = async () => [
      { address: '127.0.0.2', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ];
    const sender = liveToLoopback({ resolve, isAllowed: (address) => address === '127.0.0.1' });
    await expect(sender.send(request(secureUrlOf(endpoint)))).resolves.toMatchObject({ status: 200 });
  });

  it('connects to the checked address when the name changes a moment later', async () => {
    const endpoint = await startSecureEndpoint((response) => response.end());
    let lookups = 0;
    const checked: string[] = [];
    const sender = liveToLoopback({
      timeoutMs: 300,
      // 203.0.113.1 is nobody's, and counts as public here.
      resolve: async () => {
        lookups += 1;
        return [{ address: lookups === 1 ? '203.0.113.1' : '127.0.0.1', family: 4 }];
      },
      isAllowed: (address) => {
        checked.push(address);
        return address === '203.0.113.1';
      },
    });
    await expect(sender.send(request(secureUrlOf(endpoint)))).rejects.toThrow(/hooks\.example:\d+ /);
    expect(lookups).toBe(1);
    await expect(sender.send(request(secureUrlOf(endpoint)))).rejects.toThrow(
      'hooks.example has no public IP address, so nothing was sent.',
    );
    expect(checked).toEqual(['203.0.113.1', '127.0.0.1']);
    expect(endpoint.connections()).toBe(0);
  });

  it('closes a connection to any other address than the checked address before it sends anything', async () => {
    const bytes: Buffer[] = [];
    const endpoint = await startTcpEndpoint((socket) => socket.on('data', (data) => bytes.push(data)));
    let checks = 0;
    // The check of the lookup passes, that of the connection doesn't.
    const sender = liveToLoopback({ isAllowed: () => ++checks === 1 });
    await expect(sender.send(request(secureUrlOf(endpoint)))).rejects.toThrow(
      'hooks.example has no public IP address, so nothing was sent.',
    );
    await expect.poll(endpoint.open).toBe(0);
    expect({ checks, connections: endpoint.connections(), bytes }).toEqual({
      checks: 2,
      connections: 1,
      bytes: [],
    });
  });

  it.each(['https://127.0.0.1/', 'https://[::ffff:7f00:1]/', 'https://2130706433/', 'http://hooks.example/'])(
    'makes no connection to %s in live mode, even if it is stored',
    async (url) => {
      let lookups = 0;
      const resolve = async () => {
        lookups += 1;
        return [];
      };
      const sender = liveToLoopback({ resolve });
      await expect(sender.send(request(url))).rejects.toThrow(/^In live mode, the URL must /);
      expect(lookups).toBe(0);
    },
  );

  it("makes no connection to a forbidden address, and doesn't look it up", async () => {
    const endpoint = await startEndpoint((response) => response.end());
    await expect(sandbox({ isAllowed: () => false }).send(request(urlOf(endpoint)))).rejects.toThrow(
      '127.0.0.1 has no public IP address, so nothing was sent.',
    );
    expect(endpoint.connections()).toBe(0);
  });

  it('rejects an untrusted certificate, or a certificate for another name', async () => {
    const endpoint = await startSecureEndpoint((response) => response.end());
    const unknown = startSender({
      mode: 'live',
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
      isAllowed: () => true,
    });
    await expect(unknown.send(request(secureUrlOf(endpoint)))).rejects.toThrow(
      `The certificate of hooks.example:${endpoint.port} is self-signed.`,
    );
    const url = `https://other.example:${endpoint.port}/`;
    await expect(liveToLoopback().send(request(url))).rejects.toThrow(
      `The certificate of other.example:${endpoint.port} is for another name.`,
    );
    expect(endpoint.received).toEqual([]);
  });

  it('reports a server without TLS in one clear line', async () => {
    const endpoint = await startEndpoint((response) => response.end());
    await expect(liveToLoopback().send(request(secureUrlOf(endpoint)))).rejects.toThrow(
      new RegExp(`^The TLS connection to hooks\\.example:${endpoint.port} failed \\(\\w+\\)\\.$`),
    );
  });

  it('closes a connection whose TLS handshake never starts, after the time for a response', async () => {
    const endpoint = await startTcpEndpoint((socket) => socket.resume());
    const sender = liveToLoopback({ timeoutMs: 300 });
    await expect(sender.send(request(secureUrlOf(endpoint)))).rejects.toThrow(
      `hooks.example:${endpoint.port} did not respond within 0.3 seconds.`,
    );
    await expect.poll(endpoint.open).toBe(0);
    expect(endpoint.connections()).toBe(1);
  });

  it('closes a late connection that no request needs', async () => {
    const endpoint = await startSecureEndpoint((response) => response.end());
    const resolve = async () => {
      await new Promise((resolved) => setTimeout(resolved, 300));
      return [{ address: '127.0.0.1', family: 4 }];
    };
    const sender = liveToLoopback({ resolve, timeoutMs: 100 });
    await expect(sender.send(request(secureUrlOf(endpoint)))).rejects.toThrow('within 0.1 seconds');
    await new Promise((passed) => setTimeout(passed, 500));
    expect({ received: endpoint.received, open: endpoint.open() }).toEqual({ received: [], open: 0 });
  });

  it('reports a refused connection in one clear line', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    await new Promise((closed) => server.close(closed));
    await expect(sandbox().send(request(`http://127.0.0.1:${port}/a-secret-path`))).rejects.toThrow(
      `127.0.0.1:${port} refused the connection.`,
    );
  });

  it.each([
    ['ENOTFOUND', 'The name hooks.example was not found.'],
    ['ENODATA', 'The name hooks.example was not found.'],
    ['ETIMEOUT', 'The name hooks.example could not be resolved (ETIMEOUT).'],
    ['ECONNREFUSED', 'The name hooks.example could not be resolved (ECONNREFUSED).'],
  ])('reports a name without an address (%s) in one clear line', async (code, sentence) => {
    const resolve = async () => {
      throw Object.assign(new Error('query failed'), { code });
    };
    await expect(liveToLoopback({ resolve }).send(request('https://hooks.example/'))).rejects.toThrow(
      sentence,
    );
  });

  it('stops an endless look-up after the time for a response', async () => {
    const sender = liveToLoopback({ resolve: () => new Promise(() => {}), timeoutMs: 100 });
    await expect(sender.send(request('https://hooks.example/'))).rejects.toThrow(
      'hooks.example did not respond within 0.1 seconds.',
    );
  });

  it('stops a request immediately when the caller stops it', async () => {
    const endpoint = await startEndpoint(() => stopping.abort());
    const stopping = new AbortController();
    const begun = performance.now();
    await expect(
      sandbox({ timeoutMs: 5_000 }).send(request(urlOf(endpoint), stopping.signal)),
    ).rejects.toThrow(`Sending to 127.0.0.1:${endpoint.port} was stopped.`);
    expect(performance.now() - begun).toBeLessThan(2_000);
    await expect.poll(endpoint.open).toBe(0);
    await expect(sandbox().send(request(urlOf(endpoint), stopping.signal))).rejects.toThrow('was stopped');
    expect(endpoint.connections()).toBe(1);
  });

  it("reports that a request beyond the caller's limit is too slow, not that it was stopped", async () => {
    const endpoint = await startEndpoint(() => {});
    const sent = sandbox({ timeoutMs: 5_000 }).send(request(urlOf(endpoint), AbortSignal.timeout(100)));
    await expect(sent).rejects.toThrow(`127.0.0.1:${endpoint.port} did not respond in time.`);
  });
});
