import type { CatalogFile } from '@topup-kit/core/engine';
import { sandboxCatalog } from '@topup-kit/core/sandbox';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createMockService, type MockOptions, type MockService } from '../src/index.ts';

const order = {
  ...{ id: '12345678', server: '2012', game: 'mobile-legends', product_id: 901, payment_method_id: 12 },
  whatsapp: '081234567890',
};

let leave: () => void;
let warnings: string[];
beforeEach(() => {
  const items = new Map<string, string>();
  vi.stubGlobal('document', {});
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => items.set(key, value),
    removeItem: (key: string) => items.delete(key),
  });
  vi.stubGlobal('addEventListener', (_type: string, listener: () => void) => {
    leave = listener;
  });
  warnings = [];
  vi.spyOn(console, 'warn').mockImplementation((text) => warnings.push(text));
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** The mock of a page that is loaded, or loaded again with other options. */
const load = (options: MockOptions = {}): MockService =>
  createMockService({ ...options, persist: 'session' });

const { games, promos: _, ...rest } = sandboxCatalog('id');
const catalog = (count: number): CatalogFile => ({
  ...{ format: 'topup-kit/catalog@1', ...rest, promos: [] },
  games: games.slice(0, count),
});

describe('the state of a page that is kept when the page reloads', () => {
  it.each<[string, MockOptions, MockOptions]>([
    ['a changed catalogue', { catalog: catalog(3) }, { catalog: catalog(2) }],
    ['another language of the catalogue', {}, { locale: 'en' }],
    ['another scenario', { scenario: 'supplier-fails' }, { scenario: 'maintenance' }],
    ['a scenario that is no longer in the options', { scenario: 'supplier-fails' }, {}],
  ])('drops the state with a warning for %s', async (_, before, after) => {
    const mock = load(before);
    mock.scenarios.clear();
    const { order_id: orderId } = await mock.orders.create(order);
    leave();

    const next = load(after);
    expect(warnings).toEqual([expect.stringContaining('were dropped. The catalogue or the scenario')]);
    await expect(next.orders.pay(orderId)).rejects.toThrow('There is no order');
    expect(next.scenarios.active.map(({ name }) => name)).toEqual(after.scenario ? [after.scenario] : []);
    leave();
    load(after);
    expect(warnings).toHaveLength(1);
  });

  it('keeps the state if the options are the same', async () => {
    const { order_id: orderId } = await load({
      catalog: catalog(3),
      scenario: 'slow',
    }).orders.create(order);
    leave();

    const next = load({ catalog: catalog(3), scenario: 'slow', latency: 1 });
    expect((await next.orders.pay(orderId)).order_id).toBe(orderId);
    expect(warnings).toEqual([]);
  });
});
