import { createTopupClient, type TopupClient } from '@topup-kit/sdk';
import { createTopupClient as createLightClient } from '@topup-kit/sdk/light';
import { describe, expect, it, vi } from 'vitest';
import { baseUrl, orderRequest, rejection, responding } from './responses.ts';
import { createSamples } from './validation/samples.ts';

type Options = Parameters<typeof createLightClient>[0];

const clients: [string, (options: Options) => TopupClient][] = [
  ['strict', (options) => createTopupClient({ ...options, validation: 'strict' })],
  ['warn', (options) => createTopupClient({ ...options, validation: 'warn' })],
  ['off', (options) => createTopupClient({ ...options, validation: 'off' })],
  ['none, of the light entry', createLightClient],
];

const sample = createSamples().createOrder;
const { orderId, data, ...rest } = sample;
const { order_id, ...dataWithoutId } = data;

describe.each(clients)('the id of an order, with validation %s', (_validation, clientOf) => {
  const create = (body: object, options: Partial<Options> = {}) => {
    const fetch = vi.fn(responding(201, body));
    const client = clientOf({ baseUrl, fetch, ...options });
    return { fetch, call: client.orders.create(orderRequest, { idempotencyKey: 'cart-17' }) };
  };

  it('reads the id from orderId', async () => {
    expect(await create(sample).call).toEqual(sample);
  });

  it.each<[string, object]>([
    ['missing', { ...rest, data }],
    ['null', { ...rest, orderId: null, data }],
    ['a number', { ...rest, orderId: 17, data }],
    ['empty', { ...rest, orderId: '', data }],
  ])('reads data.order_id when orderId is %s', async (_case, body) => {
    expect(await create(body).call).toEqual({ ...sample, orderId: order_id });
  });

  it.each<[string, object]>([
    ['nothing', {}],
    ['only success', { success: true }],
    ['no id', { ...rest, data: dataWithoutId }],
    ['numbers as ids', { ...rest, orderId: 17, data: { ...data, order_id: 17 } }],
    ['empty ids', { ...rest, orderId: '', data: { ...data, order_id: '' } }],
    ['data that is null', { ...rest, data: null }],
  ])('leaves the id and the outcome unknown for a response with %s', async (_case, body) => {
    const { fetch, call } = create(body, { idempotency: 'supported' });

    expect(await rejection(call)).toMatchObject({
      name: 'TopupUnknownOutcomeError',
      idempotencyKey: 'cart-17',
      attempts: 1,
      cause: {
        name: 'TopupResponseError',
        code: 'INVALID_RESPONSE',
        path: '$.orderId',
        retryable: false,
        status: 201,
        body,
      },
    });
    expect(fetch).toHaveBeenCalledTimes(1);
  });

  it.each([false, 0, '', '0', 'false'])('requires no id when success is %j', async (success) => {
    const { call } = create({ ...rest, success, data: dataWithoutId });

    expect(await rejection(call)).toMatchObject({ name: 'TopupHttpError', code: 'REJECTED', status: 201 });
  });

  it.each<[string, object]>([
    ['orderId', { success: false, orderId }],
    ['data.order_id', { success: 0, data: { order_id } }],
  ])('leaves the outcome unknown for an error: %s', async (_case, body) => {
    const { fetch, call } = create(body);

    expect(await rejection(call)).toMatchObject({
      name: 'TopupUnknownOutcomeError',
      attempts: 1,
      cause: { name: 'TopupResponseError', code: 'INVALID_RESPONSE', path: '$.orderId', body },
    });
    expect(fetch).toHaveBeenCalledTimes(1);
  });

  it('hides the API key that is quoted in a response without an id', async () => {
    const { call } = create({ success: true, note: 'of tk_test_canary' }, { apiKey: 'tk_test_canary' });

    expect(await rejection(call)).toMatchObject({ cause: { body: { note: 'of [apiKey]' } } });
  });
});

describe('an order whose response has no success', () => {
  const { success: _, ...body } = sample;

  it('reports that an order without success was created', async () => {
    const client = createTopupClient({ baseUrl, fetch: responding(201, body) });

    expect(await client.orders.create(orderRequest)).toEqual(body);
  });

  it('reports that the order was created, even if strict validation rejects the response', async () => {
    const client = createTopupClient({ baseUrl, fetch: responding(201, body), validation: 'strict' });

    expect(await rejection(client.orders.create(orderRequest))).toMatchObject({
      name: 'TopupResponseError',
      code: 'INVALID_RESPONSE',
      path: '$.success',
    });
  });
});
