import { sandboxCatalogFile } from '@topup-kit/core/sandbox';
import { expect, it, vi } from 'vitest';
import { createMockService, createTopupMock, type MockOptions } from '../src/index.ts';
import { shopOf } from './helpers/shop.ts';

vi.spyOn(console, 'warn').mockImplementation(() => {});

it.each<[string, MockOptions, string]>([
  ['an invalid baseUrl', { baseUrl: 'shop' }, 'baseUrl must be an absolute URL'],
  ['a baseUrl of another scheme', { baseUrl: 'ftp://shop.test/api' }, 'an absolute URL of http or https'],
  [
    'an unknown option',
    { sed: 3 } as object,
    'unknown option "sed" of createMockService. Did you mean seed? The options are baseUrl, seed, auth, locale, catalog, profile, dialect, scenario, latency, paymentUrl, persist.',
  ],
  ['an invalid latency', { latency: null as never }, 'latency must be whole milliseconds'],
  ['a latency of three numbers', { latency: [1, 2, 3] as never }, 'or [minimum, maximum], got [1,2,3]'],
  ['a paymentUrl that is not a function', { paymentUrl: 'x' as never }, 'paymentUrl must be a function'],
  ['a seed with a fraction', { seed: 1.5 }, 'seed must be a whole number, got 1.5'],
  ['a negative latency', { latency: -1 }, 'latency must be whole milliseconds'],
  ['a latency whose maximum is below its minimum', { latency: [9, 3] }, 'or [minimum, maximum], got [9,3]'],
  [
    'an unknown scenario',
    { scenario: 'fire' as 'slow' },
    'unknown scenario "fire". The scenarios are payment-declined',
  ],
  [
    'a mistyped scenario',
    { scenario: 'mantienance' as 'slow' },
    'unknown scenario "mantienance". Did you mean maintenance?',
  ],
  [
    'an unknown profile',
    { profile: 'all' as 'kit' },
    'profile must be one of kit, interface-only, got "all"',
  ],
  ['an unknown auth', { auth: 'on' as 'off' }, 'auth must be one of strict, off, got "on"'],
  ['an unknown entry of a dialect', { dialect: { colour: 1 } as object }, 'dialect has no colour'],
])('rejects %s, and gives the reason', (_what, options, message) => {
  expect(() => createMockService(options)).toThrow(message);
});

it('accepts undefined for an option, and the types allow it', () => {
  const options: MockOptions = {
    seed: undefined,
    latency: undefined,
    locale: undefined,
    scenario: undefined,
  };
  expect(createMockService(options).latency).toEqual([0, 0]);
});

it('names the function and suggests the option', () => {
  expect(() => createTopupMock({ latnecy: 3 } as object)).toThrow(
    'unknown option "latnecy" of createTopupMock. Did you mean latency?',
  );
});

it('rejects an invalid catalogue, and names each invalid value', () => {
  const catalog = structuredClone(sandboxCatalogFile) as NonNullable<MockOptions['catalog']>;
  const [game] = catalog.games;
  if (game) game.slug = 'Mobile Legends';
  expect(() => createMockService({ catalog })).toThrow(/games\[0\]\.slug must be lower-case words/);
});

it('sells the products of its catalogue', async () => {
  const catalog: NonNullable<MockOptions['catalog']> = {
    format: 'topup-kit/catalog@1',
    categories: [{ id: 1, title: 'MOBA' }],
    games: [{ id: 5, slug: 'my-game', title: 'My Game', developers: 'Me', brand: 'Me', category_id: 1 }],
    payment_methods: [],
  };
  const { ask } = shopOf(createMockService({ catalog }));
  const { games } = await (await ask('/games')).json();
  expect(games).toMatchObject([{ id: 5, slug: 'my-game', title: 'My Game' }]);
});

it('requires a key unless auth is off', async () => {
  const strict = createMockService();
  const open = createMockService({ auth: 'off' });
  expect((await strict.fetch(`${strict.baseUrl}/games`)).status).toBe(401);
  expect((await open.fetch(`${open.baseUrl}/games`)).status).toBe(200);
  const headers = { 'X-API-KEY': 'whatever' };
  expect((await open.fetch(`${open.baseUrl}/games`, { headers })).status).toBe(200);
});

it("has a second account, which can't see the first account", async () => {
  const mock = createMockService();
  const { order, ask } = shopOf(mock);
  const { orderId } = await order();
  const headers = { 'X-API-KEY': mock.otherApiKey };
  expect((await ask('/games', { headers })).status).toBe(200);
  expect((await ask(`/invoice/${orderId}`, { headers })).status).toBe(404);
});

it('separates the second account even if auth is off', async () => {
  const mock = createMockService({ auth: 'off' });
  const { order, ask } = shopOf(mock);
  const { orderId } = await order();
  const statusFor = async (key: string) =>
    (await ask(`/invoice/${orderId}`, { headers: { 'X-API-KEY': key } })).status;
  expect(await statusFor(mock.otherApiKey)).toBe(404);
  expect(await statusFor('whatever')).toBe(200);
});

it.each([
  [
    'an absolute address',
    (reference: string) => `https://pay.test/${reference}`,
    /^https:\/\/pay\.test\/SIM\w+$/,
  ],
  [
    'a path of the page',
    (reference: string) => `/#/pay/${reference}`,
    /^https:\/\/shop\.test\/#\/pay\/SIM\w+$/,
  ],
])('lets the app choose payment_url: %s', async (_what, paymentUrl, expected) => {
  const mock = createMockService({ baseUrl: 'https://shop.test/api', paymentUrl });
  const { data } = await shopOf(mock).order();
  expect(data.payment_url).toMatch(expected);
});

it('has nothing beyond the interface in the profile interface-only', async () => {
  const { ask, order } = shopOf(createMockService({ profile: 'interface-only' }));
  expect((await ask('/games')).status).toBe(200);
  expect((await ask('/games/mobile-legends')).status).toBe(404);
  await expect(order()).resolves.toMatchObject({ success: true });
});

it('applies a dialect after its profile', async () => {
  const mock = createMockService({ profile: 'interface-only', dialect: { routes: { getGame: true } } });
  const { ask } = shopOf(mock);
  expect((await ask('/games/mobile-legends')).status).toBe(200);
  expect((await ask('/order/mobile-legends')).status).toBe(404);
});

it('responds in the language of its option, unless a request asks for the other language', async () => {
  const mock = createMockService({ locale: 'en' });
  const messageIn = async (headers: Record<string, string>) =>
    (
      await (
        await mock.fetch(`${mock.baseUrl}/games/x`, { headers: { 'X-API-KEY': mock.apiKey, ...headers } })
      ).json()
    ).message;
  expect(await messageIn({})).toBe('Game not found.');
  expect(await messageIn({ 'Accept-Language': 'id' })).toBe('Game tidak ditemukan.');
  // @ts-expect-error: there are two languages.
  expect(() => createMockService({ locale: 'fr' })).toThrow('locale must be one of id, en, got "fr"');
});

it('names globals that an environment such as jsdom in Jest lacks, and how to add them', () => {
  for (const name of ['Request', 'Response', 'TextEncoder']) vi.stubGlobal(name, undefined);
  expect(() => createMockService()).toThrow(
    /^@topup-kit\/mock needs Request, Response and TextEncoder, which .*jest-fixed-jsdom/,
  );
  vi.unstubAllGlobals();
});
