import { expect, it, vi } from 'vitest';
import { createMockService, type PortabilityReport } from '../src/index.ts';
import { sampleOrder, shopOf } from './helpers/shop.ts';

vi.spyOn(console, 'warn').mockImplementation(() => {});

const named = ({ findings }: PortabilityReport): string[] =>
  findings.map(({ kind, name, elsewhere, calls }) => `${kind}: ${name} (${elsewhere}, ${calls})`);

it('reports no findings for an app that reads the list and places an order', async () => {
  const mock = createMockService();
  const { ask, order } = shopOf(mock);
  await ask('/games');
  await order();
  expect(mock.portability()).toEqual({ portable: true, calls: 2, findings: [] });
});

it('lists routes that the interface does not specify', async () => {
  const mock = createMockService();
  const { ask } = shopOf(mock);
  await ask('/games/mobile-legends');
  await ask('/games/free-fire');
  await ask('/order/free-fire');
  const report = mock.portability();
  expect(report.portable).toBe(false);
  expect(named(report)).toEqual([
    'route: GET /games/{slug} (needed, 2)',
    'route: GET /order/{slug} (needed, 1)',
  ]);
});

it('lists a missing Accept', async () => {
  const mock = createMockService();
  await mock.fetch(`${mock.baseUrl}/games`, { headers: { 'X-API-KEY': mock.apiKey } });
  expect(named(mock.portability())).toEqual(['accept: Accept: application/json (needed, 1)']);
});

it('lists the alias of whatsapp', async () => {
  const mock = createMockService();
  const { whatsapp, ...rest } = sampleOrder;
  await shopOf(mock).ask('/order', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...rest, messenger_number: whatsapp }),
  });
  expect(named(mock.portability())).toEqual(['alias: messenger_number (needed, 1)']);
});

it('lists headers that another service would ignore, or not send', async () => {
  const mock = createMockService();
  const { order, post } = shopOf(mock);
  await order({}, { 'Idempotency-Key': 'one' });
  await order({}, { 'Idempotency-Key': 'one' });
  await post({ game: 'no-such-game' });
  const report = mock.portability();
  expect(report.portable).toBe(true);
  expect(named(report)).toEqual([
    'header sent: Idempotency-Key (ignored, 2)',
    'header answered: Idempotency-Replayed (ignored, 1)',
    'header answered: X-Error-Code (ignored, 1)',
  ]);
});

it('includes calls before a reset', async () => {
  const mock = createMockService();
  await shopOf(mock).ask('/games/mobile-legends');
  mock.reset();
  expect(mock.portability().calls).toBe(1);
});

it('lists a route that the service does not have', async () => {
  const mock = createMockService({ profile: 'interface-only' });
  await shopOf(mock).ask('/games/mobile-legends');
  expect(named(mock.portability())).toEqual(['route: GET /games/{slug} (needed, 1)']);
});
