import { conformanceCases, runCase } from '@topup-kit/conformance';
import { createTopupClient, TopupError } from '@topup-kit/sdk';
import { describe, expect, it, vi } from 'vitest';
import { type DialectName, forEachDialect, type TopupMock } from '../src/index.ts';
import { sampleOrder, shopOf } from './helpers/shop.ts';

vi.spyOn(console, 'warn').mockImplementation(() => {});

const clientOf = ({ baseUrl, apiKey, fetch }: TopupMock) =>
  createTopupClient({ baseUrl, apiKey, fetch, validation: 'strict' });

/** Where an order can't be followed to its end: no route for it, or statuses that nobody knows. */
const unfollowed: ReadonlySet<DialectName> = new Set(['interface-only', 'other statuses']);

forEachDialect((createMock, name) => {
  describe(`a service with ${name}`, () => {
    const ofInterface = conformanceCases.filter(({ origin }) => origin === 'interface');
    const mock = createMock();
    it.each(ofInterface)('conforms to the interface: $name', async (one) => {
      const target = { baseUrl: mock.baseUrl, apiKey: mock.apiKey, fetch: mock.fetch };
      const { outcome, reason } = await runCase(one, target);
      expect(outcome, reason).not.toBe('failed');
    });

    it("accepts the SDK's order", async () => {
      const client = clientOf(createMock());
      const { data } = await client.orders.create({ ...sampleOrder, promo_code: 'RAMADAN10', quantity: 2 });
      expect(data).toMatchObject({ payment_status: 'UNPAID', buy_status: 'Pending', total_price: 40_000 });
    });

    it("rejects the SDK's order in a form that the SDK understands", async () => {
      const mock = createMock();
      const refused = clientOf(mock).orders.create({ ...sampleOrder, game: 'no-such-game' });
      await expect(refused).rejects.toThrow(TopupError);
      await expect(refused).rejects.toMatchObject({ status: 404 });
    });

    if (!unfollowed.has(name))
      it('lets the SDK follow an order to its end', async () => {
        const mock = createMock();
        const client = clientOf(mock);
        const { orderId } = await client.orders.create(sampleOrder);
        await mock.orders.pay(orderId);
        await mock.clock.advance('2s');
        await expect(client.orders.waitFor(orderId)).resolves.toMatchObject({ outcome: 'delivered' });
      });
  });
});

it('runs through every dialect once, and lets a test choose other options', () => {
  const seen: string[] = [];
  forEachDialect((createMock, name) => {
    expect(createMock({ seed: 5 }).seed).toBe(5);
    seen.push(name);
  });
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen.length).toBeGreaterThan(10);
});

it('rejects a profile, because a profile would be another service', () => {
  forEachDialect((createMock) => {
    expect(() => createMock({ profile: 'kit' } as object)).toThrow('does not allow the option profile');
  });
});

it('lets a test change a dialect further, entry by entry', async () => {
  const offered: number[] = [];
  const tried: Promise<void>[] = [];
  forEachDialect((createMock, name) => {
    if (name !== 'interface-only') return;
    const { ask } = shopOf(createMock({ dialect: { routes: { getGame: true } } }));
    const paths = ['/games/mobile-legends', '/order/mobile-legends'];
    for (const path of paths) tried.push(ask(path).then(({ status }) => void offered.push(status)));
  });
  await Promise.all(tried);
  expect(offered.sort()).toEqual([200, 404]);
});
