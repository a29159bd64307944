import { responseSchemas } from '@topup-kit/core/contract';
import { expectAt, expectStatus, expectThat, readAt } from '../../assertions.ts';
import type { Topic } from '../../case.ts';
import type { Citation } from '../../failure.ts';
import { placeOrder } from '../../orders.ts';

const route: Citation = 'open-points Routes/GET-orders';

export const orderListCases: Topic = [
  {
    name: 'the orders of the account are listed, the newest first, in pages',
    cites: [route],
    needs: 'writes',
    async run(probe) {
      const older = (await placeOrder(probe)).order;
      const newer = (await placeOrder(probe)).order;
      const first = await probe.get('/orders?limit=1');
      expectStatus(first, 200, route);
      const page = readAt(probe, first, { schema: responseSchemas.listOrders, rows: () => route });
      expectThat(page.data.length === 1 && page.next_cursor !== null, {
        response: first,
        path: 'data',
        expected: 'one order and a next_cursor',
        by: route,
      });
      const listed = await probe.get('/orders?limit=100');
      const { data } = readAt(probe, listed, { schema: responseSchemas.listOrders, rows: () => route });
      const ids = data.map(({ order_id }) => order_id);
      expectThat(ids.includes(newer.order_id) && ids.includes(older.order_id), {
        response: listed,
        path: 'data',
        expected: `${newer.order_id} and ${older.order_id}`,
        by: route,
      });
      const times = data.map(({ created_at }) => Date.parse(created_at));
      expectThat(
        times.every((time, index) => index === 0 || time <= (times[index - 1] ?? time)),
        { response: listed, path: 'data', expected: 'the newest first', by: route },
      );
    },
  },
  {
    name: 'an order is found by its idempotency key',
    cites: [route],
    needs: 'writes',
    async run(probe) {
      const key = `list-${(await placeOrder(probe)).order.order_id}`;
      const { order } = await placeOrder(probe, {}, { headers: { 'Idempotency-Key': key } });
      const listed = await probe.get(`/orders?idempotency_key=${key}`);
      expectStatus(listed, 200, route);
      expectAt(listed, 'data.0.order_id', order.order_id, route);
      expectAt(listed, 'next_cursor', null, route);
    },
  },
  {
    name: 'a list of orders rejects what it does not know',
    cites: [route],
    needs: 'reads',
    async run({ get }) {
      for (const query of ['limit=0', 'limit=101', 'payment_status=nothing', 'cursor=nothing'])
        expectStatus(await get(`/orders?${query}`), 422, route);
    },
  },
];
