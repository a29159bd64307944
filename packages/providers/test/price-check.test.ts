import { describe, expect, it } from 'vitest';
import { createProviderHttp } from '../src/http.ts';
import { createPriceCheck, type PricedList } from '../src/price-check.ts';
import { purchase, signal } from './helpers/suppliers.ts';

const minute = 60_000;
const http = createProviderHttp({ title: 'Depot', baseUrl: 'http://127.0.0.1:1', secrets: [] });

const product = (code: string, isAvailable = true) => ({
  ...{ code, price: 1, isAvailable, stock: null, isOncePerDay: false, pause: null },
});
const others = [1, 2, 3, 4].map((number) => product(`other${number}`));

/** What becomes of a purchase by the list of now. */
function start(list: PricedList) {
  const shop = { list, now: 0 };
  const prices = createPriceCheck({ http, readList: async () => shop.list, clock: () => shop.now });
  return { shop, prices, check: () => prices.check(purchase({ productCode: 'ML86' }), signal) };
}
const waits = (waitsFor: string, reason: string) =>
  expect.objectContaining({ state: 'pending', waitsFor, reason: expect.stringContaining(reason) });

describe('before a purchase', () => {
  it('fails a purchase if its product is missing in a completely readable list', async () => {
    const { check } = start({ products: others, isComplete: true });
    expect(await check()).toMatchObject({ state: 'failed', kind: 'product_unavailable' });
  });

  it('delays a purchase if its product may be in an unreadable row', async () => {
    const { check } = start({ products: others, isComplete: false });
    expect(await check()).toEqual(waits('supplier', 'no readable row has the product ML86'));
  });

  it('delays a purchase if its product is temporarily closed', async () => {
    const { check } = start({ products: [product('ML86', false)], isComplete: true });
    expect(await check()).toEqual(waits('product', 'is not available'));
  });

  it('treats an empty list as a missing list, and reports that to the reader of products', async () => {
    const { check, prices } = start({ products: [], isComplete: true });
    expect(await check()).toEqual(waits('supplier', 'its list has 0 readable products'));
    await expect(prices.readProducts(signal)).rejects.toThrow('its list has 0 readable products');
  });

  it('treats a list with less than half the products as truncated, until the last complete list is old', async () => {
    const { shop, check } = start({ products: [product('ML86'), ...others], isComplete: true });
    expect(await check()).toBeNull();
    shop.list = { products: others.slice(0, 2), isComplete: true };
    // The last list still allows it.
    for (let time = 0; time < 2; time += 1) expect(await check()).toBeNull();
    shop.now += 6 * minute;
    expect(await check()).toMatchObject({ state: 'failed' });
  });

  it('accepts a list that is a little shorter', async () => {
    const { shop, check } = start({ products: [product('ML86'), ...others], isComplete: true });
    await check();
    shop.list = { products: others, isComplete: true };
    expect(await check()).toMatchObject({ state: 'failed' });
  });
});
