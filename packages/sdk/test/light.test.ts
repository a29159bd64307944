import { isTopupError as isTopupErrorOfMain } from '@topup-kit/sdk';
import * as light from '@topup-kit/sdk/light';
import { describe, expect, it, vi } from 'vitest';
import { baseUrl, orderRequest, recording, rejection, responding } from './responses.ts';
import { delivered, orderId, scripted } from './status-service.ts';

const { createTopupClient, isTopupError } = light;
const main = await import('@topup-kit/sdk');

describe('the light entry', () => {
  it('exports the same values as the main entry', () => {
    expect(Object.keys(light).sort()).toEqual(Object.keys(main).sort());
  });

  it('offers the resources of the main entry', () => {
    const namesOf = (client: object) =>
      Object.entries(client).map(([name, resource]) => [name, Object.keys(resource)]);

    expect(namesOf(createTopupClient({ baseUrl }))).toEqual(namesOf(main.createTopupClient({ baseUrl })));
  });

  it('returns invalid responses without a warning', async () => {
    const logger = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() };
    const body = { success: true, games: 'none' };

    const client = createTopupClient({ baseUrl, fetch: responding(200, body), logger });

    expect(await client.games.list()).toEqual(body);
    expect(logger.warn).not.toHaveBeenCalled();
  });

  it('sends an order with its key', async () => {
    const { fetch, requests } = recording();
    const client = createTopupClient({ baseUrl, fetch, apiKey: 'tk_test_1' });

    const order = await client.orders.create(orderRequest, { idempotencyKey: 'cart-17' });

    expect(requests[0]?.headers.get('X-API-KEY')).toBe('tk_test_1');
    expect(requests[0]?.headers.get('Idempotency-Key')).toBe('cart-17');
    expect(order.idempotencyKey).toBe('cart-17');
  });

  it('rejects a body that is not JSON, even without validation', async () => {
    const client = createTopupClient({ baseUrl, fetch: async () => new Response('<p>') });

    expect(await rejection(client.games.list())).toMatchObject({ code: 'NOT_JSON' });
  });

  it('throws the same errors, which isTopupError of both entries accepts', async () => {
    const error = await rejection(createTopupClient({ baseUrl, fetch: responding(401, {}) }).games.list());

    expect(isTopupError(error, 'UNAUTHORIZED')).toBe(true);
    expect(isTopupErrorOfMain(error, 'UNAUTHORIZED')).toBe(true);
  });

  it('waits for orders', async () => {
    const client = createTopupClient({ baseUrl, fetch: scripted([delivered]).fetch });

    expect(await client.orders.waitFor(orderId)).toMatchObject({ outcome: 'delivered' });
  });
});
