import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { rejection } from './responses.ts';
import {
  breaks,
  delivered,
  fails,
  hangs,
  inDelivery,
  orderId,
  pauses,
  type Respond,
  says,
  scripted,
  state,
  unheardRejections,
  unpaid,
} from './status-service.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('the attempts of a wait', () => {
  it('counts attempts when the time runs out', async () => {
    const { client, queries } = scripted([unpaid]);

    const wait = rejection(client.orders.waitFor(orderId, { timeout: 10_000 }));
    await vi.advanceTimersByTimeAsync(20_000);

    const error = await wait;
    expect(queries.length).toBeGreaterThan(3);
    expect(error).toMatchObject({
      code: 'WAIT_TIMEOUT',
      attempts: queries.length,
      message: expect.stringContaining(`${queries.length} attempts`),
    });
  });

  it('counts attempts when the signal aborts the wait, instead of "nothing was sent"', async () => {
    const { client, queries } = scripted([unpaid]);
    const controller = new AbortController();

    const wait = rejection(client.orders.waitFor(orderId, { signal: controller.signal }));
    await vi.advanceTimersByTimeAsync(1_500);
    controller.abort();
    await vi.advanceTimersByTimeAsync(100);

    expect(queries).toHaveLength(2);
    expect(await wait).toMatchObject({
      code: 'ABORTED',
      attempts: 2,
      sent: true,
      message: expect.stringMatching(
        /aborted by its signal \(attempts: 2, last state UNPAID \/ Pending\)\.$/,
      ),
    });
  });

  it('counts failed attempts and retries', async () => {
    const { client, queries } = scripted([unpaid, fails(503), breaks, fails(403)], { maxRetries: 0 });

    const wait = rejection(client.orders.waitFor(orderId));
    await vi.advanceTimersByTimeAsync(60_000);

    expect(queries).toHaveLength(4);
    expect(await wait).toMatchObject({ code: 'FORBIDDEN', attempts: 4 });
  });

  it('counts attempts when onUpdate throws', async () => {
    const { client } = scripted([unpaid, inDelivery]);
    const onUpdate = ({ payment_status }: { payment_status: string }) => {
      if (payment_status === 'PAID') throw new Error('no toast');
    };

    const wait = rejection(client.orders.waitFor(orderId, { onUpdate }));
    await vi.advanceTimersByTimeAsync(5_000);

    expect(await wait).toMatchObject({ code: 'HOOK_FAILED', attempts: 2 });
  });
});

describe('waiting for an order', () => {
  it.each([
    ['delivered', 'PAID', 'Sukses'],
    ['delivery_failed', 'PAID', 'Gagal'],
    ['expired', 'EXPIRED', 'Batal'],
    ['payment_failed', 'FAILED', 'Batal'],
    ['refunded', 'REFUND', 'Gagal'],
  ])('ends as %s with %s / %s', async (outcome, payment, buy) => {
    const { client } = scripted([unpaid, says(payment, buy)]);

    const wait = client.orders.waitFor(orderId);
    await vi.advanceTimersByTimeAsync(1_000);

    expect(await wait).toEqual({ outcome, state: state(payment, buy) });
  });

  it.each([
    ['UNPAID', 'Pending'],
    ['PAID', 'Proses'],
    ['PAID', 'Pending'],
    ['DISPUTED', 'Pending'],
    ['paid', 'Sukses'],
    ['UNPAID', 'Sukses'],
    ['PAID', 'Dikirim'],
  ])('continues with %s / %s', async (payment, buy) => {
    const { client, queries } = scripted([says(payment, buy), delivered]);

    const wait = client.orders.waitFor(orderId);
    await vi.advanceTimersByTimeAsync(1_000);

    expect(await wait).toMatchObject({ outcome: 'delivered' });
    expect(queries).toHaveLength(2);
  });

  it.each([
    ['paid', 'PAID', 'Proses'],
    ['paid', 'PAID', 'Gagal'],
    ['paid', 'PAID', 'Sukses'],
    ['expired', 'EXPIRED', 'Batal'],
    ['payment_failed', 'FAILED', 'Batal'],
    ['refunded', 'REFUND', 'Gagal'],
  ])("until 'paid' ends as %s with %s / %s", async (outcome, payment, buy) => {
    const { client } = scripted([says(payment, buy)]);

    expect(await client.orders.waitFor(orderId, { until: 'paid' })).toMatchObject({ outcome });
  });

  it("until 'paid' continues until the payment", async () => {
    const { client, queries } = scripted([unpaid, unpaid, inDelivery]);

    const wait = client.orders.waitFor(orderId, { until: 'paid' });
    await vi.advanceTimersByTimeAsync(2_500);

    expect(await wait).toMatchObject({ outcome: 'paid' });
    expect(queries).toHaveLength(3);
  });

  it('accepts null as options', async () => {
    const { client } = scripted([delivered]);
    const options = null as unknown as undefined; // Safe: a caller without types can pass this value.

    expect(await client.orders.waitFor(orderId, options)).toMatchObject({ outcome: 'delivered' });
  });

  it('returns the result as a value with safe()', async () => {
    const { client } = scripted([delivered]);

    expect(await client.orders.waitFor(orderId).safe()).toMatchObject({
      ok: true,
      data: { outcome: 'delivered' },
    });
  });

  it('returns an error as a value with safe()', async () => {
    const { client } = scripted([fails(401)]);

    expect(await client.orders.waitFor(orderId).safe()).toMatchObject({
      ok: false,
      error: { code: 'UNAUTHORIZED' },
    });
  });
});

describe('the interval of queries', () => {
  it('polls immediately, and slows down from one to ten seconds', async () => {
    const { client, queries } = scripted([unpaid]);

    void client.orders.waitFor(orderId, { timeout: 50_000 }).safe();
    await vi.advanceTimersByTimeAsync(45_000);

    expect(queries[0]).toBe(0);
    expect(pauses(queries)).toEqual([1_000, 1_500, 2_250, 3_380, 5_060, 7_590, 10_000, 10_000]);
  });

  it('polls faster again after a change', async () => {
    const { client, queries } = scripted([unpaid, unpaid, unpaid, inDelivery]);

    void client.orders.waitFor(orderId, { timeout: 9_000 }).safe();
    await vi.advanceTimersByTimeAsync(8_000);

    expect(pauses(queries)).toEqual([1_000, 1_500, 2_250, 1_000, 1_500]);
  });

  it.each<[string, Respond]>([
    ['Retry-After of a state', says('UNPAID', 'Pending', { 'Retry-After': '30' })],
    ['Retry-After of a failure', fails(503, {}, { 'Retry-After': '30' })],
    ['Retry-After of a refusal', fails(429, {}, { 'Retry-After': '30' })],
    [
      'a used-up rate limit',
      says('UNPAID', 'Pending', { 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': '30' }),
    ],
    ['a used-up rate limit (IETF)', says('UNPAID', 'Pending', { RateLimit: '"reads";r=0;t=30' })],
  ])("polls at the interval that a service's hint asks for: %s", async (_case, asking) => {
    const { client, queries } = scripted([asking, delivered]);

    const wait = client.orders.waitFor(orderId);
    await vi.advanceTimersByTimeAsync(30_000);

    expect(await wait).toMatchObject({ outcome: 'delivered' });
    expect(pauses(queries)).toEqual([30_000]);
  });

  it('returns to the usual interval after a hint', async () => {
    const { client, queries } = scripted([says('UNPAID', 'Pending', { 'Retry-After': '30' }), unpaid]);

    void client.orders.waitFor(orderId, { timeout: 33_000 }).safe();
    await vi.advanceTimersByTimeAsync(32_000);

    expect(pauses(queries)).toEqual([30_000, 1_500]);
  });

  it("doesn't shorten the interval for a hint", async () => {
    const { client, queries } = scripted([unpaid, says('UNPAID', 'Pending', { 'Retry-After': '0' })]);

    void client.orders.waitFor(orderId, { timeout: 5_000 }).safe();
    await vi.advanceTimersByTimeAsync(3_000);

    expect(pauses(queries)).toEqual([1_000, 1_500]);
  });

  it.each<[string, Respond]>([
    ['a refusal', fails(429, {}, { 'Retry-After': '600' })],
    ['a state', says('UNPAID', 'Pending', { 'Retry-After': '600' })],
  ])(
    'waits one minute for a hint of many minutes, which would end any other call: %s',
    async (_case, asking) => {
      const { client, queries } = scripted([asking, delivered], { maxRetries: 2 });

      const wait = client.orders.waitFor(orderId);
      await vi.advanceTimersByTimeAsync(60_000);

      expect(await wait).toMatchObject({ outcome: 'delivered' });
      expect(pauses(queries)).toEqual([60_000]);
    },
  );
});

describe('a temporary failure', () => {
  it.each<[string, Respond]>([
    ['a response without data', () => Response.json({ success: true })],
    ['a response has no payment_status', () => Response.json({ success: true, data: {} })],
  ])('continues, after a valid state, when %s', async (_case, slip) => {
    const { client } = scripted([unpaid, slip, delivered]);

    const wait = client.orders.waitFor(orderId);
    await vi.advanceTimersByTimeAsync(10_000);

    expect(await wait).toMatchObject({ outcome: 'delivered' });
  });

  it.each<[string, Respond]>([
    ['a broken connection', breaks],
    ['no response in time', hangs],
    ['408', fails(408)],
    ['429', fails(429)],
    ['500', fails(500)],
    ['502', () => new Response('<h1>Bad Gateway</h1>', { status: 502 })],
    ['503', fails(503)],
    [
      'a truncated body',
      () => new Response('{"success":tr', { headers: { 'Content-Type': 'application/json' } }),
    ],
  ])('continues the wait: %s', async (_case, failing) => {
    const { client } = scripted([failing, unpaid, failing, failing, delivered], { timeout: 500 });

    const wait = client.orders.waitFor(orderId);
    await vi.advanceTimersByTimeAsync(30_000);

    expect(await wait).toMatchObject({ outcome: 'delivered' });
  });

  it('continues when all retries of a poll fail', async () => {
    const script = [...Array<Respond>(8).fill(fails(503)), delivered];
    const { client } = scripted(script, { maxRetries: 2 });

    const wait = client.orders.waitFor(orderId);
    await vi.advanceTimersByTimeAsync(60_000);

    expect(await wait).toMatchObject({ outcome: 'delivered' });
  });

  it("ends a failure with the next state, which onUpdate gets even if it is unchanged, but the iteration doesn't", async () => {
    const { client } = scripted([unpaid, fails(503), unpaid, unpaid, delivered]);
    const told: unknown[] = [];
    const iterated: unknown[] = [];

    const wait = client.orders.waitFor(orderId, {
      onUpdate: ({ payment_status }) => void told.push(payment_status),
      onError: ({ error }) => void told.push(error.code),
    });
    const reading = (async () => {
      for await (const { payment_status } of wait) iterated.push(payment_status);
    })();
    await vi.advanceTimersByTimeAsync(20_000);
    await wait;
    await reading;

    expect(told).toEqual(['UNPAID', 'UNAVAILABLE', 'UNPAID', 'PAID']);
    expect(iterated).toEqual(['UNPAID', 'PAID']);
  });
});

const page: Respond = () => new Response('<!doctype html>', { headers: { 'Content-Type': 'text/html' } });

describe('onError', () => {
  const seen = (calls: unknown[][]) => calls.map(([failure]) => failure);

  it('calls onError for each failed poll, with the error, the attempt and the time until the next poll', async () => {
    const { client, queries } = scripted([
      unpaid,
      fails(503),
      breaks,
      fails(429, {}, { 'Retry-After': '30' }),
      delivered,
    ]);
    const onError = vi.fn();

    const wait = client.orders.waitFor(orderId, { onError });
    await vi.advanceTimersByTimeAsync(60_000);

    expect(await wait).toMatchObject({ outcome: 'delivered' });
    expect(seen(onError.mock.calls)).toEqual([
      { error: expect.objectContaining({ code: 'UNAVAILABLE' }), attempt: 2, delay: 1_500 },
      { error: expect.objectContaining({ code: 'NETWORK_ERROR' }), attempt: 3, delay: 2_250 },
      { error: expect.objectContaining({ code: 'RATE_LIMITED' }), attempt: 4, delay: 30_000 },
    ]);
    expect(pauses(queries)).toEqual([1_000, 1_500, 2_250, 30_000]);
  });

  it('counts the retries of a poll', async () => {
    const { client } = scripted([fails(503), fails(503), fails(503), delivered], { maxRetries: 2 });
    const onError = vi.fn();

    const wait = client.orders.waitFor(orderId, { onError });
    await vi.advanceTimersByTimeAsync(60_000);
    await wait;

    expect(seen(onError.mock.calls)).toEqual([expect.objectContaining({ attempt: 3 })]);
  });

  it('calls onError for a response without a state', async () => {
    const { client } = scripted([unpaid, () => Response.json({ success: true, data: {} }), delivered]);
    const onError = vi.fn();

    const wait = client.orders.waitFor(orderId, { onError });
    await vi.advanceTimersByTimeAsync(10_000);
    await wait;

    expect(seen(onError.mock.calls)).toEqual([
      expect.objectContaining({ error: expect.objectContaining({ code: 'STATUS_UNAVAILABLE' }) }),
    ]);
  });

  it("doesn't call onError for the failure that ends the wait", async () => {
    const { client } = scripted([unpaid, fails(401)]);
    const onError = vi.fn();

    const failure = rejection(client.orders.waitFor(orderId, { onError }));
    await vi.advanceTimersByTimeAsync(10_000);

    expect(await failure).toMatchObject({ code: 'UNAUTHORIZED' });
    expect(onError).not.toHaveBeenCalled();
  });

  it('passes the shorter time until the last poll', async () => {
    const { client } = scripted([fails(503)]);
    const onError = vi.fn();

    const failure = rejection(client.orders.waitFor(orderId, { timeout: 2_000, onError }));
    await vi.advanceTimersByTimeAsync(5_000);

    expect(await failure).toMatchObject({ code: 'WAIT_TIMEOUT', attempts: 3 });
    expect(onError.mock.calls.map(([{ delay }]) => Math.round(delay / 10) * 10)).toEqual([1_000, 1_000]);
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('no toast');
      },
    ],
    ['rejects', () => Promise.reject(new Error('no toast'))],
  ])('ends the wait when onError %s', async (_case, onError) => {
    const { client } = scripted([unpaid, fails(503)]);

    const failure = rejection(client.orders.waitFor(orderId, { onError }));
    await vi.advanceTimersByTimeAsync(10_000);

    expect(await failure).toMatchObject({
      code: 'HOOK_FAILED',
      message: expect.stringContaining('onError'),
      cause: { message: 'no toast' },
    });
  });
});

describe('the duration of a wait without a timeout', () => {
  const minute = 60_000;
  const expiringIn =
    (milliseconds: number | undefined): Respond =>
    () =>
      Response.json({
        success: true,
        data: {
          ...state('UNPAID', 'Pending'),
          expired_time: milliseconds === undefined ? undefined : (start + milliseconds) / 1000,
        },
      });
  let start: number;
  beforeEach(() => {
    start = 1_774_751_400_000;
    vi.setSystemTime(start);
  });

  it.each<[string, Respond[], number]>([
    ['until a quarter of an hour after the expiry', [expiringIn(10 * minute)], 25],
    ['a quarter of an hour after the expiry', [expiringIn(-10 * minute)], 15],
    ['at most an hour', [expiringIn(24 * 60 * minute)], 60],
    ['an hour if there is no expiry', [expiringIn(undefined)], 60],
    ['an hour if there is no state', [fails(503)], 60],
    ['equally long if the first polls failed', [fails(503), fails(503), expiringIn(10 * minute)], 25],
  ])('without a timeout, waits %s', async (_case, script, minutes) => {
    const { client } = scripted(script);
    let ended = false;
    const failure = rejection(client.orders.waitFor(orderId)).finally(() => {
      ended = true;
    });

    await vi.advanceTimersByTimeAsync(minutes * minute - 1_000);
    expect(ended).toBe(false);
    await vi.advanceTimersByTimeAsync(2_000);

    expect(ended).toBe(true);
    expect(await failure).toMatchObject({
      code: 'WAIT_TIMEOUT',
      message: expect.stringContaining(`after ${minutes * minute} ms`),
    });
  });

  it("doesn't shorten the wait because of an explicit timeout", async () => {
    const { client, queries } = scripted([expiringIn(-minute)]);

    void client.orders.waitFor(orderId, { timeout: 30 * minute }).safe();
    await vi.advanceTimersByTimeAsync(29 * minute);
    const before = queries.length;
    await vi.advanceTimersByTimeAsync(30_000);

    expect(queries.length).toBeGreaterThan(before);
  });
});

describe('a permanent failure', () => {
  it.each<[string, Respond, object]>([
    ['401', fails(401), { name: 'TopupHttpError', code: 'UNAUTHORIZED' }],
    ['403', fails(403), { name: 'TopupHttpError', code: 'FORBIDDEN' }],
    [
      '404 with the code of a missing order',
      fails(404, { success: false }, { 'X-Error-Code': 'INVOICE_NOT_FOUND' }),
      { name: 'TopupHttpError', code: 'INVOICE_NOT_FOUND', status: 404 },
    ],
    [
      '200 with the code of a missing order',
      fails(200, { success: false, error_code: 'INVOICE_NOT_FOUND' }),
      { name: 'TopupHttpError', code: 'INVOICE_NOT_FOUND', status: 200 },
    ],
    ['302', fails(302), { name: 'TopupHttpError', status: 302 }],
    ['a redirect that a browser hides', () => Response.error(), { name: 'TopupHttpError', status: 0 }],
  ])('ends the wait: %s', async (_case, failing, error) => {
    const { client, queries } = scripted([failing]);

    expect(await rejection(client.orders.waitFor(orderId))).toMatchObject(error);
    expect(queries).toHaveLength(1);
  });

  it.each<[string, Respond, object]>([
    ['404', fails(404), { name: 'TopupHttpError', code: 'NOT_FOUND' }],
    ['a page', page, { name: 'TopupResponseError', code: 'NOT_JSON' }],
    ['a refusal in a 200', fails(200, { success: false }), { name: 'TopupHttpError', code: 'REJECTED' }],
  ])('ends the wait with its own error after a valid state: %s', async (_case, failing, error) => {
    const { client } = scripted([unpaid, failing]);

    const failure = rejection(client.orders.waitFor(orderId));
    await vi.advanceTimersByTimeAsync(1_000);

    expect(await failure).toMatchObject(error);
  });

  it.each(['', '  ', '..'])('sends no poll for %j as an order id', async (id) => {
    const { client, queries } = scripted([delivered]);

    expect(await rejection(client.orders.waitFor(id))).toMatchObject({ code: 'INVALID_PATH_PARAMETER' });
    expect(queries).toHaveLength(0);
  });

  it('rejects an invalid signal', async () => {
    const { client, queries } = scripted([delivered]);

    // @ts-expect-error the controller instead of its signal
    const error = await rejection(client.orders.waitFor(orderId, { signal: new AbortController() }));

    expect(error).toMatchObject({ name: 'TopupUsageError', code: 'INVALID_OPTION' });
    expect(queries).toHaveLength(0);
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31])(
    'rejects a timeout of %s',
    async (timeout) => {
      const { client, queries } = scripted([delivered]);

      const error = await rejection(client.orders.waitFor(orderId, { timeout }));

      expect(error).toMatchObject({ name: 'TopupUsageError', code: 'INVALID_OPTION' });
      expect(queries).toHaveLength(0);
    },
  );
});

describe('a service without a route for states', () => {
  it.each<[string, Respond]>([
    ['404 without a code', fails(404, { message: 'Not Found' })],
    ['404 of a page', () => new Response('<h1>Not Found</h1>', { status: 404 })],
    ['404 ROUTE_NOT_FOUND', fails(404, { success: false, error_code: 'ROUTE_NOT_FOUND' })],
    ['405', fails(405)],
    ['a page', page],
    ['a list', () => Response.json([])],
    ['a refusal in a 200', fails(200, { success: false, message: 'Tidak ditemukan.' })],
    ['a response without data', () => Response.json({ success: true })],
    ['a response without payment_status', () => Response.json({ success: true, data: { status: 'paid' } })],
  ])('distinguishes a missing route from a missing order: %s', async (_case, respond) => {
    const { client, queries } = scripted([respond]);

    expect(await rejection(client.orders.waitFor(orderId))).toMatchObject({
      name: 'TopupWaitError',
      code: 'STATUS_UNAVAILABLE',
      retryable: false,
      orderId,
      lastState: undefined,
      message: expect.stringMatching(/payment page/),
    });
    expect(queries).toHaveLength(1);
  });

  it('keeps the response as the cause', async () => {
    const { client } = scripted([fails(404)]);

    expect(await rejection(client.orders.waitFor(orderId))).toMatchObject({
      cause: { name: 'TopupHttpError', status: 404 },
    });
  });
});

describe('when the time runs out', () => {
  it('contains the last state in the error', async () => {
    const { client } = scripted([unpaid, inDelivery]);

    const failure = rejection(client.orders.waitFor(orderId, { timeout: 60_000 }));
    await vi.advanceTimersByTimeAsync(60_000);

    expect(await failure).toMatchObject({
      name: 'TopupWaitError',
      code: 'WAIT_TIMEOUT',
      retryable: true,
      orderId,
      lastState: state('PAID', 'Proses'),
      message: expect.stringContaining('PAID / Proses'),
    });
  });

  it('reports that no state is known, and why', async () => {
    const { client } = scripted([fails(503)]);

    const failure = rejection(client.orders.waitFor(orderId, { timeout: 5_000 }));
    await vi.advanceTimersByTimeAsync(5_000);

    expect(await failure).toMatchObject({
      code: 'WAIT_TIMEOUT',
      lastState: undefined,
      message: expect.stringMatching(/unknown.*UNAVAILABLE/),
      cause: { name: 'TopupHttpError', status: 503 },
    });
  });

  it('reports the last failure after a valid state', async () => {
    const { client } = scripted([unpaid, fails(500), fails(503)]);

    const failure = rejection(client.orders.waitFor(orderId, { timeout: 5_000 }));
    await vi.advanceTimersByTimeAsync(5_000);

    expect(await failure).toMatchObject({
      code: 'WAIT_TIMEOUT',
      message: expect.stringMatching(/UNPAID \/ Pending.*UNAVAILABLE/),
    });
  });

  it("doesn't report a temporary failure that has ended", async () => {
    const { client } = scripted([fails(503), unpaid]);

    const failure = rejection(client.orders.waitFor(orderId, { timeout: 5_000 }));
    await vi.advanceTimersByTimeAsync(5_000);

    expect(await failure).toMatchObject({ message: expect.not.stringContaining('UNAVAILABLE') });
    expect(await failure).not.toHaveProperty('cause');
  });

  it('can end with the result of a last poll', async () => {
    const { client, queries } = scripted([unpaid, unpaid, unpaid, delivered]);

    const wait = client.orders.waitFor(orderId, { timeout: 4_000 });
    await vi.advanceTimersByTimeAsync(4_000);

    expect(await wait).toMatchObject({ outcome: 'delivered' });
    expect(pauses(queries)).toEqual([1_000, 1_500, 1_500]);
  });

  it("reports a change in the last poll, but doesn't extend the wait", async () => {
    const { client } = scripted([unpaid, inDelivery]);
    const onUpdate = vi.fn();

    const failure = rejection(client.orders.waitFor(orderId, { timeout: 500, onUpdate }));
    await vi.advanceTimersByTimeAsync(500);

    expect(await failure).toMatchObject({ code: 'WAIT_TIMEOUT', lastState: state('PAID', 'Proses') });
    expect(onUpdate).toHaveBeenCalledTimes(2);
  });

  it('gives the last poll one second, even in a short wait', async () => {
    const late: Respond = (request) =>
      new Promise((resolve) => void setTimeout(() => resolve(delivered(request)), 900));
    const { client } = scripted([unpaid, late]);

    const wait = client.orders.waitFor(orderId, { timeout: 10 });
    await vi.advanceTimersByTimeAsync(910);

    expect(await wait).toMatchObject({ outcome: 'delivered' });
  });

  it('ends on the millisecond, after one last poll', async () => {
    const { client, queries } = scripted([unpaid]);
    let ended = false;

    void client.orders
      .waitFor(orderId, { timeout: 5_000 })
      .safe()
      .then(() => {
        ended = true;
      });
    await vi.advanceTimersByTimeAsync(4_990);
    expect(ended).toBe(false);
    await vi.advanceTimersByTimeAsync(10);

    expect(ended).toBe(true);
    expect(pauses(queries)).toEqual([1_000, 1_500, 2_250, 250]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each<[string, Respond[], number]>([
    ['not at all', [unpaid, hangs], 5_010],
    ['for a second if it is the last query', [unpaid, unpaid, unpaid, unpaid, hangs], 6_010],
  ])('delays the end because of a query that hangs %s', async (_how, script, end) => {
    const { client } = scripted(script);

    const failure = rejection(client.orders.waitFor(orderId, { timeout: 5_000 }));
    await vi.advanceTimersByTimeAsync(end);

    expect(await failure).toMatchObject({
      code: 'WAIT_TIMEOUT',
      lastState: state('UNPAID', 'Pending'),
      message: expect.stringContaining('TIMEOUT'),
    });
  });

  it('ends on time despite a hint for a longer pause', async () => {
    const { client } = scripted([says('UNPAID', 'Pending', { 'Retry-After': '86400' })]);

    const failure = rejection(client.orders.waitFor(orderId, { timeout: 5_000 }));
    await vi.advanceTimersByTimeAsync(5_000);

    expect(await failure).toMatchObject({ code: 'WAIT_TIMEOUT' });
  });

  it('sends the last poll once, even if timers fire early', async () => {
    vi.useRealTimers();
    const { client, queries } = scripted([unpaid]);

    // Long enough for the first query of each on a busy machine.
    const waits = Array.from({ length: 20 }, () => client.orders.waitFor(orderId, { timeout: 200 }).safe());

    expect((await Promise.all(waits)).every(({ error }) => error?.code === 'WAIT_TIMEOUT')).toBe(true);
    // Each sends a query at its start and at its end.
    expect(queries).toHaveLength(40);
  });
});

describe('an abort', () => {
  it('sends no poll after an abort before the start', async () => {
    const { client, queries } = scripted([delivered]);
    const reason = new Error('page left');

    const error = await rejection(client.orders.waitFor(orderId, { signal: AbortSignal.abort(reason) }));

    expect(error).toMatchObject({ name: 'TopupAbortError', code: 'ABORTED', cause: reason });
    expect(queries).toHaveLength(0);
  });

  it('ends immediately when the signal aborts during a pause, and leaves no timer', async () => {
    const { client, queries } = scripted([unpaid]);
    const controller = new AbortController();

    const failure = rejection(client.orders.waitFor(orderId, { signal: controller.signal }));
    await vi.advanceTimersByTimeAsync(1_100);
    controller.abort(new Error('page left'));

    expect(await failure).toMatchObject({ name: 'TopupAbortError', cause: { message: 'page left' } });
    expect(queries).toHaveLength(2);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("contains the last response's request id after an abort during a pause", async () => {
    const { client } = scripted([says('UNPAID', 'Pending', { 'X-Request-Id': 'req-7' })]);
    const controller = new AbortController();

    const failure = rejection(client.orders.waitFor(orderId, { signal: controller.signal }));
    await vi.advanceTimersByTimeAsync(1_100);
    controller.abort();

    expect(await failure).toMatchObject({ code: 'ABORTED', requestId: 'req-7' });
  });

  it('reports an abort during the last pause, not a timeout', async () => {
    const { client } = scripted([unpaid]);
    const controller = new AbortController();

    const wait = client.orders.waitFor(orderId, { signal: controller.signal, timeout: 500 });
    const failure = rejection(wait);
    await vi.advanceTimersByTimeAsync(400);
    controller.abort();

    expect(await failure).toMatchObject({ name: 'TopupAbortError' });
  });

  it('ends immediately when the signal aborts during a poll, even if fetch ignores the signal', async () => {
    const { client } = scripted([unpaid, hangs]);
    const controller = new AbortController();

    const failure = rejection(client.orders.waitFor(orderId, { signal: controller.signal }));
    await vi.advanceTimersByTimeAsync(1_000);
    controller.abort();

    expect(await failure).toMatchObject({ name: 'TopupAbortError' });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('shares a signal among any number of waits, which leave no listener', async () => {
    const { client } = scripted([delivered]);
    const { signal } = new AbortController();

    for (let wait = 0; wait < 20; wait += 1) await client.orders.waitFor(orderId, { signal });

    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });
});

describe('onUpdate', () => {
  it('calls onUpdate with the first state and every change', async () => {
    const { client } = scripted([unpaid, unpaid, says('PAID', 'Pending'), inDelivery, inDelivery, delivered]);
    const seen: string[] = [];

    const wait = client.orders.waitFor(orderId, {
      onUpdate: ({ payment_status, buy_status }) => void seen.push(`${payment_status} ${buy_status}`),
    });
    await vi.advanceTimersByTimeAsync(30_000);
    await wait;

    expect(seen).toEqual(['UNPAID Pending', 'PAID Pending', 'PAID Proses', 'PAID Sukses']);
  });

  it('calls onUpdate immediately with a state that ends the wait', async () => {
    const { client } = scripted([delivered]);
    const onUpdate = vi.fn();

    await client.orders.waitFor(orderId, { onUpdate });

    expect(onUpdate.mock.calls).toEqual([[state('PAID', 'Sukses')]]);
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('no database');
      },
    ],
    [
      'rejects',
      async () => {
        throw new Error('no database');
      },
    ],
  ])('ends the wait when onUpdate %s', async (_case, onUpdate) => {
    const { client, queries } = scripted([unpaid, delivered]);

    expect(await rejection(client.orders.waitFor(orderId, { onUpdate }))).toMatchObject({
      name: 'TopupUsageError',
      code: 'HOOK_FAILED',
      cause: { message: 'no database' },
    });
    expect(queries).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('awaits onUpdate', async () => {
    const { client, queries } = scripted([unpaid, delivered]);
    const onUpdate = () => new Promise<void>((resolve) => void setTimeout(resolve, 3_000));

    const wait = client.orders.waitFor(orderId, { onUpdate });
    await vi.advanceTimersByTimeAsync(10_000);
    await wait;

    expect(pauses(queries)).toEqual([4_000]);
  });

  it.each([
    ['is not set', undefined],
    ['it returns at once', () => {}],
    ['it resolves', async () => {}],
  ])('leaves no timer when onUpdate %s', async (_case, onUpdate) => {
    const { client } = scripted([delivered]);

    await client.orders.waitFor(orderId, { onUpdate });

    expect(vi.getTimerCount()).toBe(0);
  });

  it('ends on time even if onUpdate hangs', async () => {
    const { client } = scripted([unpaid]);
    const onUpdate = () => new Promise<void>(() => {});

    const failure = rejection(client.orders.waitFor(orderId, { timeout: 5_000, onUpdate }));
    await vi.advanceTimersByTimeAsync(5_000);

    expect(await failure).toMatchObject({ code: 'WAIT_TIMEOUT', lastState: state('UNPAID', 'Pending') });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('aborts even if onUpdate hangs', async () => {
    const { client } = scripted([unpaid]);
    const controller = new AbortController();
    const onUpdate = () => new Promise<void>(() => {});

    const failure = rejection(client.orders.waitFor(orderId, { signal: controller.signal, onUpdate }));
    await vi.advanceTimersByTimeAsync(100);
    controller.abort();
    await vi.advanceTimersByTimeAsync(0);

    expect(await failure).toMatchObject({ name: 'TopupAbortError' });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('causes no unhandled rejection if onUpdate rejects after the end', async () => {
    const { client } = scripted([unpaid]);
    const onUpdate = () =>
      new Promise<void>((_resolve, reject) => void setTimeout(() => reject(new Error('late')), 8_000));

    const unheard = await unheardRejections(async () => {
      const failure = rejection(client.orders.waitFor(orderId, { timeout: 5_000, onUpdate }));
      await vi.advanceTimersByTimeAsync(9_000);
      expect(await failure).toMatchObject({ code: 'WAIT_TIMEOUT' });
    });

    expect(unheard).toEqual([]);
  });
});
