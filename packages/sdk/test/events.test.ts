import { createMockService } from '@topup-kit/mock/in-process';
import { createTopupClient } from '@topup-kit/sdk';
import { expect, it } from 'vitest';
import { createTopupProxy } from '../src/proxy/index.ts';
import { orderRequest } from './package/helpers/consumer.ts';
import { baseUrl, rejection, responding } from './responses.ts';

it('lists events after a cursor, and passes strict validation', async () => {
  const mock = createMockService();
  const client = createTopupClient({
    ...{ baseUrl: mock.baseUrl, apiKey: mock.apiKey, validation: 'strict' },
    fetch: async (request: Request) => mock.fetch(request),
  });
  const { data: none, next_cursor: after } = await client.events.list();
  expect(none).toEqual([]);
  const { orderId } = await client.orders.create(orderRequest);
  const { data } = await client.events.list({ after, limit: 10 });
  expect(data.map((event) => [event.type, event.data.order.order_id])).toEqual([['order.created', orderId]]);
});

it('rejects events.list with a 404 if the service lacks the route', async () => {
  const client = createTopupClient({ baseUrl, fetch: responding(404, { message: 'Not Found' }) });
  expect(await rejection(client.events.list())).toMatchObject({ name: 'TopupHttpError', status: 404 });
});

it('offers no list of events through a proxy, because the list contains the orders of all customers', () => {
  const routes = ['listEvents'] as never; // Safe: the value must be rejected.
  expect(() => createTopupProxy({ baseUrl, basePath: '/api', apiKey: 'tk_test_x', routes })).toThrow(
    /routes must be/,
  );
});
