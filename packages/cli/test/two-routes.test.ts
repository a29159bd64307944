import { describe, expect, it } from 'vitest';
import { fixtureOrder } from './helpers/order.ts';
import { run } from './helpers/run.ts';
import { scanLines } from './helpers/scan-qr.ts';
import { startJsonService, startService } from './helpers/servers.ts';
import { startTwoRoutes } from './helpers/two-routes.ts';

describe('a service that has only the routes of the interface', () => {
  it("stops suggesting orders watch if the service showed that it can't show orders", async () => {
    await using service = await startTwoRoutes();

    const { code, stderr } = await run([...fixtureOrder, '--base-url', service.baseUrl]);

    expect(code).toBe(0);
    expect(stderr).not.toContain('orders watch');
    expect(stderr).toContain('\nIts payment page shows its state:\n  https://shop.example/pay/1\n');
  });

  it('shows how to pay for an order with the code from the response, drawn as a QR code', async () => {
    await using service = await startTwoRoutes();

    const { stdout } = await run([...fixtureOrder, '--base-url', service.baseUrl], { columns: 80 });

    const lines = stdout.split('\n').filter((line) => /^[ ▀▄█]{20,}$/.test(line));
    expect(scanLines(lines, { drawn: 255, blank: 0 })).toBe('00020101021226570011ID.EXAMPLE');
  });

  it.each([
    ['404', 404, '{"message":"The route could not be found."}'],
    ['405', 405, '{"message":"Method Not Allowed"}'],
    ['404 as a page', 404, '<h1>Not Found</h1>'],
    ['200 as a page', 200, '<h1>Shop</h1>'],
  ])('reports for %s that the service lacks the route', async (_case, status, body) => {
    await using service = await startTwoRoutes({ status, body });
    const ask = (...args: string[]) => run([...args, '--base-url', service.baseUrl]);

    for (const args of [
      ['games', 'show', 'mobile-legends'],
      ['orders', 'show', 'INV-1'],
      ['invoices', 'status', 'INV-1'],
      ['promos', 'validate', 'X', '--game', 'a', '--product', '1', '--payment-method', '2'],
    ]) {
      const { code, stderr } = await ask(...args);
      expect(code).toBe(3);
      expect(stderr).toContain('Error: This service does not support this command: it has no ');
      expect(stderr).toContain('The interface guarantees only listing games and placing orders.');
    }
  });

  it('checks the base URL of a service without a list of games', async () => {
    await using service = await startService((_request, response) => response.end('<h1>Shop</h1>'));

    const { stderr } = await run(['games', 'list', '--base-url', service.baseUrl]);

    expect(stderr).not.toContain('offer');
  });

  it.each([
    [
      'orders',
      'INV-9',
      { success: false, message: 'Pesanan tidak ditemukan.', error_code: 'INVOICE_NOT_FOUND' },
    ],
    ['games', 'chess', { success: false, message: 'Game tidak ditemukan.', error_code: 'GAME_NOT_FOUND' }],
    ['games', 'chess', { success: false, message: 'Game tidak ditemukan.' }],
  ])('distinguishes a missing route from a missing entry: %s show %s', async (noun, id, body) => {
    await using service = await startJsonService(404, body);

    const { code, stderr } = await run([noun, 'show', id, '--base-url', service.baseUrl]);

    expect(code).toBe(3);
    expect(stderr).toMatch(/not found|tidak ditemukan/);
    expect(stderr).not.toContain('offer');
  });
});
