import { describe, expect, it } from 'vitest';
import { retryOrder } from '../src/features/index.ts';
import type { DeliveryCallback, FindPurchaseResult } from '../src/supplier/index.ts';
import { callbackSupplier, signed } from './helpers/providers.ts';
import { createTestService, fixtureOrder } from './helpers/test-service.ts';

/** A paid order of two units, whose purchases the supplier has and did not finish. */
async function start() {
  const { supplier, found, control, findIntervalMs } = callbackSupplier();
  const service = await createTestService({ supplier });
  const { store, engine, callbacks, sandbox, order, clock } = service;
  const { orderId } = (await order({ ...fixtureOrder, promo_code: undefined })).json;
  await sandbox.act(orderId, 'pay');
  await engine.dueWork.run();

  async function send(event: Partial<DeliveryCallback>): Promise<string | undefined> {
    // No two arrive at once, so that the newest is known.
    clock.now += 1;
    const body = JSON.stringify({ reference: null, supplierId: null, result: null, ...event });
    await callbacks.receive('supplier', 'depot', signed(body), '203.0.113.7');
    return (await store.listCallbacks({ limit: 1000 })).find(({ replay }) => !replay)?.outcome;
  }
  /** A callback of the first unit's attempt, by our reference. */
  const report = (result: DeliveryCallback['result'], attempt = 1) =>
    send({ reference: `${orderId}-1-${attempt}`, result });
  const units = () => store.findUnits(orderId);
  const stateOf = async () => (await store.findOrder(orderId))?.buyStatus;
  return { ...service, orderId, found, control, findIntervalMs, send, report, units, stateOf };
}

const minute = 60_000;
const delivered = { state: 'delivered', serialNumber: 'SN-7' } as const;
const failed = { state: 'failed', reason: 'out of stock' } as const;

async function inOrder<Result>(steps: (() => Promise<Result>)[]): Promise<Result[]> {
  const results: Result[] = [];
  for (const step of steps) results.push(await step());
  return results;
}

describe('a callback of a purchase', () => {
  it('delivers the unit when a callback arrives, and the whole order after both units are delivered', async () => {
    const { orderId, report, send, units, stateOf } = await start();
    const outcomes = await inOrder([
      () => report(delivered),
      () => send({ reference: `${orderId}-2-1`, result: { ...delivered, serialNumber: 'SN-8' } }),
    ]);
    expect(outcomes).toEqual(['applied', 'applied']);
    expect(await units()).toMatchObject([
      { state: 'delivered', serialNumber: 'SN-7', nextAt: null },
      { state: 'delivered', serialNumber: 'SN-8', nextAt: null },
    ]);
    expect(await stateOf()).toBe('Sukses');
  });

  it("matches a callback by the supplier's id if it has no reference", async () => {
    const { orderId, send, units } = await start();
    expect(await send({ supplierId: `T-${orderId}-2-1`, result: failed })).toBe('applied');
    expect((await units())[1]).toMatchObject({ state: 'failed', reason: 'out of stock' });
  });

  it("matches a callback by the supplier's id after the outcome, and records the contradiction", async () => {
    const { orderId, send } = await start();
    const supplierId = `T-${orderId}-2-1`;
    const outcomes = await inOrder([
      () => send({ supplierId, result: failed }),
      () => send({ supplierId, result: failed }),
      () => send({ supplierId, result: delivered }),
    ]);
    expect(outcomes).toEqual(['applied', 'unchanged', 'contradiction']);
  });

  it("settles nothing for a callback about another supplier's purchase", async () => {
    const { orderId, report, send, units, store } = await start();
    const before = (await units()).map((unit) => ({ ...unit, supplier: 'shelf' }));
    const order = await store.findOrder(orderId);
    if (!order) throw new Error('there is no order');
    const { version, paymentStatus, buyStatus } = order;
    await store.changeOrder({
      ...{ orderId, version, to: { paymentStatus, buyStatus }, entry: null, promo: 'keep' },
      ...{ units: before, serialNumber: null, settles: [], refunds: [] },
    });
    const outcomes = await inOrder([
      () => report(delivered),
      () => report(null),
      () => send({ supplierId: `T-${orderId}-2-1`, result: delivered }),
    ]);
    expect(outcomes).toEqual(['unmatched', 'unmatched', 'unmatched']);
    expect(await units()).toEqual(before);
    const [last, , first] = await store.listCallbacks({ limit: 3 });
    expect(first?.reason).toContain('submitted to shelf');
    expect(last?.reason).toBe('No order has this purchase.');
  });

  it('matches an id of two purchases to the open purchase, or to neither', async () => {
    const { orderId, send, report, units } = await start();
    // Another supplier gave the first unit the id that the second one has here.
    await report({ ...delivered, supplierId: `T-${orderId}-2-1` });
    const supplierId = `T-${orderId}-2-1`;
    const outcomes = await inOrder([
      () => send({ supplierId, result: failed }),
      () => send({ supplierId, result: failed }),
    ]);
    expect(outcomes).toEqual(['applied', 'unmatched']);
    expect((await units()).map(({ state }) => state)).toEqual(['delivered', 'failed']);
  });

  it('applies a callback once, even if it arrives a hundred times simultaneously', async () => {
    const { report, units, store } = await start();
    await Promise.all(Array.from({ length: 100 }, () => report(delivered)));
    expect((await units())[0]).toMatchObject({ state: 'delivered', attempt: 1 });
    const all = await store.listCallbacks({ limit: 1000 });
    expect(all.filter(({ outcome }) => outcome === 'applied')).toHaveLength(1);
    expect(all.filter(({ outcome }) => outcome === 'unchanged')).toHaveLength(99);
  });

  it.each([
    [delivered, failed],
    [failed, delivered],
  ])(
    'records a contradiction after %j when the callback reports %j, and changes no outcome',
    async (first, second) => {
      const { report, units, orderId, store } = await start();
      expect(await inOrder([() => report(first), () => report(second)])).toEqual([
        'applied',
        'contradiction',
      ]);
      expect((await units())[0]?.state).toBe(first.state);
      expect(await store.listCallbacks({ limit: 1 })).toMatchObject([
        { orderId, reason: expect.stringContaining(`${orderId}-1-1`) },
      ]);
    },
  );

  it('ignores a pending callback after the outcome', async () => {
    const { report, units } = await start();
    expect(await inOrder([() => report(delivered), () => report({ state: 'pending' })])).toEqual([
      'applied',
      'unchanged',
    ]);
    expect((await units())[0]?.state).toBe('delivered');
  });

  it('records a contradiction when an earlier attempt was delivered after all', async () => {
    const { report, send, orderId, units, clock, store, engine } = await start();
    await inOrder([() => report(failed), () => send({ reference: `${orderId}-2-1`, result: delivered })]);
    await retryOrder({ store, worldClock: () => clock.now, operator: 'ani' }, orderId);
    await engine.dueWork.run();
    expect((await units())[0]).toMatchObject({ attempt: 2, state: 'asked' });
    const outcomes = await inOrder([() => report(failed), () => report(delivered)]);
    expect(outcomes).toEqual(['unchanged', 'contradiction']);
    expect((await units())[0]).toMatchObject({ attempt: 2, state: 'asked' });
  });

  it.each([
    [{ reference: 'INV-1-1-1', result: delivered }],
    [{ reference: 'nothing', result: delivered }],
    [{ supplierId: 'T-9', result: delivered }],
    [{ result: delivered }],
  ])('leaves a callback with %j unmatched', async (event) => {
    const { send, stateOf } = await start();
    expect(await send(event)).toBe('unmatched');
    expect(await stateOf()).toBe('Proses');
  });

  it('leaves a callback about an attempt that was never made unmatched', async () => {
    const { report } = await start();
    expect(await report(delivered, 2)).toBe('unmatched');
  });
});

describe('an unverified callback', () => {
  it('looks up nothing for an unverified callback of an earlier attempt', async () => {
    const { orderId, report, send, clock, store, engine, found } = await start();
    await inOrder([() => report(failed), () => send({ reference: `${orderId}-2-1`, result: delivered })]);
    await retryOrder({ store, worldClock: () => clock.now, operator: 'ani' }, orderId);
    await engine.dueWork.run();
    expect(await report(null)).toBe('unchanged');
    expect(found).toEqual([]);
  });

  /** Two minutes later the gap between two questions has grown, and the supplier is asked now. */
  async function startLater() {
    const service = await start();
    const { clock, engine, found, findIntervalMs } = service;
    for (const seconds of [10, 50, 120]) {
      clock.now += seconds * 1_000;
      await engine.dueWork.run();
    }
    found.length = 0;
    const wait = async (ms: number) => {
      clock.now += ms;
      await engine.dueWork.run();
    };
    return { ...service, wait, waitForLimit: () => wait(findIntervalMs) };
  }

  it("looks up a purchase as soon as the supplier's limit allows, and applies the result", async () => {
    const { orderId, send, control, found, units, wait, findIntervalMs } = await startLater();
    control.find = async () => ({ ...delivered, serialNumber: 'SN-9' });
    expect(await send({ supplierId: `T-${orderId}-1-1` })).toBe('applied');
    await wait(findIntervalMs - 1);
    expect(found).toEqual([]);
    await wait(1);
    expect(found).toMatchObject([{ reference: `${orderId}-1-1`, supplierId: `T-${orderId}-1-1` }]);
    expect((await units())[0]).toMatchObject({ state: 'delivered', serialNumber: 'SN-9' });
  });

  it('looks up a purchase only once for a hundred callbacks', async () => {
    const { orderId, send, found, waitForLimit, store } = await startLater();
    await Promise.all(Array.from({ length: 100 }, () => send({ supplierId: `T-${orderId}-1-1` })));
    await waitForLimit();
    expect(found).toHaveLength(1);
    const all = await store.listCallbacks({ limit: 1000 });
    expect(all.filter(({ outcome }) => outcome === 'unchanged').length).toBeGreaterThan(90);
    expect(all[0]?.reason).toBe('The supplier is asked as soon as its limit allows.');
  });

  it("doesn't delay a look-up that is due earlier", async () => {
    const { orderId, send, units, clock, findIntervalMs } = await start();
    const [before] = await units();
    clock.now += findIntervalMs - 100;
    expect(await send({ supplierId: `T-${orderId}-1-1` })).toBe('unchanged');
    expect((await units())[0]).toEqual(before);
  });

  it('sends no look-up while another look-up is in flight', async () => {
    const { orderId, send, control, found, units, engine, waitForLimit } = await startLater();
    const response = Promise.withResolvers<FindPurchaseResult>();
    control.find = () => response.promise;
    await send({ supplierId: `T-${orderId}-1-1` });
    await waitForLimit();
    await send({ supplierId: `T-${orderId}-1-1` });
    await waitForLimit();
    expect(found).toHaveLength(1);
    response.resolve(delivered);
    await expect.poll(async () => (await units())[0]?.state).toBe('delivered');
    await engine.dueWork.run();
    expect(found).toHaveLength(1);
  });

  it('learns the id for the look-up from a callback', async () => {
    const { orderId, send, units, store } = await startLater();
    const order = await store.findOrder(orderId);
    const [unit] = await units();
    if (!order || !unit) throw new Error('no order');
    const { paymentStatus, buyStatus } = order;
    await store.changeOrder({
      ...{ orderId, version: order.version, to: { paymentStatus, buyStatus }, entry: null, promo: 'keep' },
      ...{ units: [{ ...unit, supplierId: null }], serialNumber: null, settles: [], refunds: [] },
    });
    expect(await send({ reference: `${orderId}-1-1`, supplierId: 'T-77' })).toBe('applied');
    expect((await units())[0]).toMatchObject({ state: 'asked', supplierId: 'T-77' });
  });

  it.each([
    ['is unavailable', () => Promise.reject(new Error('down: key-1'))],
    ['returns nonsense', async () => ({ state: 'done' }) as never], // Safe: an adapter without types can return this value.
  ])('repeats the look-up on schedule when the supplier %s', async (_what, answer) => {
    const { orderId, send, control, units, waitForLimit, wait } = await startLater();
    control.find = answer;
    expect(await send({ supplierId: `T-${orderId}-1-1` })).toBe('applied');
    await waitForLimit();
    await expect
      .poll(async () => (await units())[0])
      .toMatchObject({ state: 'asked', reason: expect.any(String) });
    control.find = async () => delivered;
    await wait(minute);
    await expect.poll(async () => (await units())[0]?.state).toBe('delivered');
  });

  it('looks up a settled purchase immediately, and records a contradiction', async () => {
    const { orderId, report, send, control } = await start();
    await report(failed);
    control.find = async () => delivered;
    expect(await send({ supplierId: `T-${orderId}-1-1` })).toBe('contradiction');
    control.find = () => Promise.reject(new Error('down: key-1'));
    expect(await send({ supplierId: `T-${orderId}-1-1` })).toBe('failed');
  });
});
