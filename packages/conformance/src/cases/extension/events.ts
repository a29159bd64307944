import { responseSchemas } from '@topup-kit/core/schemas';
import { expectStatus, expectThat, readAt } from '../../assertions.ts';
import type { SpecReference } from '../../failure.ts';
import { placeOrder } from '../../orders.ts';
import { type Probe, reads, type Topic, writes } from '../../probe.ts';

const route: SpecReference = 'open-points Routes/GET-events';

/** Maximum number of pages to read, because other orders may be placed meanwhile. */
const mostPages = 50;

async function read(probe: Probe, query: string) {
  const response = await probe.get(`/events${query}`);
  expectStatus(response, 200, route);
  return {
    response,
    page: readAt(probe, response, { schema: responseSchemas.listEvents, rows: () => route }),
  };
}

export const eventCases: Topic = {
  'an order that is placed is an event after the cursor of the moment before': writes(
    [route],
    async (probe) => {
      const { response, page } = await read(probe, '');
      const expected = 'no events without a cursor';
      expectThat(page.data.length === 0, response, 'data', expected, route);
      const { order } = await placeOrder(probe);
      for (let cursor = page.next_cursor, pages = 1; ; pages += 1) {
        const next = await read(probe, `?limit=100&after=${encodeURIComponent(cursor)}`);
        const isThere = next.page.data.some(
          ({ type, data }) => type === 'order.created' && data.order.order_id === order.order_id,
        );
        if (isThere) return;
        cursor = next.page.next_cursor;
        expectThat(
          next.page.data.length > 0 && pages < mostPages,
          next.response,
          'data',
          `order.created of ${order.order_id}`,
          route,
        );
      }
    },
  ),
  'a list of events rejects what it does not know': reads([route], async ({ get }) => {
    for (const query of ['limit=0', 'limit=101', 'after=nothing'])
      expectStatus(await get(`/events?${query}`), 422, route);
  }),
};
