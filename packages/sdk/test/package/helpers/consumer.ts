import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createMockService } from '@topup-kit/mock';
import { clientProject } from '../../../../../test/shared.ts';

/** The order of the test consumers. */
export const orderRequest = {
  id: '12345678',
  server: '2012',
  game: 'mobile-legends',
  product_id: 901,
  payment_method_id: 12,
  whatsapp: '081234567890',
};

/** Creates a folder with these files in the project that has the packed package. */
export async function consumer(files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(await clientProject(), 'consumer-'));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
}

/** The service's responses to the two documented routes, as JSON: `{ games, order }`. */
export async function readyResponses(): Promise<string> {
  const { baseUrl, apiKey, fetch } = createMockService();
  const headers = { 'X-API-KEY': apiKey, 'Content-Type': 'application/json' };
  const games = await fetch(`${baseUrl}/games`, { headers });
  const order = await fetch(`${baseUrl}/order`, {
    headers,
    method: 'POST',
    body: JSON.stringify(orderRequest),
  });
  return JSON.stringify({ games: await games.json(), order: await order.json() });
}

/** A function for any runtime that lists games, places an order, waits for it and gets an error, with an injected fetch. */
export const firstOrder = `
async function firstOrder({ createTopupClient, isTopupError }, responses) {
  const fetch = async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === '/api/games') return Response.json(responses.games);
    if (pathname === '/api/order') return Response.json(responses.order, { status: 201 });
    if (pathname.endsWith('/payment-status')) return Response.json({ success: true, data: delivered });
    return Response.json({ success: false, message: 'Tidak ditemukan.' }, { status: 404 });
  };
  const delivered = { order_id: responses.order.orderId, payment_status: 'PAID', buy_status: 'Sukses', expired_time: 0 };
  const client = createTopupClient({ baseUrl: 'http://shop.test/api', fetch });
  const { games } = await client.games.list();
  const { orderId } = await client.orders.create(${JSON.stringify(orderRequest)});
  const { outcome } = await client.orders.waitFor(orderId);
  const error = await client.invoices.get('INV-0').catch((error) => error);
  return {
    listed: games.length === responses.games.games.length,
    ordered: orderId === responses.order.orderId,
    outcome,
    refused: isTopupError(error, 'NOT_FOUND'),
  };
}
`;

/** The result of `firstOrder` on success. */
export const firstOrderSeen = { listed: true, ordered: true, outcome: 'delivered', refused: true };
