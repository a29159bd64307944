import { createTopupClient, type Logger, type TopupClientOptions } from '@topup-kit/sdk';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { baseUrl, made, orderRequest, rejection } from './responses.ts';
import { unheardRejections } from './status-service.ts';

beforeEach(() => {
  vi.useFakeTimers();
  // Without jitter, the first pause is half a second.
  vi.spyOn(Math, 'random').mockReturnValue(1);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const levels = ['debug', 'info', 'warn', 'error'] as const;

/** A logger that records its messages. */
function keeping() {
  const told: { level: string; message: string; facts: Readonly<Record<string, unknown>> }[] = [];
  const at = (level: string) => (message: string, facts: Readonly<Record<string, unknown>>) =>
    void told.push({ level, message, facts });
  const logger: Logger = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
  return { logger, told };
}

/** Places an order that causes messages at every level: a retry, a hook that throws, an invalid response. */
async function orderWith(options: Partial<TopupClientOptions>) {
  const responses = [Response.json({}, { status: 503 }), Response.json(made, { status: 201 })];
  const fetch = async () => responses.shift() ?? Response.error();
  const hooks = {
    onRetry: () => {
      throw new Error('no metrics');
    },
  };
  const client = createTopupClient({ baseUrl, apiKey: 'tk_test_canary', fetch, hooks, ...options });
  const call = client.orders.create(orderRequest, { idempotencyKey: 'cart-17' });
  call.catch(() => {});
  await vi.advanceTimersByTimeAsync(10_000);
  return call;
}

describe('a client without a logger', () => {
  it('writes to the console without a logger only if a response differs from the contract', async () => {
    const written = levels.map((level) => vi.spyOn(console, level).mockImplementation(() => {}));
    const streams = [vi.spyOn(process.stdout, 'write'), vi.spyOn(process.stderr, 'write')];

    await orderWith({ logLevel: 'debug' });

    expect(written.map(({ mock }) => mock.calls.length)).toEqual([0, 0, 1, 0]);
    for (const spy of streams) expect(spy).not.toHaveBeenCalled();
  });
});

describe('a logger', () => {
  it.each([
    [
      'debug',
      [
        'POST /api/order is sent (attempt 1)',
        'POST /api/order 503 in 0 ms (attempt 1)',
        'POST /api/order UNAVAILABLE, again in 500 ms (attempt 1)',
        'a hook threw',
        'POST /api/order is sent (attempt 2)',
        'POST /api/order 201 in 0 ms (attempt 2)',
      ],
    ],
    ['info', ['POST /api/order UNAVAILABLE, again in 500 ms (attempt 1)', 'a hook threw']],
    ['warn', ['a hook threw']],
    ['error', ['a hook threw']],
  ] as const)('logs at level %s', async (logLevel, messages) => {
    const { logger, told } = keeping();

    await orderWith({ logger, logLevel });

    const ofAnswers = logLevel === 'error' ? [] : ['the response does not match the contract'];
    expect(told.map(({ message }) => message)).toEqual(
      [...messages, ...ofAnswers].map((message) => `topup-sdk: ${message}`),
    );
  });

  it('logs warnings and errors by default', async () => {
    const { logger, told } = keeping();

    await orderWith({ logger });

    expect(told.map(({ level }) => level)).toEqual(['error', 'warn']);
  });

  it('logs each message at its level', async () => {
    const { logger, told } = keeping();

    await orderWith({ logger, logLevel: 'debug' });

    expect(Object.fromEntries(told.map(({ message, level }) => [message, level]))).toEqual({
      'topup-sdk: POST /api/order is sent (attempt 1)': 'debug',
      'topup-sdk: POST /api/order 503 in 0 ms (attempt 1)': 'debug',
      'topup-sdk: POST /api/order UNAVAILABLE, again in 500 ms (attempt 1)': 'info',
      'topup-sdk: POST /api/order is sent (attempt 2)': 'debug',
      'topup-sdk: POST /api/order 201 in 0 ms (attempt 2)': 'debug',
      'topup-sdk: the response does not match the contract': 'warn',
      'topup-sdk: a hook threw': 'error',
    });
  });

  it('logs nothing by default for a successful call', async () => {
    const { logger, told } = keeping();
    const fetch = async () => Response.json({ success: true, games: [], populerGames: [] });

    await createTopupClient({ baseUrl, fetch, logger }).games.list();

    expect(told).toEqual([]);
  });

  it('logs data of each attempt', async () => {
    const { logger, told } = keeping();

    await orderWith({ logger, logLevel: 'debug' });

    const attempt = {
      operation: 'createOrder',
      method: 'POST',
      url: 'http://shop.test/api/order',
      attempt: 1,
      idempotencyKey: 'cart-17',
    };
    expect(told[0]?.facts).toEqual(attempt);
    expect(told[1]?.facts).toEqual({ ...attempt, status: 503, duration: expect.any(Number) });
    expect(told[2]?.facts).toEqual({ ...attempt, code: 'UNAVAILABLE', delay: expect.any(Number) });
    expect(told[4]?.facts).toEqual({ ...attempt, attempt: 2 });
  });

  it('logs the request id after a response', async () => {
    const { logger, told } = keeping();
    const responses = [
      Response.json({}, { status: 503, headers: { 'X-Request-Id': 'req-1' } }),
      Response.json(made, { status: 201, headers: { 'X-Request-Id': 'req-2' } }),
    ];

    await orderWith({
      logger,
      logLevel: 'debug',
      hooks: {},
      fetch: async () => responses.shift() ?? Response.error(),
    });

    expect(told.map(({ message, facts }) => [message, facts.requestId])).toEqual([
      ['topup-sdk: POST /api/order is sent (attempt 1)', undefined],
      ['topup-sdk: POST /api/order 503 in 0 ms (attempt 1)', 'req-1'],
      ['topup-sdk: POST /api/order UNAVAILABLE, again in 500 ms (attempt 1)', 'req-1'],
      ['topup-sdk: POST /api/order is sent (attempt 2)', undefined],
      ['topup-sdk: POST /api/order 201 in 0 ms (attempt 2)', 'req-2'],
      ['topup-sdk: the response does not match the contract', 'req-2'],
    ]);
  });

  it('logs neither the key nor data of the order', async () => {
    const { logger, told } = keeping();

    await orderWith({ logger, logLevel: 'debug', headers: { Authorization: 'Bearer canary' } });

    const text = JSON.stringify(told);
    expect(text).toContain('is sent');
    for (const secret of ['canary', orderRequest.whatsapp, orderRequest.id])
      expect(text).not.toContain(secret);
  });

  it("calls a logger's methods with the logger as this", async () => {
    class Counting implements Logger {
      count = 0;
      debug() {
        this.count += 1;
      }
      info() {
        this.count += 1;
      }
      warn() {
        this.count += 1;
      }
      error() {
        this.count += 1;
      }
    }
    const logger = new Counting();

    await orderWith({ logger, logLevel: 'debug' });

    expect(logger.count).toBe(7);
  });

  it('accepts the console as a logger', async () => {
    const written = vi.spyOn(console, 'warn').mockImplementation(() => {});
    vi.spyOn(console, 'error').mockImplementation(() => {});

    await orderWith({ logger: console });

    expect(written.mock.calls).toEqual([
      [
        'topup-sdk: the response does not match the contract',
        expect.objectContaining({ operation: 'createOrder' }),
      ],
    ]);
  });

  it('rejects an unknown level', () => {
    // @ts-expect-error no such level
    expect(() => createTopupClient({ baseUrl, logLevel: 'verbose' })).toThrow(
      expect.objectContaining({ name: 'TopupUsageError', code: 'INVALID_OPTION' }),
    );
  });
});

describe('a logger that fails', () => {
  it.each<[string, () => void | Promise<void>]>([
    [
      'by throwing',
      () => {
        throw new Error('disk full');
      },
    ],
    ['by rejecting', () => Promise.reject(new Error('disk full'))],
  ])('does not make an order fail, %s', async (_case, fail) => {
    const logger: Logger = { debug: fail, info: fail, warn: fail, error: fail };

    const unheard = await unheardRejections(async () => {
      expect(await orderWith({ logger, logLevel: 'debug' })).toEqual(made);
    });

    expect(unheard).toEqual([]);
  });

  it("returns the call's error although the logger fails", async () => {
    const fail = () => {
      throw new Error('disk full');
    };
    const logger: Logger = { debug: fail, info: fail, warn: fail, error: fail };
    const fetch = async () => Response.json({}, { status: 401 });
    const client = createTopupClient({ baseUrl, fetch, logger, logLevel: 'debug' });

    expect(await rejection(client.games.list())).toMatchObject({ code: 'UNAUTHORIZED', attempts: 1 });
  });
});
