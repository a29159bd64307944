import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errors } from '@topup-kit/core/contract';
import { sandboxCatalogFile } from '@topup-kit/core/sandbox';
import { expect, it, vi } from 'vitest';
import { createDigiflazzSupplier } from '../../providers/src/digiflazz/adapter.ts';
import { start, startSimulated } from '../../simulators/test/helpers/simulators.ts';
import { startLogged } from './helpers/log.ts';
import { fixtureOrder, temporaryFolder } from './helpers/sandbox.ts';

const minute = 60;
const account = { username: 'username', apiKey: 'apikey', webhookSecret: 'somesecretvalue' };

/** Digiflazz on a clock, a catalogue that sells 86 and 172 Diamonds of it, and a folder for a store. */
async function startShop() {
  const folder = await temporaryFolder();
  const digiflazz = await startSimulated('digiflazz');
  const clock = { now: start };
  const catalog = join(folder.path, 'catalog.json');
  // Safe: the sandbox's own file has this form.
  const file = sandboxCatalogFile as { games: { slug: string; products: { code: string }[] }[] };
  const games = file.games
    .filter(({ slug }) => slug === 'mobile-legends')
    .map((game) => ({
      ...game,
      products: game.products
        .filter(({ code }) => code === 'ML86' || code === 'ML172')
        .map((product) => ({ ...product, supplier_code: product.code.toLowerCase() })),
    }));
  const promos = [
    { code: 'LESS', discount: { type: 'FIXED', value: 3_000 } },
    { code: 'LITTLE', discount: { type: 'FIXED', value: 2_500 } },
  ];
  await writeFile(catalog, JSON.stringify({ ...file, games, promos }));

  async function serve(environment: Record<string, string> = {}) {
    const supplier = createDigiflazzSupplier(
      { ...account, baseUrl: digiflazz.baseUrl },
      { clock: () => clock.now },
    );
    const store = { TOPUP_STORE: `file:${join(folder.path, 'topup.db')}`, TOPUP_CATALOG: catalog };
    const { server, lines } = await startLogged(
      { ...store, TOPUP_LOG_LEVEL: 'info', ...environment },
      { supplier, realClock: () => clock.now },
    );
    const call = async (path: string, body?: object) => {
      const response = await fetch(server.baseUrl + path, {
        headers: { 'X-API-KEY': server.sandboxKey ?? '', 'Content-Type': 'application/json' },
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      });
      return { status: response.status, body: JSON.parse(await response.text()) };
    };
    /** The codes of the products that can be ordered. */
    async function open(): Promise<string[]> {
      const { data } = (await call('/games/mobile-legends')).body;
      const products: { code: string; status: boolean }[] = data.products;
      return products.flatMap(({ code, status }) => (status ? [code] : []));
    }
    return {
      ...{ call, open, lines },
      becomes: (codes: string[]) => vi.waitFor(async () => expect(await open()).toEqual(codes), 5_000),
      [Symbol.asyncDispose]: () => server.close(),
    };
  }

  const questions = async (): Promise<{ response: { body: string } }[]> =>
    (await digiflazz.calls()).filter(({ operation }: { operation: string }) => operation === 'price-list');
  return {
    ...{ digiflazz, clock, serve, questions },
    set: (buyer_sku_code: string, changes: object) =>
      digiflazz.act('product', { buyer_sku_code, ...changes }),
    async pass(seconds: number): Promise<void> {
      await digiflazz.advance(seconds);
      clock.now += seconds * 1_000;
    },
    async [Symbol.asyncDispose]() {
      await digiflazz[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

const closed = 'products were closed, because they cost more than their prices';
const reopened = 'products were opened again, because they no longer cost more than their prices';
const ofSupplier = 'the supplier closed products, or offers them again';

it('applies the prices and the stock of Digiflazz, and logs one line for each list with changes', async () => {
  await using shop = await startShop();
  await using server = await shop.serve();
  await vi.waitFor(async () => expect(await shop.questions()).toHaveLength(1), 5_000);
  expect(await server.open()).toEqual(['ML86', 'ML172']);
  expect([...server.lines(closed), ...server.lines(ofSupplier)]).toEqual([]);

  // It is sold for 22,000.
  await shop.set('ml86', { price: 22_500 });
  await shop.pass(10 * minute);
  await server.becomes(['ML172']);
  const order = { ...fixtureOrder, promo_code: undefined };
  expect(await server.call('/order', order)).toMatchObject({
    status: 404,
    body: { success: false, message: errors.PRODUCT_CLOSED.message.id },
  });
  expect(server.lines(closed)).toMatchObject([
    { level: 40, supplier: 'digiflazz', closed: ['ML86 (cost 22,500, price 22,000)'], closedCount: 1 },
  ]);

  await shop.set('ml86', { price: 19_500 });
  await shop.pass(10 * minute);
  await server.becomes(['ML86', 'ML172']);
  expect((await server.call('/order', order)).status).toBe(201);
  expect(server.lines(reopened)).toMatchObject([{ level: 30, reopened: ['ML86'], reopenedCount: 1 }]);

  await shop.set('ml86', { seller_product_status: false });
  await shop.set('ml172', { unlimited_stock: false, stock: 0 });
  await shop.pass(10 * minute);
  await server.becomes([]);
  expect(server.lines(ofSupplier)).toMatchObject([{ closed: ['ML86', 'ML172'], closedCount: 2 }]);
  expect([server.lines(closed).length, server.lines(reopened).length]).toEqual([1, 1]);
});

it('uses the last list from the first request on, and reads another list after ten minutes', async () => {
  await using shop = await startShop();
  await shop.set('ml86', { price: 30_000 });
  {
    await using first = await shop.serve();
    await first.becomes(['ML172']);
  }
  await shop.pass(minute);
  await using second = await shop.serve();
  expect(await second.open()).toEqual(['ML172']);
  await shop.set('ml86', { price: 19_500 });
  await shop.pass(9 * minute);
  await second.becomes(['ML86', 'ML172']);
  expect(await shop.questions()).toHaveLength(2);
  expect(JSON.stringify(await shop.questions())).not.toContain('pengecekan pricelist');
});

it('reads the list again when the limit of rc 83 ends, and not ten minutes later', async () => {
  await using shop = await startShop();
  const asked = () => vi.waitFor(async () => expect(await shop.questions()).toHaveLength(2), 5_000);
  // Somebody else has just asked with the account.
  const another = createDigiflazzSupplier(
    { ...account, baseUrl: shop.digiflazz.baseUrl },
    { clock: () => shop.clock.now },
  );
  await another.readProducts?.(AbortSignal.timeout(5_000));
  await shop.set('ml86', { price: 30_000 });
  await using server = await shop.serve();
  await asked();
  expect(JSON.stringify((await shop.questions()).at(-1))).toContain('pengecekan pricelist');
  expect(await server.open()).toEqual(['ML86', 'ML172']);
  await shop.pass(5 * minute);
  await server.becomes(['ML172']);
  expect(await shop.questions()).toHaveLength(3);
});

it("rejects a promo for a product whose loss would exceed the shop's limit", async () => {
  await using shop = await startShop();
  await using server = await shop.serve({ TOPUP_PROMO_MAX_LOSS: '500' });
  await vi.waitFor(async () => expect(await shop.questions()).toHaveLength(1), 5_000);
  await server.becomes(['ML86', 'ML172']);
  const rejected = {
    status: 422,
    body: { success: false, message: 'Kode promo tidak berlaku untuk produk ini.' },
  };
  // 22,000 less 3,000 is 500 below 19,500, and one rupiah more is too much.
  const order = (promo_code: string) => server.call('/order', { ...fixtureOrder, promo_code });
  expect((await order('LESS')).status).toBe(201);
  await shop.set('ml86', { price: 19_501 });
  await shop.pass(10 * minute);
  await vi.waitFor(async () => expect(await order('LESS')).toMatchObject(rejected), 5_000);
  const question = { code: 'LESS', game_slug: 'mobile-legends', product_id: 901, payment_method_id: 12 };
  expect(await server.call('/promo/validate', question)).toMatchObject(rejected);
  expect((await order('LITTLE')).status).toBe(201);
});
