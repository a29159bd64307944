import { sandboxKey } from '@topup-kit/core/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RunningServer } from '../src/index.ts';
import { startLogged } from './helpers/log.ts';
import { sendRaw } from './helpers/raw.ts';
import { fixtureOrder } from './helpers/sandbox.ts';

/*
 * Requests of which another server could think that they end elsewhere, or are several. Each has a second request where such
 * a server would find it: it must not be handled, whatever becomes of the first one.
 */

let server: RunningServer;
let lines: (message?: string) => Record<string, unknown>[];

beforeAll(async () => {
  const logged = await startLogged({ TOPUP_LOG_LEVEL: 'debug' });
  server = logged.server;
  lines = logged.lines;
});
afterAll(() => server.close());

const order = JSON.stringify(fixtureOrder);
const host = 'Host: localhost\r\n';

/** The second request; its id shows in the log that it was handled. */
const hidden = (id: string): string => `GET /api/games HTTP/1.1\r\n${host}X-Request-Id: ${id}\r\n\r\n`;

const post = (headers: string, body: string, line = 'POST /api/order HTTP/1.1'): string =>
  `${line}\r\n${host}X-API-KEY: ${sandboxKey}\r\nContent-Type: application/json\r\n${headers}\r\n${body}`;

const size = (text: string): string => text.length.toString(16);
const chunk = (text: string, sizeLine = size(text)): string => `${sizeLine}\r\n${text}\r\n`;

type Make = (second: string) => string;

/** Headers that say twice or in an unusual way how long a body is. */
const lengths: string[] = [
  ...[
    '+0',
    '-0',
    '0x0',
    '0,0',
    '0, 44',
    '44, 0',
    '0;',
    '0 0',
    '0_',
    '',
    ' ',
    '\t',
    '0\t0',
    '１',
    'NaN',
    '1e1',
  ].map((value) => `Content-Length: ${value}\r\n`),
  'Content-Length: 0\r\nContent-Length: 44\r\n',
  'Content-Length: 44\r\nContent-Length: 0\r\n',
  'Content-Length: 0\r\nContent-Length: 0\r\n',
  'Content-Length: 0\r\ncontent-length: 5\r\n',
  'Content-Length : 44\r\n',
  ' Content-Length: 44\r\n',
  'Content-Length: 0\r\n Content-Length: 44\r\n',
  'Content-Length\r\n',
  'Content-Length\0: 44\r\n',
  'Content-Length:\0 44\r\n',
  'Content-Length: 0\rContent-Length: 44\r\n',
  'Content-Length: 0\nContent-Length: 44\r\n',
  'Content-Length: 99999999999999999999\r\n',
];

/** The same in an unusual coding. */
const codings: string[] = [
  ...[
    'xchunked',
    'chunked, identity',
    'identity, chunked',
    'chunked, chunked',
    'gzip, chunked',
    ',chunked',
    'chunked,',
    'chunked;q=1',
    '"chunked"',
    'chun ked',
    'chunked\0',
    '\x0bchunked',
    'chunked\x0b',
    'identity',
    'gzip',
    '',
    'chunked\r\n identity',
    'identity\r\n chunked',
  ].map((value) => `Transfer-Encoding: ${value}\r\n`),
  'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n',
  'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n',
  'Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n',
  'Transfer-Encoding : chunked\r\n',
  ' Transfer-Encoding: chunked\r\n',
  'Transfer-Encoding\t: chunked\r\n',
  'Transfer_Encoding: chunked\r\nTransfer-Encoding: x\r\n',
  'X: y\rTransfer-Encoding: chunked\r\n',
  'X: y\nTransfer-Encoding: chunked\r\n',
  'Transfer-Encoding\0: chunked\r\n',
];

/** The line before a chunk. */
const sizeLines: ((text: string) => string)[] = [
  (text) => `${size(text)};a`,
  (text) => `${size(text)};a=b`,
  (text) => `${size(text)} ;a=b`,
  (text) => `${size(text)}; a = b`,
  (text) => `${size(text)};a="b"`,
  (text) => `${size(text)};a="\r\n"`,
  (text) => `${size(text)};a="b\\"c"`,
  (text) => `${size(text)};\n`,
  (text) => `${size(text)};a\n0`,
  (text) => `${size(text)};a\r0`,
  (text) => `${size(text)};a\0`,
  (text) => `${size(text)};${'a'.repeat(5_000)}`,
  (text) => `${size(text)};${'a'.repeat(20_000)}`,
  (text) => `${'0'.repeat(70)}${size(text)}`,
  (text) => `${'0'.repeat(70)}${size(text)};a`,
  (text) => `0x${size(text)}`,
  (text) => `+${size(text)}`,
  (text) => `-${size(text)}`,
  (text) => ` ${size(text)}`,
  (text) => `\t${size(text)}`,
  (text) => `${size(text)} `,
  (text) => `${size(text)}\t`,
  (text) => `${size(text)}_`,
  (text) => `${size(text)}\0`,
  (text) => `${size(text)}\r`,
  (text) => `${size(text)},`,
  (text) => size(text).toUpperCase(),
  (text) => `10000000000000000${size(text)}`,
  (text) => `fffffffffffffff${size(text)}`,
  () => '',
  () => 'g',
];

const chunked = 'Transfer-Encoding: chunked\r\n';

/** What comes where the data of a chunk should end, and after the last chunk. */
const chunkEnds: Make[] = [
  (second) => `${size(order)}\r\n${order}\n0\r\n\r\n${second}`,
  (second) => `${size(order)}\r\n${order}\r0\r\n\r\n${second}`,
  (second) => `${size(order)}\n${order}\r\n0\r\n\r\n${second}`,
  (second) => `${size(order)}\r${order}\r\n0\r\n\r\n${second}`,
  (second) => `${size(order)}\r\n${order}XX0\r\n\r\n${second}`,
  (second) => `${chunk(order)}0\r\n\n${second}`,
  (second) => `${chunk(order)}0\n\n${second}`,
  (second) => `${chunk(order)}0\r\nX: y\r\n\r\n${second}`,
  (second) => `${chunk(order)}0\r\nX: y\n\r\n${second}`,
  (second) => `${chunk(order)}0\r\nContent-Length: 44\r\n\r\n${second}`,
  (second) => `${chunk(order)}0\r\nTransfer-Encoding: chunked\r\n\r\n${second}`,
  (second) => `${chunk(order)}0\r\nHost: evil.example\r\n\r\n${second}`,
  (second) => `${chunk(order)}0;a\r\n\r\n${second}`,
  (second) => `${chunk(order)}000\r\n\r\n${second}`,
  (second) => `${chunk(order)}0\r\n${second}`,
  (second) => `${chunk(order)}0\r\n\r\n${second}`,
  (second) => `0\r\n\r\n${second}`,
  (second) => `${chunk(order + second)}0\r\n\r\n`,
];

/** The first line and the headers of a request whose body another server may not see, or see longer. */
const heads: Make[] = [
  (second) => `GET /api/games HTTP/1.1\r\n${host}Content-Length: ${second.length}\r\n\r\n${second}`,
  (second) => `HEAD /api/games HTTP/1.1\r\n${host}Content-Length: ${second.length}\r\n\r\n${second}`,
  (second) => `GET /api/games HTTP/1.1\r\n${host}${chunked}\r\n${chunk(second)}0\r\n\r\n`,
  (second) => `GET /api/games HTTP/1.1\r\n${host}${chunked}\r\n0\r\n\r\n${second}`,
  (second) => `TRACE /api/games HTTP/1.1\r\n${host}Content-Length: ${second.length}\r\n\r\n${second}`,
  (second) => `OPTIONS /api/games HTTP/1.1\r\n${host}Content-Length: ${second.length}\r\n\r\n${second}`,
  (second) => `DELETE /api/games HTTP/1.1\r\n${host}Content-Length: ${second.length}\r\n\r\n${second}`,
  (second) => `GET http://localhost/api/games HTTP/1.1\r\n${host}\r\n${second}`,
  (second) => `GET /api/games HTTP/1.1\r\n${host}Host: evil.example\r\n\r\n${second}`,
  (second) => `GET /api/games\r\n${host}\r\n${second}`,
  (second) => `GET /api/games HTTP/2.0\r\n${host}\r\n${second}`,
  (second) => `GET /api/games HTTP/0.9\r\n${host}\r\n${second}`,
  (second) => `GET /api/games HTTP/1.2\r\n${host}\r\n${second}`,
  (second) => `GET /api/games HTTP/1.0\r\n\r\n${second}`,
  (second) => `POST /api/order HTTP/1.0\r\n${host}${chunked}\r\n0\r\n\r\n${second}`,
  (second) => `GET /api/games HTTP/1.1\r\n\r\n${second}`,
  (second) => `GET /api/games HTTP/1.1\r\nHost: a b\r\n\r\n${second}`,
  (second) => `GET /api/games HTTP/1.1\r\n${host}X-A: 1\r\n 2\r\n\r\n${second}`,
  (second) => `GET /api/games HTTP/1.1\r\n${host}X-A : 1\r\n\r\n${second}`,
  (second) => `GET /api/games HTTP/1.1\r\n${host}X-A: 1\n\r\n${second}`,
  (second) => `GET /api/games HTTP/1.1\r\n${host}X-A: 1\r\r\n\r\n${second}`,
  (second) => `GET /api/games HTTP/1.1\n${host}\r\n${second}`,
  (second) => `GET /api/games HTTP/1.1\r\n${host}\n${second}`,
  (second) => `GET /api/games HTTP/1.1\r\n${host}: x\r\n\r\n${second}`,
  (second) => `GET /api/games HTTP/1.1\r\n${host}X\0: y\r\n\r\n${second}`,
  (second) => `GET /api/games HTTP/1.1\r\n${host}X: y\0\r\n\r\n${second}`,
  (second) => `GET /api/ga mes HTTP/1.1\r\n${host}\r\n${second}`,
  (second) => `GET\t/api/games HTTP/1.1\r\n${host}\r\n${second}`,
  (second) => `GET /api/games#x HTTP/1.1\r\n${host}\r\n${second}`,
  (second) => `GET /api/../games HTTP/1.1\r\n${host}\r\n${second}`,
  (second) => `CONNECT localhost:80 HTTP/1.1\r\n${host}\r\n${second}`,
  (second) => `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${second}`,
  (second) => post('Expect: x\r\nContent-Length: 0\r\n', second),
  (second) => post('Connection: close\r\nContent-Length: 2\r\n', `{}${second}`),
  (second) => post(`Content-Encoding: gzip\r\nContent-Length: 2\r\n`, `{}${second}`),
  (second) => post(`Content-Type: a/b\r\nContent-Length: 2\r\n`, `{}${second}`),
  (second) => post(`Content-Length: ${order.length + second.length}\r\n`, order + second),
  (second) => post(`Content-Length: 70000\r\n`, 'x'.repeat(65_600) + second),
];

const both = 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n';

const attacks: [name: string, make: Make][] = [
  ...lengths.map((header): [string, Make] => [JSON.stringify(header), (second) => post(header, second)]),
  ...codings.flatMap((header): [string, Make][] => [
    [`${JSON.stringify(header)}, chunks`, (second) => post(header, `0\r\n\r\n${second}`)],
    [
      `${JSON.stringify(header)}, chunks and a length`,
      (second) => post(`Content-Length: 5\r\n${header}`, `0\r\n\r\n${second}`),
    ],
  ]),
  ...sizeLines.flatMap((line): [string, Make][] => [
    [
      `the size ${JSON.stringify(line('x')).slice(0, 60)} before a request`,
      (second) => post(chunked, `${chunk(order, line(order))}0\r\n\r\n${second}`),
    ],
    [
      `the size ${JSON.stringify(line('x')).slice(0, 60)} of a chunk with a request`,
      (second) => post(chunked, `${chunk(second, line(second))}0\r\n\r\n`),
    ],
  ]),
  ...chunkEnds.map((make): [string, Make] => [
    `the chunks ${JSON.stringify(make('').replace(order, '(order)'))}`,
    (second) => post(chunked, make(second)),
  ]),
  ...chunkEnds.map((make): [string, Make] => [
    `a length and the chunks ${JSON.stringify(make('').replace(order, '(order)'))}`,
    (second) => post(both, make(second)),
  ]),
  ...heads.map((make): [string, Make] => [
    JSON.stringify(make('').replace(order, '(order)')).slice(0, 120),
    make,
  ]),
];

it('contains at least 150 different cases', () => {
  const all = attacks.map(([, make]) => make('(second)'));
  expect(new Set(all).size).toBe(all.length);
  expect(all.length).toBeGreaterThanOrEqual(150);
});

it.concurrent.each(attacks.map(([name, make], index) => [name, make, index] as const))(
  'handles no second request from %s',
  async (_, make, index) => {
    for (const inPieces of [false, true]) {
      const id = `hidden-${index}-${inPieces}`;
      const bytes = make(hidden(id));
      const at = bytes.length - hidden(id).length;
      const pieces = inPieces ? [bytes.slice(0, at), bytes.slice(at)] : [bytes];
      const { statuses, text } = await sendRaw(server.localUrl, pieces, { waitMs: 500 });
      expect(statuses.length, text).toBeLessThanOrEqual(1);
      expect(text).not.toContain(id);
      expect(lines('request').filter(({ requestId }) => requestId === id)).toEqual([]);
    }
  },
);

it('handles a request that follows a well-formed request', async () => {
  const first = post(`Content-Length: ${order.length}\r\n`, order);
  const { statuses, text } = await sendRaw(server.localUrl, first + hidden('seen'), { waitMs: 500 });
  expect(statuses).toEqual(['HTTP/1.1 201', 'HTTP/1.1 401']);
  expect(text).toContain('seen');
  expect(lines('request').filter(({ requestId }) => requestId === 'seen')).toHaveLength(1);
});
