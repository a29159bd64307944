import { readFileSync } from 'node:fs';
import { createTopupClient, type Fetch, type TopupClient } from '@topup-kit/sdk';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { baseUrl, cutBody, orderRequest, responding } from './responses.ts';

/** The rows of the table "What is tried again" of docs/sdk.md: what happened, and the three columns after it. */
const guide = readFileSync(new URL('../../../docs/sdk.md', import.meta.url), 'utf8');
const rows = /\| what happened \|[^\n]*\n\|[-|]+\n((?:\|[^\n]*\n)+)/
  .exec(guide)?.[1]
  ?.trim()
  .split('\n')
  .map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );

const failing =
  (code: string): Fetch =>
  async () =>
    Promise.reject(new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) }));
const coded = (status: number, code: string): Fetch =>
  responding(status, { success: false, message: 'x' }, { 'X-Error-Code': code });
const text =
  (body: string, type: string): Fetch =>
  async () =>
    new Response(body, { status: 200, headers: { 'Content-Type': type } });

const aborting: Fetch = async () => {
  abort.abort();
  return Promise.reject(abort.signal.reason);
};
let abort = new AbortController();

/** What happens in each row. */
const happenings: Record<string, Fetch[]> = {
  'no connection (refused, no such host, certificate)': [
    failing('ECONNREFUSED'),
    failing('ENOTFOUND'),
    failing('CERT_HAS_EXPIRED'),
  ],
  '429, 503': [responding(429, { message: 'Too Many Attempts.' }), responding(503, {})],
  'connection lost, response incomplete': [failing('ECONNRESET'), async () => new Response(cutBody())],
  'time-out of an attempt': [() => new Promise(() => {})],
  '408, 500, 502, 504': [408, 500, 502, 504].map((status) => responding(status, {})),
  '409 with code `IDEMPOTENCY_IN_FLIGHT`': [coded(409, 'IDEMPOTENCY_IN_FLIGHT')],
  '2xx with a JSON content type, truncated or empty': [
    text('{"success":tr', 'application/json'),
    text('', 'application/json'),
  ],
  '2xx with HTML, or with JSON that is not an object': [
    text('<h1>Shop</h1>', 'text/html'),
    text('[]', 'application/json'),
    text('[{"id":1', 'application/json'),
  ],
  '2xx without an `orderId`, or `success: false` with one': [
    responding(201, { success: true }),
    responding(200, { success: false, orderId: 'INV-1-ABCDEFGH' }),
  ],
  '2xx with `success: false`': [responding(200, { success: false, message: 'Ditolak.' })],
  '302, 303': [302, 303].map((status) => responding(status, {})),
  'any other 3xx or 4xx': [301, 307, 308, 400, 401, 403, 404, 405, 409, 413, 422].map((status) =>
    responding(status, {}),
  ),
  'aborted by your signal': [aborting],
};

/** The outcome of a call, in the words of the table. */
async function became(
  make: (client: TopupClient, signal: AbortSignal) => Promise<unknown>,
  fetch: Fetch,
  idempotency: 'detect' | 'supported',
  own?: 'own fetch',
): Promise<string> {
  abort = new AbortController();
  let attempts = 0;
  const counted: Fetch = (request) => {
    attempts += 1;
    return fetch(request);
  };
  vi.stubGlobal('fetch', counted);
  const client = createTopupClient({ baseUrl, fetch: own && counted, idempotency, maxRetries: 1 });
  const call = make(client, abort.signal).then(
    () => 'success',
    (error) => error.code,
  );
  await vi.runAllTimersAsync();
  const code = await call;
  if (attempts === 2) return 'again';
  return code === 'UNKNOWN_OUTCOME' ? 'unknown outcome' : 'ends';
}

describe('retries follow the table in docs/sdk.md', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it('contains a test for every row of the table', () => {
    expect(rows?.map(([happening]) => happening)).toEqual(Object.keys(happenings));
  });

  it.each(rows ?? [])(
    '%s: handles reads %s, orders %s, with the key honoured %s',
    async (happening, ...said) => {
      for (const fetch of happenings[happening] ?? expect.fail()) {
        expect([
          // An empty cell: not applicable to reads.
          said[0] && (await became((client, signal) => client.games.list({ signal }), fetch, 'detect')),
          await became((client, signal) => client.orders.create(orderRequest, { signal }), fetch, 'detect'),
          await became(
            (client, signal) => client.orders.create(orderRequest, { signal }),
            fetch,
            'supported',
          ),
        ]).toEqual(said);
      }
    },
  );

  it('treats a missing connection like a broken connection with a custom fetch', async () => {
    const cut = rows?.find(([happening]) => happening?.startsWith('connection lost'));
    const refused = failing('ECONNREFUSED');
    const list = (client: TopupClient) => client.games.list();
    const order = (client: TopupClient) => client.orders.create(orderRequest);

    expect([
      await became(list, refused, 'detect', 'own fetch'),
      await became(order, refused, 'detect', 'own fetch'),
      await became(order, refused, 'supported', 'own fetch'),
    ]).toEqual(cut?.slice(1));
  });
});
