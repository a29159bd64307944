import { createTopupClient, type TopupClient } from '@topup-kit/sdk';
import { describe, expect, it } from 'vitest';
import { entries } from './entries.ts';
import { baseUrl, orderRequest, recording, rejection } from './responses.ts';

const refusal = (option: string, meant: string) =>
  expect.objectContaining({
    name: 'TopupUsageError',
    code: 'INVALID_OPTION',
    message: expect.stringMatching(new RegExp(`${option}\\b.*Did you mean ${meant}\\?`)),
  });

describe.each(entries)('an unknown option of a client of %s', (_entry, create) => {
  it.each([
    ['baseURL', 'baseUrl'],
    ['apikey', 'apiKey'],
    ['retries', 'maxRetries'],
    ['timeOut', 'timeout'],
    ['maxRetires', 'maxRetries'],
    ['tiemout', 'timeout'],
  ])('rejects %s, and suggests %s', (option, meant) => {
    expect(() => create({ baseUrl, [option]: 'x' })).toThrow(refusal(option, meant));
  });

  it('rejects an unfamiliar name, and lists all known names', () => {
    // @ts-expect-error no such option
    expect(() => create({ baseUrl, token: 'tk_live_canary' })).toThrow(
      expect.objectContaining({ message: expect.stringMatching(/^(?!.*canary).*token.*baseUrl, apiKey/) }),
    );
  });

  it('rejects an unknown hook', () => {
    const hooks = { onrequest: () => {} };

    expect(() => create({ baseUrl, hooks: { onRetry() {}, ...hooks } })).toThrow(
      refusal('onrequest', 'onRequest'),
    );
  });
});

it('accepts validation in the main entry only', () => {
  expect(() => createTopupClient({ baseUrl, validation: 'off' })).not.toThrow();
  expect(() => createTopupClient({ baseUrl, ...{ validaton: 'off' } })).toThrow(
    refusal('validaton', 'validation'),
  );
});

describe('an unknown option of a call', () => {
  it.each<[string, (client: TopupClient) => Promise<unknown>, option: string, meant: string]>([
    [
      'a promo',
      (client) => client.promos.validate({ ...promo }, { timeout: 1, ...{ header: {} } }),
      'header',
      'headers',
    ],
    [
      'an order',
      (client) => client.orders.create(orderRequest, { timeout: 1, ...{ idempotencykey: 'cart-17' } }),
      'idempotencykey',
      'idempotencyKey',
    ],
    [
      'a wait',
      (client) => client.orders.waitFor('INV-1', { timeout: 1, ...{ onupdate() {} } }),
      'onupdate',
      'onUpdate',
    ],
    [
      'any route',
      (client) => client.request('GET', '/x', { timeout: 1, ...{ shema: 1 } }),
      'shema',
      'schema',
    ],
  ])('rejects the option before anything is sent: %s', async (_case, call, option, meant) => {
    const { fetch, requests } = recording();

    expect(await rejection(call(createTopupClient({ baseUrl, fetch })))).toEqual(refusal(option, meant));
    expect(requests).toEqual([]);
  });

  it.each([
    ['timeuot', 'timeout'],
    ['maxRetires', 'maxRetries'],
    ['header', 'headers'],
  ])('rejects a misspelt option even for a read: %s', async (option, meant) => {
    const { fetch, requests } = recording();
    const { list } = createTopupClient({ baseUrl, fetch }).games;

    expect(await rejection(list({ timeout: 1, [option]: 1 }))).toEqual(refusal(option, meant));
    expect(requests).toEqual([]);
  });

  it('ignores an unfamiliar option for a read, so that a callback can pass its own context', async () => {
    const { fetch, requests } = recording();
    const { list } = createTopupClient({ baseUrl, fetch, maxRetries: 0 }).games;
    const context = {
      ...{ queryKey: ['games'], meta: undefined, pageParam: 1, direction: 'forward', client: {} },
      signal: new AbortController().signal,
    };
    await list(context).catch(() => {});
    expect(requests).toHaveLength(1);
  });
});

const promo = { code: 'RAMADAN10', game_slug: 'mobile-legends', product_id: 901, payment_method_id: 12 };
