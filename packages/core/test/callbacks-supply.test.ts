import { describe, expect, it } from 'vitest';
import type { SupplyNews } from '../src/supplier/index.ts';
import { callbackSupplier, signed } from './helpers/providers.ts';
import { createTestService, fixtureOrder } from './helpers/test-service.ts';

/** A paid order of two units, whose purchases the supplier has and did not finish. */
async function start() {
  const { supplier, found, control } = callbackSupplier();
  const service = await createTestService({ supplier });
  const { store, engine, sandbox, order } = service;
  const { orderId } = (await order({ ...fixtureOrder, promo_code: undefined })).json;
  await sandbox.act(orderId, 'pay');
  await engine.dueWork.run();

  async function send(news: Partial<SupplyNews>): Promise<string | undefined> {
    const body = JSON.stringify({ reference: null, supplierId: null, result: null, ...news });
    await engine.callbacks.receive('supplier', 'depot', signed(body), '203.0.113.7');
    return (await store.listCallbacks({ limit: 1000 })).find(({ replay }) => !replay)?.outcome;
  }
  /** A callback of the first unit's attempt, by our reference. */
  const report = (result: SupplyNews['result'], attempt = 1) =>
    send({ reference: `${orderId}-1-${attempt}`, result });
  const units = () => store.findUnits(orderId);
  const stateOf = async () => (await store.findOrder(orderId))?.buyStatus;
  return { ...service, orderId, found, control, send, report, units, stateOf };
}

const delivered = { state: 'delivered', serialNumber: 'SN-7' } as const;
const failed = { state: 'failed', reason: 'out of stock' } as const;

/** Handles one callback at a time with its own moment, so that the newest is known. */
const inOrder = async <Result>(
  clock: { now: number },
  steps: (() => Promise<Result>)[],
): Promise<Result[]> => {
  const results: Result[] = [];
  for (const step of steps) {
    clock.now += 1;
    results.push(await step());
  }
  return results;
};

describe('a callback of a purchase', () => {
  it('delivers the unit, and the order once both are', async () => {
    const { orderId, report, send, units, stateOf, clock } = await start();
    const outcomes = await inOrder(clock, [
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

  it("is matched by the supplier's id, too", async () => {
    const { orderId, send, units } = await start();
    expect(await send({ supplierId: `T-${orderId}-2-1`, result: failed })).toBe('applied');
    expect((await units())[1]).toMatchObject({ state: 'failed', reason: 'out of stock' });
  });

  it('that comes a hundred times, also at once, changes nothing more', async () => {
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
  ])('after %j that says %j is a contradiction, and undoes nothing', async (first, second) => {
    const { report, units, clock, orderId, store } = await start();
    expect(await inOrder(clock, [() => report(first), () => report(second)])).toEqual([
      'applied',
      'contradiction',
    ]);
    expect((await units())[0]?.state).toBe(first.state);
    expect(await store.listCallbacks({ limit: 1 })).toMatchObject([
      { orderId, reason: expect.stringContaining(`${orderId}-1-1`) },
    ]);
  });

  it('that arrives after the outcome and says that it is pending changes nothing', async () => {
    const { report, clock, units } = await start();
    expect(await inOrder(clock, [() => report(delivered), () => report({ state: 'pending' })])).toEqual([
      'applied',
      'unchanged',
    ]);
    expect((await units())[0]?.state).toBe('delivered');
  });

  it('of an attempt before the current one is a contradiction if it was delivered after all', async () => {
    const { report, send, orderId, units, clock, store, engine } = await start();
    const { retryOrder } = await import('../src/engine/index.ts');
    await inOrder(clock, [
      () => report(failed),
      () => send({ reference: `${orderId}-2-1`, result: delivered }),
    ]);
    await retryOrder({ store, worldClock: () => clock.now }, orderId);
    await engine.dueWork.run();
    expect((await units())[0]).toMatchObject({ attempt: 2, state: 'asked' });
    const outcomes = await inOrder(clock, [() => report(failed), () => report(delivered)]);
    expect(outcomes).toEqual(['unchanged', 'contradiction']);
    expect((await units())[0]).toMatchObject({ attempt: 2, state: 'asked' });
  });

  it.each([
    [{ reference: 'INV-1-1-1', result: delivered }],
    [{ reference: 'nothing', result: delivered }],
    [{ supplierId: 'T-9', result: delivered }],
    [{ result: delivered }],
  ])('%j is about nothing here', async (news) => {
    const { send, stateOf } = await start();
    expect(await send(news)).toBe('unmatched');
    expect(await stateOf()).toBe('Proses');
  });

  it('of an attempt that was never made is about nothing here', async () => {
    const { report } = await start();
    expect(await report(delivered, 2)).toBe('unmatched');
  });
});

describe('a callback that proves nothing', () => {
  it('has the supplier asked, and counts as it answers', async () => {
    const { orderId, send, control, found, units } = await start();
    control.find = async () => ({ ...delivered, serialNumber: 'SN-9' });
    expect(await send({ supplierId: `T-${orderId}-1-1` })).toBe('applied');
    expect(found).toMatchObject([{ reference: `${orderId}-1-1`, supplierId: `T-${orderId}-1-1` }]);
    expect((await units())[0]).toMatchObject({ state: 'delivered', serialNumber: 'SN-9' });
  });

  it.each([
    ['is down', () => Promise.reject(new Error('down: key-1'))],
    ['talks nonsense', async () => ({ state: 'done' }) as never], // safe: an adapter without types
  ])('is to be sent again when the supplier %s', async (_what, answer) => {
    const { orderId, send, control, units, handled } = await start();
    control.find = answer;
    expect(await send({ supplierId: `T-${orderId}-1-1` })).toBe('failed');
    expect((await units())[0]?.state).toBe('asked');
    expect(handled).toHaveLength(1);
  });
});
