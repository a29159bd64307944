import { createTopupClient } from '@topup-kit/sdk';
import { describe, expect, it } from 'vitest';
import { baseUrl, recording, rejection } from './responses.ts';

describe('path parameters', () => {
  it('fills the path of each operation', async () => {
    const { fetch, requests } = recording();
    const client = createTopupClient({ baseUrl, fetch });

    await client.games.get('mobile-legends');
    await client.checkout.get('mobile-legends');
    await client.invoices.get('INV-1-ABCDEFGH');
    await client.invoices.paymentStatus('INV-1-ABCDEFGH');

    expect(requests.map((request) => `${request.method} ${new URL(request.url).pathname}`)).toEqual([
      'GET /api/games/mobile-legends',
      'GET /api/order/mobile-legends',
      'GET /api/invoice/INV-1-ABCDEFGH',
      'GET /api/invoice/INV-1-ABCDEFGH/payment-status',
    ]);
  });

  it.each([
    ['a/b?c#d e', '/api/games/a%2Fb%3Fc%23d%20e'],
    ['../order', '/api/games/..%2Forder'],
    ['%2e%2e', '/api/games/%252e%252e'],
    ['$&', '/api/games/%24%26'],
  ])('keeps %s in a single path segment', async (slug, pathname) => {
    const { fetch, requests } = recording();

    await createTopupClient({ baseUrl, fetch }).games.get(slug);

    expect(new URL(requests[0]?.url ?? '').pathname).toBe(pathname);
  });

  it.each(['', ' ', '.', '..', '\ud800'])('rejects %j before anything is sent', async (orderId) => {
    const { fetch, requests } = recording();
    const client = createTopupClient({ baseUrl, fetch });

    expect(await rejection(client.invoices.get(orderId))).toMatchObject({
      name: 'TopupUsageError',
      code: 'INVALID_PATH_PARAMETER',
      operation: 'getInvoice',
    });
    expect(requests).toHaveLength(0);
  });
});
