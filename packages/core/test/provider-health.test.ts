import { expect, it } from 'vitest';
import { errorText } from '../src/engine/provider-health.ts';
import { createProviderHealth } from '../src/features/index.ts';
import { createMemoryStore, StoreError } from '../src/features/store.ts';
import { callbackGateway, callbackSupplier } from './helpers/providers.ts';
import { createTestService } from './helpers/test-service.ts';

const rejecting = () => Promise.reject(new Error('Invalid API key'));

async function start({ gateway = callbackGateway().gateway, supplier = callbackSupplier().supplier } = {}) {
  const service = await createTestService({ gateway, supplier });
  const problems = async () =>
    (await service.store.readProviderProblems()).map(
      ({ provider, call, problem }) => `${provider} ${call}: ${problem}`,
    );
  return { ...service, problems };
}

it('reports rejected and failed payments until a payment is created', async () => {
  const { gateway } = callbackGateway();
  const { createPayment } = gateway;
  const { order, problems } = await start({ gateway });
  gateway.createPayment = async () => ({ rejected: 'wrong key' });
  await order();
  expect(await problems()).toEqual(['paygate payments: The gateway rejected the payment: wrong key']);
  gateway.createPayment = rejecting;
  await order();
  expect(await problems()).toEqual(['paygate payments: Invalid API key']);
  gateway.createPayment = createPayment;
  expect((await order()).status).toBe(201);
  expect(await problems()).toEqual([]);
});

it('reports no problem if a payment with a lost response is found', async () => {
  const { gateway } = callbackGateway({
    createPayment: rejecting,
    findPayment: async ({ orderId }) => ({
      state: 'found',
      payment: { reference: `R-${orderId}`, url: 'https://gateway.example/pay' },
    }),
  });
  const { order, problems } = await start({ gateway });
  expect((await order()).status).toBe(201);
  expect(await problems()).toEqual([]);
});

it("reports rejected purchases until the supplier accepts a purchase, but doesn't report a failed delivery", async () => {
  const { supplier } = callbackSupplier();
  const { submit } = supplier;
  const { order, problems, clock, engine } = await start({ supplier });
  const buy = async () => {
    const { orderId, data } = (await order()).json;
    const payment = { reference: `R-${orderId}`, amount: data.total_price, at: clock.now };
    await engine.handlePaymentEvent({ ...payment, status: 'paid' });
    await engine.dueWork.run();
  };
  supplier.submit = async () => ({ state: 'failed', reason: 'no such player' });
  await buy();
  expect(await problems()).toEqual([]);
  supplier.submit = rejecting;
  await buy();
  expect(await problems()).toEqual(['depot purchases: Invalid API key']);
  supplier.submit = submit;
  await buy();
  expect(await problems()).toEqual([]);
});

it('buys an order that waits for the balance after a deposit, without reporting or resolving a purchase problem', async () => {
  const { supplier } = callbackSupplier();
  const { order, problems, clock, engine, store } = await start({ supplier });
  const buy = async () => {
    const { orderId, data } = (await order()).json;
    const payment = { reference: `R-${orderId}`, amount: data.total_price, at: clock.now };
    await engine.handlePaymentEvent({ ...payment, status: 'paid' });
    await engine.dueWork.run();
    return orderId;
  };
  const unfunded = async () =>
    ({ state: 'pending', waitsFor: 'balance', reason: 'rc 44, no balance' }) as const;
  supplier.submit = unfunded;
  const orderId = await buy();
  expect(await problems()).toEqual([]);
  expect(await store.findProblemOrders({ kind: 'unfunded' }, 10)).toEqual([orderId]);
  expect(await store.findUnits(orderId)).toMatchObject([
    { state: 'waiting', attempt: 1, waitsFor: 'balance', reason: 'rc 44, no balance' },
    { state: 'waiting', attempt: 1, waitsFor: 'balance' },
  ]);

  supplier.submit = rejecting;
  await buy();
  supplier.submit = unfunded;
  await buy();
  expect(await problems()).toEqual(['depot purchases: Invalid API key']);

  // Submitted again, under the same reference.
  const references: string[] = [];
  supplier.submit = async ({ reference }) => {
    references.push(reference);
    return { state: 'delivered', serialNumber: 'SN' };
  };
  clock.now += 10 * 60_000;
  await engine.dueWork.run();
  expect(references).toEqual(expect.arrayContaining([`${orderId}-1-1`, `${orderId}-2-1`]));
  expect(await store.findUnits(orderId)).toMatchObject([
    { state: 'delivered', waitsFor: null },
    { state: 'delivered', waitsFor: null },
  ]);
  expect(await store.findProblemOrders({ kind: 'unfunded' }, 10)).toEqual([]);
});

it("reports a product list that fails twice, or contains none of the catalogue's products", async () => {
  const { supplier } = callbackSupplier();
  supplier.readProducts = rejecting;
  const { problems, clock, engine } = await start({ supplier });
  const read = async () => {
    clock.now += 10 * 60_000;
    await engine.dueWork.run();
  };
  await read();
  expect(await problems()).toEqual([]);
  await read();
  expect(await problems()).toEqual(['depot products: Invalid API key']);
  supplier.readProducts = async () => [
    { code: 'other', isAvailable: true, stock: null, isOncePerDay: false, pause: null },
  ];
  await read();
  expect(await problems()).toEqual([
    'depot products: It lists none of the active products in the catalogue.',
  ]);
});

it('writes problems only if they change, keeps their start time, and starts without problems', async () => {
  const store = createMemoryStore();
  await store.saveProviderProblems([{ provider: 'old', call: 'access', problem: 'x', since: 1 }]);
  const saved: unknown[] = [];
  const clock = { now: 10 };
  const report = createProviderHealth({
    store: {
      saveProviderProblems(problems) {
        saved.push(problems);
        return store.saveProviderProblems(problems);
      },
    },
    realClock: () => clock.now,
    reportError: (error) => expect(error).toBeUndefined(),
  });
  const settled = () => new Promise((resolve) => setTimeout(resolve));
  await settled();
  expect(await store.readProviderProblems()).toEqual([]);
  report({ type: 'call', provider: 'a', call: 'balance', error: undefined });
  report({ type: 'call', provider: 'a', call: 'balance', error: new Error('no\n  route') });
  report({ type: 'call', provider: 'a', call: 'balance', error: new Error('no route') });
  clock.now = 20;
  report({ type: 'call', provider: 'a', call: 'balance', error: new Error('wrong key') });
  await settled();
  expect(saved).toHaveLength(3);
  expect(await store.readProviderProblems()).toEqual([
    { provider: 'a', call: 'balance', problem: 'wrong key', since: 10 },
  ]);
});

it("reports that a problem can't be stored, unless the store reports the failure", async () => {
  class Unreachable extends StoreError {
    readonly retryAfter = 1;
    readonly isReported = true;
  }
  const reported: unknown[] = [];
  const failingWith = (error: Error) =>
    createProviderHealth({
      store: { saveProviderProblems: () => Promise.reject(error) },
      realClock: () => 0,
      reportError: (thrown) => reported.push(thrown),
    });
  failingWith(new Unreachable('gone'));
  failingWith(new Error('odd'));
  await expect.poll(() => reported).toEqual([new Error('odd')]);
});

it.each<[unknown, string]>([
  [new Error(' no\n\troute\u0007 '), 'no route'],
  [{ message: 'no route' }, 'no route'],
  [{ message: 7 }, '7'],
  ['no route', 'no route'],
  [null, 'null'],
  [undefined, 'undefined'],
  [{}, '[object Object]'],
  ['x'.repeat(300), 'x'.repeat(300)],
  ['x'.repeat(301), `${'x'.repeat(299)}…`],
])('shortens the text of %o to one bounded line: %s', (error, text) => {
  expect(errorText(error)).toBe(text);
});

it("stores problems for each provider and kind of request, and reports if a problem can't be stored", async () => {
  const saved: string[][] = [];
  const errors: unknown[] = [];
  const report = createProviderHealth({
    store: {
      async saveProviderProblems(problems) {
        saved.push(problems.map(({ provider, call }) => `${provider} ${call}`));
        throw new Error('disk full');
      },
    },
    realClock: () => 0,
    reportError: (error, about) => errors.push([about, error]),
  });
  report({ type: 'call', provider: 'a', call: 'balance', error: 'down' });
  report({ type: 'call', provider: 'a', call: 'products', error: 'down' });
  report({ type: 'call', provider: 'b', call: 'balance', error: 'down' });
  report({ type: 'call', provider: 'a', call: 'balance', error: undefined });
  const error = ['problems of the providers', new Error('disk full')];
  await expect.poll(() => errors, { interval: 1 }).toEqual(Array(5).fill(error));
  expect(saved.at(-1)).toEqual(['a products', 'b balance']);
});
