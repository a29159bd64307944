import { isTopupError as isTopupErrorOfMain } from '@topup-kit/sdk';
import * as light from '@topup-kit/sdk/light';
import { describe, expect, it, vi } from 'vitest';
import { answering, baseUrl, orderRequest, recording, rejection } from './responses.ts';
import { delivered, orderId, scripted } from './status-service.ts';

const { createTopupClient, isTopupError } = light;
const main = await import('@topup-kit/sdk');

describe('the light entry', () => {
  it('exports by value what the main entry does', () => {
    expect(Object.keys(light).sort()).toEqual(Object.keys(main).sort());
  });

  it('has the resources of the main entry', () => {
    const namesOf = (client: object) =>
      Object.entries(client).map(([name, resource]) => [name, Object.keys(resource)]);

    expect(namesOf(createTopupClient({ baseUrl }))).toEqual(namesOf(main.createTopupClient({ baseUrl })));
  });

  it('hands out what is not as the contract says, and warns nobody', async () => {
    const logger = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() };
    const body = { success: true, games: 'none' };

    const client = createTopupClient({ baseUrl, fetch: answering(200, body), logger });

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

  it('still refuses a body that is no JSON', async () => {
    const client = createTopupClient({ baseUrl, fetch: async () => new Response('<p>') });

    expect(await rejection(client.games.list())).toMatchObject({ code: 'NOT_JSON' });
  });

  it('fails with the same errors, known to the guards of both entries', async () => {
    const error = await rejection(createTopupClient({ baseUrl, fetch: answering(401, {}) }).games.list());

    expect(isTopupError(error, 'UNAUTHORIZED')).toBe(true);
    expect(isTopupErrorOfMain(error, 'UNAUTHORIZED')).toBe(true);
  });

  it('waits for orders', async () => {
    const client = createTopupClient({ baseUrl, fetch: scripted([delivered]).fetch });

    expect(await client.orders.waitFor(orderId)).toMatchObject({ outcome: 'delivered' });
  });
});
