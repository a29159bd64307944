import { responseSchemas } from '@topup-kit/core/schemas';
import { expectAt, expectStatus, expectThat, readAt } from '../../assertions.ts';
import type { SpecReference } from '../../failure.ts';
import { placeOrder } from '../../orders.ts';
import { reads, type Topic, writes } from '../../probe.ts';

const route: SpecReference = 'open-points Routes/GET-orders';

/** Maximum number of pages to read, because other orders may be placed in the same second. */
const mostPages = 50;

export const orderListCases: Topic = {
  'the orders of the account are listed, the newest first, in pages': writes([route], async (probe) => {
    const older = (await placeOrder(probe)).order;
    const newer = (await placeOrder(probe)).order;
    const first = await probe.get('/orders?limit=1');
    expectStatus(first, 200, route);
    const page = readAt(probe, first, { schema: responseSchemas.listOrders, rows: () => route });
    expectThat(
      page.data.length === 1 && page.next_cursor !== null,
      first,
      'data',
      'one order and a next_cursor',
      route,
    );
    const missing = new Set([older.order_id, newer.order_id]);
    let newest = Number.POSITIVE_INFINITY;
    for (let cursor = '', pages = 0; missing.size > 0 && pages < mostPages; pages += 1) {
      const response = await probe.get(`/orders?limit=100${cursor}`);
      const { data, next_cursor } = readAt(probe, response, {
        schema: responseSchemas.listOrders,
        rows: () => route,
      });
      for (const { order_id, created_at } of data) {
        missing.delete(order_id);
        const isSorted = Date.parse(created_at) <= newest;
        expectThat(isSorted, response, 'data', 'the newest first', route);
        newest = Date.parse(created_at);
      }
      const isLast = next_cursor === null || pages + 1 === mostPages;
      const expected = `also ${[...missing].join(' and ')}`;
      expectThat(missing.size === 0 || !isLast, response, 'data', expected, route);
      cursor = `&cursor=${next_cursor}`;
    }
  }),
  'an order is found by its idempotency key': writes([route], async (probe) => {
    const key = `list-${(await placeOrder(probe)).order.order_id}`;
    const { order } = await placeOrder(probe, {}, { headers: { 'Idempotency-Key': key } });
    const listed = await probe.get(`/orders?idempotency_key=${key}`);
    expectStatus(listed, 200, route);
    expectAt(listed, 'data.0.order_id', order.order_id, route);
    expectAt(listed, 'next_cursor', null, route);
  }),
  'a list of orders rejects what it does not know': reads([route], async ({ get }) => {
    for (const query of ['limit=0', 'limit=101', 'payment_status=nothing', 'cursor=nothing'])
      expectStatus(await get(`/orders?${query}`), 422, route);
  }),
};
