import { request as httpRequest } from 'node:http';
import { sandboxKey } from '@topup-kit/core/contract';
import { createKeyText } from '@topup-kit/core/engine';
import { secureRandom } from '@topup-kit/core/platform';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDirectCheck, createDirectness } from '../src/edge/client.ts';
import { explainOnce } from '../src/edge/client-hints.ts';
import {
  ConfigError,
  interfaceOnlyDialect,
  type RunningServer,
  readConfig,
  startServer,
} from '../src/index.ts';
import { startLogged } from './helpers/log.ts';
import { sendRaw } from './helpers/raw.ts';
import { startSandbox } from './helpers/sandbox.ts';

let server: RunningServer;
const ownKey = 'a key of its own: long enough'.replaceAll(' ', '-');

beforeAll(async () => {
  server = await startSandbox({ TOPUP_API_KEY: ownKey, TOPUP_LOG_LEVEL: 'error' });
});
afterAll(() => server.close());

interface Sent {
  path?: string;
  method?: string;
  headers?: Record<string, string>;
}

/** Sends a request with exactly these headers; `fetch` would not send all of them. */
const send = ({ path = '/sandbox/reset', method = 'POST', headers = {} }: Sent): Promise<number> =>
  new Promise((resolve, reject) => {
    const sent = httpRequest(server.localUrl + path, { method, headers, agent: false }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    });
    sent.on('error', reject).end();
  });

/** Requests of somebody who is not on this machine, although they arrive over loopback. */
const indirect: [what: string, headers: Record<string, string>][] = [
  ['a foreign Host', { Host: 'evil.example' }],
  ['a foreign Host that begins like ours', { Host: 'localhost.evil.example' }],
  ['an address of this network as Host', { Host: '192.168.0.10:4000' }],
  ['the address that stands for all', { Host: '0.0.0.0:4000' }],
  ['X-Forwarded-For', { 'X-Forwarded-For': '127.0.0.1' }],
  ['X-Forwarded-Host', { 'X-Forwarded-Host': 'localhost' }],
  ['x-forwarded-proto', { 'x-forwarded-proto': 'https' }],
  ['X-Real-IP', { 'X-Real-IP': '127.0.0.1' }],
  ['Forwarded', { Forwarded: 'for=127.0.0.1' }],
  ['Via', { Via: '1.1 proxy' }],
  ['CF-Ray', { 'CF-Ray': '8f-CGK' }],
  ['CF-IPCountry', { 'CF-IPCountry': 'ID' }],
  ['Cf-Access-Jwt-Assertion', { 'Cf-Access-Jwt-Assertion': 'e30' }],
  ['CF-Connecting-IP', { 'CF-Connecting-IP': '127.0.0.1' }],
  ['DO-Connecting-IP', { 'DO-Connecting-IP': '127.0.0.1' }],
  ['X-Vercel-Forwarded-For', { 'X-Vercel-Forwarded-For': '127.0.0.1' }],
  ['X-Appengine-User-IP', { 'X-Appengine-User-IP': '127.0.0.1' }],
  ['Fastly-Client-IP', { 'Fastly-Client-IP': '127.0.0.1' }],
  ['X-Envoy-External-Address', { 'X-Envoy-External-Address': '127.0.0.1' }],
  ['Ngrok-Trace-Id', { 'Ngrok-Trace-Id': '1' }],
  ['a foreign Origin', { Origin: 'https://evil.example' }],
  ['an Origin that is hidden', { Origin: 'null' }],
  ['an Origin that begins like ours', { Origin: 'http://localhost.evil.example' }],
  [
    'a foreign Origin that says it is ours',
    { Origin: 'http://evil.example', 'Sec-Fetch-Site': 'same-origin' },
  ],
  ['a page of another site', { 'Sec-Fetch-Site': 'cross-site' }],
  ['a page of another port', { 'Sec-Fetch-Site': 'same-site' }],
  [
    'a form of another site',
    { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate' },
  ],
];

describe.each(indirect)('a request with %s', (_, headers) => {
  it('rejects a control route without a key', async () => {
    expect(await send({ headers })).toBe(401);
  });

  it.each([
    ['POST', '/sandbox/reset'],
    ['GET', '/sandbox'],
    ['GET', '/api/games'],
    ['GET', '/api/games?page=1'],
    ['GET', '/api/order/mobile-legends'],
  ])('rejects the well-known key and new worlds: %s %s', async (method, path) => {
    for (const key of [sandboxKey, createKeyText('test', secureRandom)])
      expect(await send({ method, path, headers: { ...headers, 'X-API-KEY': key } })).toBe(401);
  });

  it("accepts the operator's sandbox key", async () => {
    expect(await send({ headers: { ...headers, 'X-API-KEY': ownKey } })).toBe(200);
    expect(
      await send({ method: 'GET', path: '/api/games', headers: { ...headers, 'X-API-KEY': ownKey } }),
    ).toBe(200);
  });
});

it.each<[what: string, headers: Record<string, string>]>([
  ['a program', {}],
  ['a program that uses a name', { Host: 'LOCALHOST:4000' }],
  ['a program that uses IPv6', { Host: '[::1]:4000' }],
  ['its own page', { Origin: 'http://127.0.0.1:4000', 'Sec-Fetch-Site': 'same-origin' }],
  [
    'a page of a development server that forwards',
    { Origin: 'http://localhost:5173', 'Sec-Fetch-Site': 'same-origin' },
  ],
  ['a Worker in development', { 'CF-Worker': 'shop.example.com' }],
  ['the address bar', { 'Sec-Fetch-Site': 'none', 'Sec-Fetch-Mode': 'navigate' }],
  ['a program with the headers of Node', { 'Sec-Fetch-Mode': 'cors' }],
])('a direct request may use the control routes and the well-known key: %s', async (_, headers) => {
  expect(await send({ headers })).toBe(200);
  expect(
    await send({ method: 'GET', path: '/api/games', headers: { ...headers, 'X-API-KEY': sandboxKey } }),
  ).toBe(200);
});

it('recognises nginx with default settings by HTTP/1.0', async () => {
  const request =
    'POST /sandbox/reset HTTP/1.0\r\nHost: 127.0.0.1:4000\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';
  expect((await sendRaw(server.localUrl, request)).statuses).toEqual(['HTTP/1.1 401']);
});

it('treats no request as direct if a sandbox has a public https URL', async () => {
  await using behind = await startSandbox({ TOPUP_PUBLIC_URL: 'https://sandbox.example' });
  expect((await fetch(`${behind.localUrl}/sandbox/reset`, { method: 'POST' })).status).toBe(401);
});

it('logs once why the well-known key was rejected', () => {
  const warnings: string[] = [];
  let reason: string | null = null;
  const check = createDirectness(
    () => reason,
    explainOnce((message) => warnings.push(message)),
  );
  // Safe: the code reads only these parts of a request.
  const ask = (key: string) =>
    check({ headers: { 'x-api-key': key } } as unknown as Parameters<typeof check>[0]);
  expect(ask(sandboxKey)).toBe(true);
  reason = 'it came by post';
  expect(ask('another')).toBe(false);
  expect(warnings).toEqual([]);
  expect([ask(sandboxKey), ask(sandboxKey)]).toEqual([false, false]);
  expect(warnings).toEqual([expect.stringMatching(/it came by post.*TOPUP_API_KEY/)]);
});

it('accepts the well-known key in direct requests only, even if TOPUP_API_KEY equals it', async () => {
  await using running = await startSandbox({ TOPUP_API_KEY: sandboxKey, TOPUP_LOG_LEVEL: 'error' });
  const ask = async (headers: Record<string, string>): Promise<string | undefined> => {
    const sent = Object.entries({
      Host: '127.0.0.1',
      Connection: 'close',
      'X-API-KEY': sandboxKey,
      ...headers,
    });
    const head = sent.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    return (await sendRaw(running.localUrl, `GET /api/games HTTP/1.1\r\n${head}\r\n`)).statuses[0]?.split(
      ' ',
    )[1];
  };
  const { host } = new URL(running.localUrl);
  expect(await ask({ Host: host })).toBe('200');
  expect(await ask({ Host: host, 'X-Forwarded-For': '203.0.113.7' })).toBe('401');
  expect(await ask({ Host: 'shop.example' })).toBe('401');
});

it.each([
  [{ Origin: 'http://evil.example' }, 'a page of another origin sent it'],
  [{ Host: 'evil.example' }, 'its Host header is not a name of this machine'],
  [{ 'X-Forwarded-For': '10.0.0.1' }, 'it came through a proxy'],
])('logs the actual reason for rejecting the well-known key with %j', async (headers, reason) => {
  const log = await startLogged();
  await using running = log.server;
  const { port } = new URL(running.localUrl);
  const own = { Host: `127.0.0.1:${port}`, Connection: 'close', 'X-API-KEY': sandboxKey };
  const sent = Object.entries({ ...own, ...headers });
  const head = sent.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  await sendRaw(running.localUrl, `GET /api/games HTTP/1.1\r\n${head}\r\n`);
  const warned = log.lines().flatMap(({ level, msg }) => (level === 40 ? [msg] : []));
  expect(warned).toEqual([expect.stringContaining(`direct requests (docs/sandbox.md): ${reason}.`)]);
});

describe('the 401 of an indirect request', () => {
  const bodyOf = async ({ localUrl }: RunningServer, key: string): Promise<unknown> => {
    const headers = { Accept: 'application/json', 'X-API-KEY': key, Via: '1.1 proxy' };
    return (await fetch(`${localUrl}/api/games`, { headers })).json();
  };

  it('explains in a 401 why the well-known key was rejected, and what to do', async () => {
    expect(await bodyOf(server, sandboxKey)).toEqual({
      message: 'Unauthorized',
      hint: expect.stringMatching(/well-known sandbox key.*it came through a proxy.*TOPUP_API_KEY/),
    });
  });

  it('explains for a well-formed test key where the key opens a separate world', async () => {
    expect(await bodyOf(server, createKeyText('test', secureRandom))).toEqual({
      message: 'Unauthorized',
      hint: expect.stringMatching(/--store memory:.*direct requests/),
    });
  });

  it('reveals nothing about any other key', async () => {
    expect(await bodyOf(server, 'another')).toEqual({ message: 'Unauthorized' });
  });

  it('adds nothing to the interface in the dialect interface-only', async () => {
    await using plain = await startServer(
      readConfig({ TOPUP_MODE: 'sandbox', TOPUP_STORE: 'memory:', PORT: '0', TOPUP_LOG_LEVEL: 'error' }),
      { dialect: interfaceOnlyDialect },
    );
    expect(await bodyOf(plain, sandboxKey)).toEqual({ message: 'Unauthorized' });
  });
});

describe('the address of a direct request', () => {
  const whyIndirect = createDirectCheck({
    localUrl: 'http://shop-host:4000',
    publicUrl: 'http://shop-host:4000',
  });
  const from = (remoteAddress: string, host = 'localhost') =>
    // Safe: the check reads only these parts.
    whyIndirect({
      socket: { remoteAddress },
      httpVersionMinor: 1,
      headers: {},
      rawHeaders: ['Host', host],
    } as Parameters<typeof whyIndirect>[0]);

  it.each(['127.0.0.1', '127.1.2.3', '::1', '::ffff:127.0.0.1'])(
    'accepts %s as the address of a direct request',
    (address) => {
      expect(from(address)).toBeNull();
    },
  );

  it.each(['192.0.2.7', '172.17.0.1', '2001:db8::1', '::ffff:192.0.2.7', '', '127.0.0.1.example'])(
    'rejects "%s" as the address of a direct request',
    (address) => {
      expect(from(address)).toBe('it came from another machine');
    },
  );

  it('accepts the host name that the server listens on', () => {
    expect(from('127.0.1.1', 'Shop-Host:4000')).toBeNull();
    expect(from('127.0.1.1', 'other-host:4000')).toBe('its Host header is not a name of this machine');
  });
});

describe("a sandbox's own key that can be guessed", () => {
  const start = (environment: Record<string, string>) =>
    startServer(readConfig({ TOPUP_MODE: 'sandbox', TOPUP_STORE: 'memory:', PORT: '0', ...environment }));

  it.each([
    ['on all addresses', { HOST: '0.0.0.0' }],
    ['with a public URL', { TOPUP_PUBLIC_URL: 'http://sandbox.example' }],
    ['behind a proxy', { TOPUP_TRUSTED_PROXIES: '127.0.0.1' }],
  ])("rejects an operator's guessable sandbox key at the start %s", async (_, environment) => {
    const short = 'x'.repeat(19);
    for (const key of ['a', short]) {
      await expect(start({ ...environment, TOPUP_API_KEY: key })).rejects.toThrow(ConfigError);
      await expect(start({ ...environment, TOPUP_API_KEY: key })).rejects.toThrow(
        /TOPUP_API_KEY .*at least 20 characters.*openssl rand -hex 24/s,
      );
    }
    const error = await start({ ...environment, TOPUP_API_KEY: short }).catch(String);
    expect(error).not.toContain(short);
    await using _server = await start({ ...environment, TOPUP_API_KEY: `${short}y` });
  });

  it('accepts a guessable key that only this machine can use', async () => {
    await using _server = await start({ TOPUP_API_KEY: 'a' });
  });
});
