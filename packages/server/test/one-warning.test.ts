import { expect, it } from 'vitest';
import { hurryWaits } from '../../../test/hurry.ts';
import { callbackGateway, signed } from '../../core/test/helpers/providers.ts';
import { startLogged } from './helpers/log.ts';
import { postOrder } from './helpers/orders.ts';

const warn = 40;

hurryWaits();

it('warns once about a wrong payment, however often the gateway reports it', async () => {
  const clock = { now: Date.now() };
  const { gateway, asked, control } = callbackGateway();
  const { server, lines } = await startLogged({}, { gateway, realClock: () => clock.now });
  await using _server = server;
  const response = await postOrder(server.baseUrl);
  const { orderId, data } = await response.json();
  const paid = { status: 'paid', amount: data.total_price - 1, at: clock.now } as const;
  control.report = async () => paid;

  // The gateway sends its callback three times, and is then asked until the order expires and for a day afterwards.
  const event = { reference: data.payment_reference, orderId, report: paid, confirm: false };
  const { headers, body } = signed(JSON.stringify(event));
  const send = () =>
    fetch(new URL('/callback/paygate', server.localUrl), {
      method: 'POST',
      headers,
      body: new TextDecoder().decode(body),
    });
  for (let count = 0; count < 3; count += 1) expect((await send()).status).toBe(200);
  for (const minutes of [1, 2, 4, 8, 16, 32, 64]) {
    clock.now += minutes * 60_000;
    const before = asked.length;
    await expect.poll(() => asked.length, { timeout: 5_000 }).toBeGreaterThan(before);
  }
  const warnings = () => lines().filter(({ level }) => Number(level) >= warn);
  await expect.poll(() => warnings().length, { timeout: 10_000 }).toBeGreaterThan(0);
  expect(asked.length).toBeGreaterThan(6);
  expect(warnings()).toMatchObject([
    { alert: 'money-without-an-order', count: 1, runbook: 'docs/runbook.md#money-without-an-order' },
  ]);
  // What happened is in the log all the same: one line of the payment, and one of each callback.
  const reported = lines('a payment event was applied').filter(({ level }) => Number(level) >= 30);
  expect(reported).toMatchObject([{ order: orderId, amount: paid.amount, outcome: 'reconciliation' }]);
  expect(lines('a callback was handled')).toHaveLength(3);
}, 40_000);
