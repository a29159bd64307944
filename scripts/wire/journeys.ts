import { sandboxKey } from '@topup-kit/core/contract';
import { seededRandom } from '@topup-kit/core/platform';
import { sha256Hex } from '@topup-kit/server/internal';
import { runConformance } from '../../packages/conformance/src/index.ts';
import { allRoutes } from '../../packages/server/test/helpers/all-routes.ts';
import { malformed } from '../../packages/server/test/helpers/malformed-requests.ts';
import { fixtureOrder } from '../../packages/server/test/helpers/sandbox.ts';
import type { Sent } from '../../packages/server/test/helpers/whole-service.ts';
import {
  createDice,
  createMutations,
  type Dice,
  damageBytes,
  sampleAnything,
} from '../../soak/fuzz/mutate.ts';

/** Sends bytes over a separate connection. Returns the received bytes. */
export type Send = (bytes: string) => Promise<string>;

const placeholder = 'INV-20260328100000-ZZZZZZZZ';

/** Converts a request to bytes; the connection ends after it. */
function asBytes({ method, path, headers = {}, body }: Sent, key: string | null): string {
  const text =
    body === undefined
      ? ''
      : typeof body === 'string'
        ? body
        : ArrayBuffer.isView(body)
          ? Buffer.from(body.buffer).toString('latin1')
          : JSON.stringify(body);
  const length = method === 'GET' || method === 'HEAD' ? '' : text;
  const lines = {
    Host: 'localhost',
    Connection: 'close',
    ...(key !== null && { 'X-API-KEY': key }),
    ...(length !== '' && {
      'Content-Type': 'application/json',
      'Content-Length': String(Buffer.byteLength(length, 'latin1')),
    }),
    ...headers,
  };
  // Headers that fetch wrote in lower case replace these.
  const named = new Map(
    Object.entries(lines).map(([name, value]) => [name.toLowerCase(), `${name}: ${value}\r\n`]),
  );
  const head = [...named.values()];
  return `${method} ${path} HTTP/1.1\r\n${head.join('')}\r\n${length}`;
}

const orderIn = (text: string): string | undefined => /INV-\d{14}-[A-Z]{8}/.exec(text)?.[0];

/** Excludes routes that end a sandbox's worlds, and the list of requests, which contains the duration of each request. */
const played = allRoutes.filter(({ path }) => !/reset|\/login|\/requests/.test(path));

const sandboxPath = (orderId: string, action: string): string => `/sandbox/orders/${orderId}/${action}`;

/** Plays random journeys of orders: placed, repeated, paid, moved in time, and read in every form, valid and changed. */
async function playJourneys(
  send: Send,
  dice: Dice,
  count: number,
  mutate: ReturnType<typeof createMutations>,
): Promise<void> {
  const orders: string[] = [];
  const keyOf = (): string | null =>
    dice.oneOf([sandboxKey, sandboxKey, sandboxKey, sandboxKey, 'tk_test_wrong', null]);
  const post = (path: string, body: unknown, headers: Record<string, string> = {}): Promise<string> =>
    send(asBytes({ method: 'POST', path, body: JSON.stringify(body), headers }, sandboxKey));
  const place = async (): Promise<void> => {
    const body = dice.oneOf([
      fixtureOrder,
      { ...fixtureOrder, quantity: 2 },
      { ...fixtureOrder, promo_code: 'RAMADAN10' },
      { ...fixtureOrder, product_id: 999_999 },
      { ...fixtureOrder, whatsapp: 'x' },
    ]);
    const key = `key-${dice.below(200)}`;
    const text = await post('/api/order', body, dice.below(2) === 0 ? { 'Idempotency-Key': key } : {});
    const id = orderIn(text);
    if (id !== undefined && !orders.includes(id)) orders.push(id);
  };
  const order = (): string => (orders.length === 0 ? placeholder : dice.oneOf(orders));
  await place();
  for (let at = 0; at < count; at += 1)
    await dice.oneOf([
      place,
      place,
      () => post(sandboxPath(order(), dice.oneOf(['pay', 'fail', 'expire', 'deliver'])), {}),
      () => post('/sandbox/advance', { by: dice.oneOf(['1s', '1m', '1h']) }),
      () =>
        send(
          asBytes(
            {
              method: dice.oneOf(['GET', 'HEAD', 'POST', 'OPTIONS', 'PUT']),
              path: dice.oneOf([
                '/api/games',
                '/api/orders',
                `/api/invoice/${order()}`,
                `/api/invoice/${order()}/payment-status`,
                '/api/nothing',
                '/',
                '/health',
                '/ready',
              ]),
              headers: dice.oneOf([
                {},
                { Origin: 'https://shop.example' },
                { 'Accept-Language': 'en' },
                { 'Accept-Encoding': 'gzip' },
                { Accept: 'text/html' },
              ]),
            },
            keyOf(),
          ),
        ),
      () =>
        send(asBytes(dice.oneOf(played).valid({ orderId: order(), reference: 'SIM1' }, sandboxKey), keyOf())),
      () => {
        const sent = mutate(
          dice.oneOf(played).valid({ orderId: order(), reference: 'SIM1' }, sandboxKey),
          dice,
        );
        return send(asBytes(sent, keyOf()));
      },
    ])();
}

/** Converts a response from bytes to the form of `fetch`, for the cases of conformance. */
function responseOf(text: string): Response {
  const end = text.indexOf('\r\n\r\n');
  const [first = '', ...lines] = text.slice(0, end).split('\r\n');
  const status = Number(first.split(' ')[1]);
  const headers = new Headers(
    lines.map((line): [string, string] => [
      line.slice(0, line.indexOf(':')),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  );
  const body = Buffer.from(text.slice(end + 4), 'latin1');
  return new Response([204, 304].includes(status) ? null : new Uint8Array(body), { status, headers });
}

async function playConformance(url: string, send: Send): Promise<void> {
  const post = (path: string, body: object): Promise<string> =>
    send(asBytes({ method: 'POST', path, body: JSON.stringify(body) }, sandboxKey));
  await runConformance(
    {
      baseUrl: `${url}/api`,
      apiKey: sandboxKey,
      sandbox: {
        act: async (orderId, action) => void (await post(sandboxPath(orderId, action), {})),
        advance: async (by) => void (await post('/sandbox/advance', { by: `${by / 1_000}s` })),
      },
      fetch: async (input, init = {}) => {
        const { pathname, search } = new URL(input);
        const headers = Object.fromEntries(new Headers(init.headers));
        const body =
          init.body === undefined || init.body === null
            ? undefined
            : Buffer.from(String(init.body)).toString('latin1');
        return responseOf(
          await send(
            asBytes({ method: init.method ?? 'GET', path: `${pathname}${search}`, headers, body }, null),
          ),
        );
      },
    },
    { writes: true },
  );
}

/** Returns the requests to the servers, each for a new server. The same seed gives the same requests. */
export function plays({
  seed,
  count,
}: {
  seed: number;
  count: number;
}): ((url: string, send: Send) => Promise<void>)[] {
  const dice = createDice(seededRandom(sha256Hex, `wire ${seed}`));
  const subject = { orderId: placeholder, reference: 'SIM1' };
  return [
    async (_url, send) => {
      for (const [, , request] of malformed)
        await send(typeof request === 'string' ? request : request.join(''));
      for (let at = 0; at < count / 2; at += 1)
        await send(damageBytes(asBytes(dice.oneOf(played).valid(subject, ''), sandboxKey), dice));
    },
    playConformance,
    (_url, send) =>
      playJourneys(send, dice, count, createMutations(sampleAnything(seed, Math.min(count, 1_000)))),
  ];
}
