import { afterEach, expect, it, vi } from 'vitest';
import { createMockService, type StepsFile } from '../src/index.ts';
import { shopOf } from './helpers/shop.ts';

afterEach(() => {
  vi.useRealTimers();
});

it('plays a file of steps, as an object or as its text', async () => {
  const mock = createMockService();
  const seen: string[] = [];
  mock.webhooks.on(({ type }) => seen.push(type));
  const file: StepsFile = {
    steps: [
      { do: 'snapshot', as: 'empty' },
      { do: 'trigger', event: 'order.created', quantity: 2, as: 'first' },
      { do: 'pay', order: '$first' },
      { do: 'advance', by: '2s' },
      { do: 'expect-order', order: '$first', state: 'PAID / Sukses', quantity: 2 },
      { do: 'expect-webhooks', type: 'order.delivered', order: '$first', times: 1 },
      { do: 'expect-requests', times: 0 },
    ],
  };
  const { steps, names } = await mock.play(file);
  expect(steps).toBe(7);
  expect(await shopOf(mock).state(String(names.first))).toBe('PAID / Sukses');
  expect(seen).toContain('order.delivered');
  expect(await mock.play('{ "steps": [{ "do": "restore", "id": 1 }] }')).toEqual({ steps: 1, names: {} });
  expect((await shopOf(mock).ask(`/invoice/${names.first}`)).status).toBe(404);
});

it('continues in a new world after a reset', async () => {
  const mock = createMockService();
  mock.faults.add({ error: 'GAME_CLOSED' });
  const { names } = await mock.play({
    steps: [{ do: 'reset' }, { do: 'trigger', event: 'order.paid', as: 'first' }],
  });
  expect(mock.faults.list()).toEqual([]);
  expect(await shopOf(mock).state(String(names.first))).toBe('PAID / Proses');
});

it('rejects with the number of the failed step, the expected and the actual value', async () => {
  const mock = createMockService();
  await shopOf(mock).post();
  await expect(
    mock.play({
      steps: [
        { do: 'trigger', event: 'order.paid', as: 'first' },
        { do: 'expect-order', order: '$first', state: 'PAID / Sukses' },
      ],
    }),
  ).rejects.toThrow('Step 2 (expect-order): state should be PAID / Sukses, but is PAID / Proses.');
  await mock.play({ steps: [{ do: 'expect-requests', operation: 'createOrder', status: 201, times: 1 }] });
  await expect(
    mock.play({ steps: [{ do: 'expect-requests', operation: 'createOrder', status: 422 }] }),
  ).rejects.toThrow('Step 1 (expect-requests): times should be 1 or more, but is 0.');
  await expect(mock.play('steps')).rejects.toThrow('must be valid JSON');
  await expect(mock.play({ steps: [{ do: 'restore', id: 9 }] })).rejects.toThrow('Step 1 (restore): ');
});

it('expects the events so far, without moving the clock', async () => {
  vi.useFakeTimers({ now: Date.UTC(2030, 0, 1), toFake: ['Date'] });
  const mock = createMockService();
  const { names } = await mock.play({ steps: [{ do: 'trigger', event: 'order.paid', as: 'first' }] });
  vi.setSystemTime(Date.now() + 2_000);
  const delivered = { do: 'expect-order', order: names.first, state: 'PAID / Sukses' };
  expect(await mock.play({ steps: [delivered] })).toMatchObject({ steps: 1 });
});

it('keeps the last 20 snapshots that its steps took, like a sandbox', async () => {
  const mock = createMockService();
  await mock.play({ steps: Array.from({ length: 21 }, () => ({ do: 'snapshot' })) });
  await mock.play({ steps: [{ do: 'restore', id: 2 }] });
  await expect(mock.play({ steps: [{ do: 'restore', id: 1 }] })).rejects.toThrow('Step 1 (restore)');
});
