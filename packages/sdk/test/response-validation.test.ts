import { createTopupClient, type Logger, type TopupClient, type TopupClientOptions } from '@topup-kit/sdk';
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest';
import { baseUrl, made, orderRequest, rejection, responding } from './responses.ts';
import { createSamples } from './validation/samples.ts';

const promo = { code: 'RAMADAN10', game_slug: 'mobile-legends', product_id: 901, payment_method_id: 12 };

const calls: [string, (client: TopupClient) => Promise<unknown>][] = [
  ['listGames', ({ games }) => games.list()],
  ['getGame', ({ games }) => games.get('mobile-legends')],
  ['getCheckout', ({ checkout }) => checkout.get('mobile-legends')],
  ['createOrder', ({ orders }) => orders.create(orderRequest)],
  ['getInvoice', ({ invoices }) => invoices.get('INV-1')],
  ['getPaymentStatus', ({ invoices }) => invoices.paymentStatus('INV-1')],
  ['validatePromo', ({ promos }) => promos.validate(promo)],
];

const spyLogger = () => ({ debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() }) satisfies Logger;

/** A list in which one title is a number that could be a phone number. */
const wrongList = () => {
  const list = createSamples().listGames;
  Object.assign(list.games[0] ?? {}, { title: 6281234567890 });
  return list;
};

const clientOf = (
  validation: TopupClientOptions['validation'],
  body: unknown,
  options: Partial<TopupClientOptions> = {},
) => createTopupClient({ baseUrl, fetch: responding(200, body), validation, ...options });

describe('a valid response', () => {
  it.each(calls)('accepts a valid response in strict validation: %s', async (operation, call) => {
    const sample = Object.entries(createSamples()).find(([name]) => name === operation)?.[1];

    expect(await call(clientOf('strict', sample))).toEqual(sample);
  });

  it('accepts unknown fields and statuses', async () => {
    const sample = createSamples().getPaymentStatus;
    const grown = { ...sample, data: { ...sample.data, payment_status: 'DISPUTED', note: 'new' }, meta: {} };

    expect(await clientOf('strict', grown).invoices.paymentStatus('INV-1')).toEqual(grown);
  });

  it('warns about nothing for a valid response', async () => {
    const logger = spyLogger();

    await clientOf('warn', createSamples().listGames, { logger }).games.list();

    expect(logger.warn).not.toHaveBeenCalled();
  });
});

describe("validation: 'strict'", () => {
  it.each(calls)('checks every response: %s', async (operation, call) => {
    expect(await rejection(call(clientOf('strict', made)))).toMatchObject({
      name: 'TopupResponseError',
      code: 'INVALID_RESPONSE',
      operation,
      retryable: false,
    });
  });

  it('names the JSON path, the received and the expected type', async () => {
    const error = await rejection(clientOf('strict', wrongList()).games.list());

    expect(error).toMatchObject({
      path: '$.games[0].title',
      message: expect.stringMatching(/integer at \$\.games\[0\]\.title.*string/),
      status: 200,
      attempts: 1,
    });
  });

  it('shows no value of the response in the message, but keeps the body', async () => {
    const error = await rejection(clientOf('strict', wrongList()).games.list());

    expect(JSON.stringify(error) + String(error)).not.toContain('6281234567890');
    expect(error).toMatchObject({ body: wrongList() });
  });

  it('reports that the order was created, and sends it once', async () => {
    const fetch = vi.fn(responding(201, { success: true, orderId: 'INV-1' }));
    const client = createTopupClient({ baseUrl, fetch, validation: 'strict', idempotency: 'supported' });

    const error = await rejection(client.orders.create(orderRequest, { idempotencyKey: 'cart-17' }));

    expect(error).toMatchObject({
      code: 'INVALID_RESPONSE',
      idempotencyKey: 'cart-17',
      body: { orderId: 'INV-1' },
      message: expect.stringMatching(/order was created/),
    });
    expect(fetch).toHaveBeenCalledTimes(1);
  });

  it('does not mention an order if the call placed none', async () => {
    const error = await rejection(clientOf('strict', wrongList()).games.list());

    expect(error).toMatchObject({ message: expect.not.stringContaining('order was created') });
  });

  it('keeps the error of an error response unchanged', async () => {
    const fetch = responding(422, { anything: 1 });
    const client = createTopupClient({ baseUrl, fetch, validation: 'strict' });

    expect(await rejection(client.orders.create(orderRequest))).toMatchObject({ name: 'TopupHttpError' });
  });
});

describe("validation: 'warn'", () => {
  it.each<TopupClientOptions['validation']>(['warn', undefined])(
    'returns the response and logs the difference (%s)',
    async (validation) => {
      const logger = spyLogger();

      expect(await clientOf(validation, wrongList(), { logger }).games.list()).toEqual(wrongList());
      expect(logger.warn.mock.calls).toEqual([
        [
          'topup-sdk: the response does not match the contract',
          {
            operation: 'listGames',
            path: '$.games[0].title',
            expected: expect.stringMatching(/string$/),
            received: expect.stringMatching(/integer$/),
          },
        ],
      ]);
    },
  );

  describe('without a logger', () => {
    let written: MockInstance<typeof console.warn>;
    beforeEach(() => {
      written = vi.spyOn(console, 'warn').mockImplementation(() => {});
    });
    afterEach(() => void vi.restoreAllMocks());

    it('returns the response and warns on the console', async () => {
      expect(await clientOf(undefined, wrongList()).games.list()).toEqual(wrongList());

      expect(written.mock.calls).toEqual([
        [expect.stringMatching(/listGames: integer at \$\.games\[0\]\.title instead of string/)],
      ]);
      expect(String(written.mock.calls)).not.toContain('6281234567890');
    });

    it('warns once per client and kind of difference', async () => {
      const second = createSamples().listGames;
      Object.assign(second.games[1] ?? {}, { title: 7 });
      const other = createSamples().listGames;
      Object.assign(other.games[0] ?? {}, { slug: 7 });
      const bodies = [wrongList(), wrongList(), second, other];
      const fetch = async () => Response.json(bodies.shift());
      const client = createTopupClient({ baseUrl, fetch });

      for (let calls = 0; calls < 4; calls += 1) await client.games.list();
      expect(written).toHaveBeenCalledTimes(2);

      await clientOf('warn', wrongList()).games.list();
      expect(written).toHaveBeenCalledTimes(3);
    });

    it.each<Partial<TopupClientOptions>>([{ validation: 'off' }, { logLevel: 'error' }])(
      'does not warn with %o',
      async (options) => {
        await clientOf(undefined, wrongList(), options).games.list();

        expect(written).not.toHaveBeenCalled();
      },
    );
  });

  it('logs nothing when warnings are off', async () => {
    const logger = spyLogger();

    await clientOf('warn', wrongList(), { logger, logLevel: 'error' }).games.list();

    expect(logger.warn).not.toHaveBeenCalled();
  });
});

describe("validation: 'off'", () => {
  it("does not validate responses with validation: 'off'", async () => {
    const logger = spyLogger();

    const response = await clientOf('off', wrongList(), { logger, logLevel: 'debug' }).games.list();

    expect(response).toEqual(wrongList());
    expect(logger.warn).not.toHaveBeenCalled();
  });
});

describe('any other validation', () => {
  it.each(['loose', '', null, true])('rejects any other validation: %j', (validation) => {
    // @ts-expect-error no such mode
    expect(() => createTopupClient({ baseUrl, validation })).toThrow(
      expect.objectContaining({
        name: 'TopupUsageError',
        code: 'INVALID_OPTION',
        message: expect.stringContaining('validation'),
      }),
    );
  });
});
