import { setTimeout as wait } from 'node:timers/promises';
import type { RemoteGateway } from '@topup-kit/core/gateway';
import { sandboxCatalog } from '@topup-kit/core/sandbox';
import type { Store } from '@topup-kit/core/store';
import type { Supplier } from '@topup-kit/core/supplier';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { callbackGateway, signed } from '../../core/test/helpers/providers.ts';
import { supplierThat } from '../../core/test/helpers/supplier.ts';
import { createTestService, fixtureOrder } from '../../core/test/helpers/test-service.ts';
import { createPostgresStore } from '../src/postgres/index.ts';
import { connectTo } from './helpers/postgres.ts';
import { usePostgres } from './helpers/shared-postgres.ts';

const database = usePostgres();

const second = 1_000;

/** How many questions have no response yet. */
let unanswered = 0;

/** Notes what a gateway is asked, by order, and how many questions about one order there were at the same moment. */
function createBooks() {
  const asked = new Map<string, number>();
  const open = new Map<string, number>();
  let mostAtOnce = 0;
  return {
    asked,
    mostAtOnce: () => mostAtOnce,
    async note(orderId: string): Promise<void> {
      asked.set(orderId, (asked.get(orderId) ?? 0) + 1);
      open.set(orderId, (open.get(orderId) ?? 0) + 1);
      mostAtOnce = Math.max(mostAtOnce, ...open.values());
      unanswered += 1;
      await wait(30);
      unanswered -= 1;
      open.set(orderId, (open.get(orderId) ?? 0) - 1);
    },
  };
}

/** Servers on one new database, each with its own connections, as processes of their own have them. */
async function startServers(
  gateway: RemoteGateway | undefined,
  { count = 2, supplier }: { count?: number; supplier?: Supplier } = {},
) {
  const url = await database.newSchema();
  const stores = Array.from({ length: count }, () => createPostgresStore({ url }));
  await stores[0]?.replaceCatalog(sandboxCatalog());
  const servers = await Promise.all(
    stores.map((after, index) =>
      createTestService({
        after,
        ...(gateway && { gateway }),
        ...(supplier && { supplier }),
        serverId: `server ${index}`,
      }),
    ),
  );
  const [first = expect.fail('no server')] = servers;
  const order = { ...fixtureOrder, promo_code: undefined };
  return {
    first,
    servers,
    url,
    place: async (): Promise<string> => (await first.order(order)).json.orderId,
    /** Lets time pass for all of them, while those that are named do what is due. */
    async pass(duration: number, working = servers): Promise<void> {
      for (let passed = 0; passed < duration; passed += 5 * second) {
        for (const { clock } of servers) clock.now += 5 * second;
        await Promise.all(working.map(({ engine }) => engine.dueWork.run()));
        while (unanswered > 0) await wait(10);
      }
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(stores.map((store) => store.close()));
    },
  };
}

describe('servers on one PostgreSQL', () => {
  it('checks a payment as often as a single server, and never twice at the same time', async () => {
    const counts = async (count: number) => {
      const books = createBooks();
      const { gateway } = callbackGateway({
        async checkPayment({ orderId }) {
          await books.note(orderId);
          return { status: 'open' };
        },
      });
      await using fleet = await startServers(gateway, { count });
      const orderIds = await Promise.all([0, 1, 2].map(() => fleet.place()));
      await fleet.pass(250 * second);
      return { each: orderIds.map((orderId) => books.asked.get(orderId) ?? 0), atOnce: books.mostAtOnce() };
    };
    for (const servers of [1, 2]) {
      const { each, atOnce } = await counts(servers);
      // After 15, 30, 60, 120 and 240 seconds. A busy machine may leave one out.
      expect(Math.max(...each)).toBe(5);
      expect(Math.min(...each)).toBeGreaterThan(2);
      expect(atOnce).toBe(1);
    }
  }, 30_000);

  it('buys each unit once, and looks it up no more often than a single server', async () => {
    const counts = async (count: number) => {
      const [bought, asked] = [createBooks(), createBooks()];
      const supplier = supplierThat({
        async submit({ reference }) {
          await bought.note(reference);
          return { state: 'pending' };
        },
        async find({ reference }) {
          await asked.note(reference);
          return { state: 'pending' };
        },
      });
      await using fleet = await startServers(undefined, { count, supplier });
      const orderIds = await Promise.all([0, 1, 2].map(() => fleet.place()));
      for (const orderId of orderIds) await fleet.first.sandbox.act(orderId, 'pay');
      await fleet.pass(120 * second);
      const summary = ({ asked: each, mostAtOnce }: typeof bought) => ({
        each: [...each.values()],
        atOnce: mostAtOnce(),
      });
      return { purchases: summary(bought), questions: summary(asked) };
    };
    for (const servers of [1, 2]) {
      const { purchases, questions } = await counts(servers);
      expect(purchases).toEqual({ each: [1, 1, 1, 1, 1, 1], atOnce: 1 });
      // After 5, 10, 15, 25, 40, 60 and 90 seconds. A step is left out when a response is still being stored.
      expect(Math.max(...questions.each)).toBeLessThanOrEqual(7);
      expect(Math.min(...questions.each)).toBeGreaterThan(2);
      expect(questions.atOnce).toBe(1);
    }
  }, 30_000);

  it("reads a supplier's products like a single server, even after failures, and sells by its list on every server", async () => {
    const lists = createBooks();
    let stock: number | null = 0;
    let isDown = false;
    const supplier = supplierThat({
      productsIntervalMs: 60 * second,
      async readProducts() {
        await lists.note('products');
        if (isDown) throw Object.assign(new Error('too often'), { retryAfterMs: 30 * second });
        return [{ code: 'ML86', isAvailable: true, stock, isOncePerDay: false, pause: null }];
      },
    });
    await using fleet = await startServers(undefined, { count: 3, supplier });
    const statuses = () =>
      Promise.all(
        fleet.servers.map(async ({ get }) => {
          const { data } = (await get('/games/mobile-legends')).json;
          return data.products.find(({ code }: { code: string }) => code === 'ML86').status;
        }),
      );
    const count = () => lists.asked.get('products') ?? 0;
    await fleet.pass(5 * second);
    // Other servers see it within a quarter of a second.
    await wait(300);
    expect(await statuses()).toEqual([false, false, false]);
    stock = null;
    await fleet.pass(120 * second);
    await wait(300);
    expect(await statuses()).toEqual([true, true, true]);
    // At 5 seconds, and after 60 seconds each. A busy machine may leave one out.
    expect(count()).toBeLessThanOrEqual(3);
    expect(count()).toBeGreaterThan(1);

    const before = count();
    isDown = true;
    await fleet.pass(120 * second);
    // At 185 seconds at the latest, and after 30 seconds each.
    expect(count() - before).toBeLessThanOrEqual(4);
    expect(count() - before).toBeGreaterThan(1);
    expect(lists.mostAtOnce()).toBe(1);
  }, 30_000);

  it('recovers an interrupted order once, and never twice at the same time', async () => {
    const books = createBooks();
    let isDown = true;
    const { gateway } = callbackGateway({
      createPayment: () => Promise.reject(new Error('gateway down')),
      async findPayment({ orderId }) {
        if (isDown) throw new Error('gateway down');
        await books.note(orderId);
        return { state: 'absent' };
      },
    });
    await using fleet = await startServers(gateway);
    for (let count = 0; count < 5; count += 1) await fleet.first.order();
    expect(await fleet.first.store.findReservedOrders(10)).toHaveLength(5);
    isDown = false;
    await fleet.pass(40 * second);
    await expect.poll(() => fleet.first.store.findReservedOrders(10)).toEqual([]);
    expect([...books.asked.values()]).toEqual([1, 1, 1, 1, 1]);
  });

  it('replays a callback once', async () => {
    const read: string[] = [];
    const { gateway } = callbackGateway();
    const { callbacks: receiver } = gateway;
    if (!receiver) expect.fail('no callbacks');
    await using fleet = await startServers({
      ...gateway,
      callbacks: {
        ...receiver,
        read(request) {
          const reading = receiver.read(request);
          read.push(new TextDecoder().decode(request.body));
          return reading;
        },
      },
    });
    const { callbacks, store } = fleet.first;
    const bodies = ['{"not":1}', '{"known":2}', '{"here":3}'];
    for (const body of bodies) await callbacks.receive('gateway', 'paygate', signed(body), '');
    expect(read.toSorted()).toEqual(bodies.toSorted());
    for (const { callbackId } of await store.listCallbacks({ limit: 10 }))
      await store.requestReplay(callbackId);
    read.length = 0;
    await Promise.all(fleet.servers.map((one) => one.engine.dueWork.run()));
    await expect.poll(() => store.findReplays(10)).toEqual([]);
    expect(read.toSorted()).toEqual(bodies.toSorted());
    expect((await store.listCallbacks({ limit: 10 })).map(({ attempts }) => attempts)).toEqual([2, 2, 2]);
  });

  it("continues a killed server's work half a minute after its claim", async () => {
    const askedBy: string[] = [];
    const gatewayOf = (name: string) =>
      callbackGateway({
        checkPayment() {
          askedBy.push(name);
          return new Promise(() => {});
        },
      }).gateway;
    await using fleet = await startServers(gatewayOf('killed'));
    const [killed = expect.fail('no server'), other = expect.fail('no server')] = fleet.servers;
    const survivor = await createTestService({
      after: other.store,
      gateway: gatewayOf('survivor'),
      serverId: 'survivor',
      now: killed.clock.now,
    });
    await fleet.place();
    const advance = async (service: typeof survivor, by: number): Promise<void> => {
      for (const { clock } of [killed, survivor]) clock.now += by;
      await service.engine.dueWork.run();
    };
    await advance(killed, 15 * second);
    expect(askedBy).toEqual(['killed']);
    for (let passed = 0; passed < 25; passed += 5) await advance(survivor, 5 * second);
    expect(askedBy).toEqual(['killed']);
    // Its next moment is a minute after the order.
    for (let passed = 25; passed < 45; passed += 5) await advance(survivor, 5 * second);
    expect(askedBy).toEqual(['killed', 'survivor']);
  });
});

it('shares the limit of simultaneous checks at a gateway among servers', async () => {
  let inFlight = 0;
  let most = 0;
  const { gateway } = callbackGateway({
    async checkPayment() {
      inFlight += 1;
      most = Math.max(most, inFlight);
      await wait(1);
      inFlight -= 1;
      return { status: 'open' };
    },
  });
  let servers = 1;
  const { order, engine, clock } = await createTestService({ gateway, countServers: () => servers });
  for (let count = 0; count < 30; count += 1) await order({ ...fixtureOrder, promo_code: undefined });
  const mostAtOnce = async (): Promise<number> => {
    most = 0;
    clock.now += 60 * second;
    await engine.dueWork.run();
    return most;
  };
  expect(await mostAtOnce()).toBe(20);
  servers = 4;
  expect(await mostAtOnce()).toBe(5);
});

describe('claims of servers on one PostgreSQL', () => {
  let url: string;
  let one: Store;
  let other: Store;
  beforeAll(async () => {
    url = await database.newSchema();
    [one, other] = [createPostgresStore({ url }), createPostgresStore({ url })];
    await one.readMode();
  });
  beforeEach(() => database.empty(url));
  afterAll(() => Promise.all([one.close(), other.close()]));

  const claim = (store: Store, by: string, names: string[], now: number) =>
    store.claimWork(names, { by, until: now + 30 }, now);
  const note = (serverId: string, now: number, until = now + 10) =>
    one.noteServer({ serverId, address: serverId, until }, now);

  it('excludes other servers from claimed work until the claim ends, even for simultaneous claims', async () => {
    expect(await claim(one, 'one', ['a', 'b', 'a'], 0)).toHaveLength(2);
    expect(await claim(other, 'other', ['b', 'c'], 29)).toEqual(['c']);
    expect(await claim(one, 'one', ['b'], 29)).toEqual(['b']);
    expect(await claim(other, 'other', ['a', 'b'], 30)).toEqual(['a']);
    expect(await claim(one, 'one', [], 30)).toEqual([]);
    const names = Array.from({ length: 200 }, (_, index) => `work ${index}`);
    for (let round = 100; round < 600; round += 50) {
      const both = await Promise.all([
        claim(one, 'one', names, round),
        claim(other, 'other', names.toReversed(), round),
      ]);
      expect(both.flat().toSorted()).toEqual(names.toSorted());
    }
  });

  it('deletes expired claims together with the next claims', async () => {
    for (let now = 0; now < 200; now += 10) await claim(one, 'server', [`a${now}`, `b${now}`], now);
    await using sql = connectTo(url);
    const [{ count = -1 } = {}] = await sql`SELECT count(*)::int AS count FROM claims`;
    expect(count).toBe(2 * 3);
  });

  it('counts running servers until they stop, or until their record expires', async () => {
    expect(await note('one', 0)).toBe(1);
    expect(await note('two', 3)).toBe(2);
    expect(await note('one', 5)).toBe(2);
    // The second one was killed.
    expect(await note('one', 13)).toBe(1);
    expect(await note('three', 14)).toBe(2);
    expect(await note('three', 15, 15)).toBe(1);
  });

  it("ignores a stopped server's claims and records from before the clock was set back", async () => {
    const hour = 3_600 * second;
    const now = 10 * hour;
    expect(await claim(one, 'gone', ['work'], now)).toEqual(['work']);
    expect(await note('gone', now)).toBe(1);
    expect(await claim(other, 'other', ['work'], now + 1)).toEqual([]);
    expect(await note('other', now + 1)).toBe(2);
    expect(await claim(other, 'other', ['work'], now - hour)).toEqual(['work']);
    expect(await note('other', now - hour)).toBe(1);
  });
});
