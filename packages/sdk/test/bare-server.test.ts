import { createTopupClient, type Fetch } from '@topup-kit/sdk';
import { describe, expect, it } from 'vitest';
import { baseUrl, orderRequest, rejection } from './responses.ts';

/** A server with only the interface's two routes, without extensions, and with unknown fields and states. */
const bareServer: Fetch = async (request) => {
  if (request.headers.get('X-API-KEY') !== 'secret') return Response.json({ message: 'No' }, { status: 401 });
  const { pathname } = new URL(request.url);
  if (request.method === 'GET' && pathname === '/api/games') {
    return Response.json({ success: true, games: [{ id: 11, slug: 'mobile-legends' }], populerGames: [] });
  }
  if (request.method === 'POST' && pathname === '/api/order') {
    const data = { order_id: 'INV-1-ABCDEFGH', payment_status: 'WAITING', reseller: { id: 3 } };
    return Response.json({ success: true, message: 'OK', orderId: 'INV-1-ABCDEFGH', data }, { status: 201 });
  }
  return new Response('<h1>Not Found</h1>', { status: 404, headers: { 'Content-Type': 'text/html' } });
};

describe('a server with only the two specified routes', () => {
  const client = createTopupClient({ baseUrl, apiKey: 'secret', fetch: bareServer });

  it('lists games at a server with only the two specified routes', async () => {
    expect(await client.games.list()).toEqual({
      success: true,
      games: [{ id: 11, slug: 'mobile-legends' }],
      populerGames: [],
    });
  });

  it('creates an order, and keeps unknown fields and states', async () => {
    expect(await client.orders.create(orderRequest)).toEqual({
      success: true,
      message: 'OK',
      orderId: 'INV-1-ABCDEFGH',
      data: { order_id: 'INV-1-ABCDEFGH', payment_status: 'WAITING', reseller: { id: 3 } },
    });
  });

  it('reports a missing route', async () => {
    expect(await rejection(client.invoices.get('INV-1-ABCDEFGH'))).toMatchObject({
      code: 'NOT_FOUND',
      status: 404,
    });
  });
});
