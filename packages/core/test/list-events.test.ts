import { describe, expect, it } from 'vitest';
import { kitDialect } from '../src/contract/index.ts';
import { createTestService, fixtureOrder } from './helpers/test-service.ts';

type Service = Awaited<ReturnType<typeof createTestService>>;

const place = async (service: Service): Promise<string> => (await service.order(fixtureOrder)).json.orderId;

const cursorNow = async (service: Service): Promise<string> =>
  (await service.get('/events')).json.next_cursor;

const eventsAfter = (service: Service, cursor: string, more = '') =>
  service.get(`/events?after=${cursor}${more}`);

describe('GET /events', () => {
  it('starts at the present, and lists each change with a separate id', async () => {
    const service = await createTestService();
    await place(service);
    const before = await service.get('/events');
    expect([before.status, before.json.data]).toEqual([200, []]);

    const orderId = await place(service);
    const { json } = await eventsAfter(service, before.json.next_cursor);
    const { order, game, product } = (await service.get(`/invoice/${orderId}`)).json;
    expect(json).toEqual({
      success: true,
      data: [
        {
          id: expect.stringMatching(/^evt_[\da-f]{24}$/),
          type: 'order.created',
          timestamp: expect.stringMatching(/^2026-03-28T03:00:0\d\.\d{3}Z$/),
          data: { order, game, product },
        },
      ],
      next_cursor: expect.stringMatching(/^\d+$/),
    });
    expect((await eventsAfter(service, json.next_cursor)).json).toEqual({
      success: true,
      data: [],
      next_cursor: json.next_cursor,
    });
  });

  it('continues after the last event of a page', async () => {
    const service = await createTestService();
    let cursor = await cursorNow(service);
    const placed = [await place(service), await place(service), await place(service)];
    const pages: string[][] = [];
    for (let index = 0; index < 3; index++) {
      const { json } = await eventsAfter(service, cursor, '&limit=2');
      pages.push(json.data.map(({ data }: { data: { order: { order_id: string } } }) => data.order.order_id));
      cursor = json.next_cursor;
    }
    expect(pages).toEqual([placed.slice(0, 2), placed.slice(2), []]);
  });

  it("lists no events of another account's orders", async () => {
    const service = await createTestService();
    const cursor = await cursorNow(service);
    await place(service);
    const key = await service.keyOf('other');
    const other = await service.get(`/events?after=${cursor}`, { key });
    expect([other.status, other.json.data]).toEqual([200, []]);
    expect(Number(other.json.next_cursor)).toBeGreaterThan(Number(cursor));
  });

  it.each(['limit=0', 'limit=101', 'limit=x', 'after=nothing', 'after=-1', 'after=1e3'])(
    'rejects the request for events: %s',
    async (query) => {
      const service = await createTestService();
      const { status, json } = await service.get(`/events?${query}`);
      expect([status, Object.keys(json.errors)]).toEqual([422, [query.split('=')[0]]]);
    },
  );

  it('rejects an unknown cursor, such as a cursor of a lost store', async () => {
    const service = await createTestService();
    await place(service);
    const cursor = await cursorNow(service);
    expect((await eventsAfter(service, cursor)).status).toBe(200);
    expect((await eventsAfter(service, String(Number(cursor) + 1))).status).toBe(422);
  });

  it.each(['after=', 'cursor=evt', 'limit=5&limit=6'])('rejects the query for events: %s', async (query) => {
    const { get } = await createTestService();
    expect((await get(`/events?${query}`)).status).toBe(422);
  });

  it('offers no route in a dialect without a list of events', async () => {
    const routes = { ...kitDialect.routes, listEvents: false };
    const service = await createTestService({ settings: { dialect: { ...kitDialect, routes } } });
    expect((await service.get('/events')).status).toBe(404);
  });
});
