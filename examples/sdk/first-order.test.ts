import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readConfig, startServer } from '@topup-kit/server';
import { expect, it, vi } from 'vitest';
import { hurriedClock } from '../../test/hurry.ts';
import { runScript } from './helpers/run-script.ts';

it('lists the games, places an order, waits, and prints Sukses after Pay is pressed in first-order.ts', async () => {
  await using server = await startServer(
    readConfig({ TOPUP_MODE: 'sandbox', TOPUP_STORE: 'memory:', PORT: '0' }),
    { realClock: hurriedClock() },
  );
  const { output, ended } = runScript({ TOPUP_BASE_URL: server.baseUrl });

  const paymentPage = await vi.waitFor(() => {
    expect(output.stdout).toMatch(/^\d+ games, the first is /);
    return String(/INV-\d{14}-[A-Z]{8}: 40000 to pay at (http\S+)/.exec(output.stdout)?.[1] ?? expect.fail());
  }, 10_000);
  const pressed = await fetch(`${paymentPage}/pay`, {
    method: 'POST',
    headers: { 'Sec-Fetch-Site': 'same-origin' },
  });
  expect(pressed.ok).toBe(true);

  expect(await ended).toEqual({ code: 0 });
  expect(output.stderr).toBe('');
  expect(output.stdout).toMatch(/PAID \/ Sukses\n$/);
});

it('places an order with the unchanged first-order.ts at a server that has only the two documented routes', async () => {
  let orders = 0;
  const server = createServer((request, response) => {
    const respond = (status: number, body: object): void => {
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    };
    if (request.url === '/shop/v1/games') {
      return respond(200, {
        success: true,
        games: [{ id: 3, slug: 'free-fire', title: 'Free Fire' }],
        populerGames: [],
      });
    }
    if (request.method === 'POST' && request.url === '/shop/v1/order') {
      orders += 1;
      const data = { order_id: 'INV-9-ABCDEFGH', total_price: 40_000, payment_url: 'https://pay.example/9' };
      return respond(201, { success: true, message: 'OK', orderId: 'INV-9-ABCDEFGH', data });
    }
    respond(404, { message: 'Not Found' });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // Safe: a server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo;

  const { output, ended } = runScript({
    TOPUP_BASE_URL: `http://127.0.0.1:${port}/shop/v1`,
    TOPUP_API_KEY: 'k',
  });
  const end = await ended;
  server.close();

  expect(output.stdout).toBe(
    '1 games, the first is Free Fire\nINV-9-ABCDEFGH: 40000 to pay at https://pay.example/9\n',
  );
  expect(orders).toBe(1);
  // This server has no route for the state of an order, and the script reports this.
  expect(end).toEqual({ code: 1 });
  expect(output.stderr).toContain('has no state of INV-9-ABCDEFGH (404 NOT_FOUND): no route for it');
});
