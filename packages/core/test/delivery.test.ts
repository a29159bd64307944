import { describe, expect, it } from 'vitest';
import { refundOrder, retryOrder } from '../src/engine/index.ts';
import { magicIds, type Supplier, type SupplyRequest, type SupplyResult } from '../src/supplier/index.ts';
import { createTestService, fixtureOrder } from './helpers/test-service.ts';

const minute = 60_000;

/** A service with a paid order of so many units. */
async function paidOrder(over: object = {}, options: Parameters<typeof createTestService>[0] = {}) {
  const service = await createTestService(options);
  const { orderId } = (await service.order({ ...fixtureOrder, ...over })).json;
  await service.sandbox.act(orderId, 'pay');
  const status = async () => (await service.get(`/invoice/${orderId}/payment-status`)).json.data;
  return { ...service, orderId, status };
}

describe('a paid order', () => {
  it('is PAID and Proses immediately, and Sukses once the supplier has delivered every unit', async () => {
    const { status, sandbox, get, orderId } = await paidOrder();
    expect(await status()).toMatchObject({ payment_status: 'PAID', buy_status: 'Proses' });
    await sandbox.advance(minute);
    expect(await status()).toMatchObject({ payment_status: 'PAID', buy_status: 'Sukses' });
    const { order } = (await get(`/invoice/${orderId}`)).json;
    expect(order.serial_number).toBe(`SN-${orderId}-1-1, SN-${orderId}-2-1`);
  });

  it('is delivered by an advance of exactly the delivery time, even if the advance itself takes long', async () => {
    let moves = 0;
    const service = await paidOrder(
      {},
      {
        store: (store) => ({
          ...store,
          async moveWorld(by) {
            moves += 1;
            if (moves === 1) service.clock.now += 5;
            return store.moveWorld(by);
          },
        }),
      },
    );
    await service.sandbox.advance(2_000);
    expect(await service.status()).toMatchObject({ payment_status: 'PAID', buy_status: 'Sukses' });
    expect(service.sandbox.world().now - service.clock.now).toBe(2_000);
    expect(moves).toBeGreaterThan(1);
  });

  it('no longer expires', async () => {
    const { status, sandbox } = await paidOrder({ id: magicIds.late });
    await sandbox.advance(31 * minute);
    expect(await status()).toMatchObject({ payment_status: 'PAID', buy_status: 'Sukses' });
  });

  it('keeps a history of its events, each with time and actor', async () => {
    const { store, sandbox, orderId } = await paidOrder();
    await sandbox.advance(minute);
    const history = await store.findHistory(orderId);
    expect(history.map(({ event, by, to }) => [event, by, to.paymentStatus, to.buyStatus])).toEqual([
      ['paid', 'sandbox', 'PAID', 'Proses'],
      ['delivered', 'supplier', 'PAID', 'Sukses'],
    ]);
  });
});

describe('the magic player ids', () => {
  it('let a supplier know no such player, whatever an operator retries', async () => {
    const { status, sandbox, store, clock, orderId } = await paidOrder({ id: magicIds.unknownPlayer });
    await sandbox.advance(minute);
    expect(await status()).toMatchObject({ payment_status: 'PAID', buy_status: 'Gagal' });
    await retryOrder({ store, worldClock: () => clock.now + minute }, orderId);
    await sandbox.advance(minute);
    expect(await status()).toMatchObject({ payment_status: 'PAID', buy_status: 'Gagal' });
    const units = await store.findUnits(orderId);
    expect(units.map(({ reason }) => reason)).toEqual(Array(2).fill('there is no such player'));
  });

  it('let every unit fail, which an operator can retry', async () => {
    const { status, sandbox, store, clock, orderId } = await paidOrder({ id: magicIds.fails });
    await sandbox.advance(minute);
    expect(await status()).toMatchObject({ payment_status: 'PAID', buy_status: 'Gagal' });
    const worldClock = () => clock.now + minute;
    await retryOrder({ store, worldClock }, orderId);
    expect(await status()).toMatchObject({ payment_status: 'PAID', buy_status: 'Proses' });
    await sandbox.advance(minute);
    expect(await status()).toMatchObject({ payment_status: 'PAID', buy_status: 'Sukses' });
  });

  it('let every second unit fail; a retry delivers those alone', async () => {
    const { status, sandbox, store, clock, orderId } = await paidOrder({
      id: magicIds.partlyFails,
      quantity: 4,
      promo_code: undefined,
    });
    await sandbox.advance(minute);
    expect(await status()).toMatchObject({ buy_status: 'Gagal' });
    expect((await store.findUnits(orderId)).map(({ state }) => state)).toEqual([
      'delivered',
      'failed',
      'delivered',
      'failed',
    ]);
    await retryOrder({ store, worldClock: () => clock.now + minute }, orderId);
    await sandbox.advance(minute);
    expect((await store.findUnits(orderId)).map(({ attempt }) => attempt)).toEqual([1, 2, 1, 2]);
    expect(await status()).toMatchObject({ buy_status: 'Sukses' });
  });

  it('let the first request time out; the order stays Proses and the request is repeated', async () => {
    const { status, sandbox, reported } = await paidOrder({ id: magicIds.timesOutOnce });
    expect(reported.length).toBeGreaterThan(0);
    expect(await status()).toMatchObject({ buy_status: 'Proses' });
    await sandbox.advance(minute);
    expect(await status()).toMatchObject({ buy_status: 'Sukses' });
  });

  it('delay the delivery', async () => {
    const { status, sandbox } = await paidOrder({ id: magicIds.late });
    await sandbox.advance(4 * minute);
    expect(await status()).toMatchObject({ buy_status: 'Proses' });
    await sandbox.advance(3 * minute);
    expect(await status()).toMatchObject({ buy_status: 'Sukses' });
  });
});

describe('a supplier', () => {
  /** A supplier that records its requests and returns the given result. */
  function recordingSupplier(respond: Supplier['supply']): Supplier & { requests: SupplyRequest[] } {
    const requests: SupplyRequest[] = [];
    return {
      name: 'noting',
      sandbox: true,
      requests,
      supply(request, signal) {
        requests.push(request);
        return respond(request, signal);
      },
    };
  }

  it('gets a request for each unit with its own reference, and repeated requests with the same one', async () => {
    const supplier = recordingSupplier(async () => ({ state: 'pending' }));
    const { sandbox, orderId } = await paidOrder({}, { supplier });
    await sandbox.advance(minute);
    const references = new Set(supplier.requests.map(({ reference }) => reference));
    expect(references).toEqual(new Set([`${orderId}-1-1`, `${orderId}-2-1`]));
    expect(supplier.requests.length).toBeGreaterThan(4);
    expect(supplier.requests[0]).toMatchObject({
      productCode: 'ML86',
      target: { id: '12345678', server: '2012' },
    });
  });

  it('gets no further request for a delivered unit', async () => {
    const supplier = recordingSupplier(async ({ reference }) => ({
      state: 'delivered',
      serialNumber: reference,
    }));
    const { sandbox, status } = await paidOrder({}, { supplier });
    expect(await status()).toMatchObject({ buy_status: 'Sukses' });
    await sandbox.advance(60 * minute);
    expect(supplier.requests).toHaveLength(2);
  });

  it('settles only the attempt that it was asked for, even if its response arrives after a retry', async () => {
    const late = Promise.withResolvers<SupplyResult>();
    const { engine, store, status, orderId, clock } = await paidOrder(
      { quantity: 1 },
      { supplier: recordingSupplier(() => late.promise) },
    );
    const deps = { store, worldClock: () => clock.now };
    // Another process repeats the request, gets a final response, and requests the next attempt.
    const other = await createTestService({
      after: store,
      supplier: recordingSupplier(async ({ reference }) =>
        reference.endsWith('-1-1') ? { state: 'failed', reason: 'out of stock' } : { state: 'pending' },
      ),
    });
    other.clock.now = clock.now + minute;
    await other.engine.dueWork.run();
    expect(await status()).toMatchObject({ buy_status: 'Gagal' });
    await retryOrder(deps, orderId);
    await other.engine.dueWork.run();
    const asked = await store.findUnits(orderId);
    expect(asked).toMatchObject([{ attempt: 2, state: 'asked' }]);
    late.resolve({ state: 'delivered', serialNumber: 'late' });
    await engine.dueWork.run();
    expect(await store.findUnits(orderId)).toEqual(asked);
  });

  it('gets a request only after the unit was stored as asked', async () => {
    const states: string[] = [];
    const service = await createTestService({
      supplier: recordingSupplier(async () => {
        const [unit] = await service.store.findUnits(orderId);
        states.push(unit?.state ?? 'none');
        return { state: 'pending' };
      }),
    });
    const { orderId } = (await service.order()).json;
    await service.sandbox.act(orderId, 'pay');
    expect(states[0]).toBe('asked');
  });
});

describe('a refund', () => {
  it('is possible only for a paid order whose delivery failed', async () => {
    const { status, sandbox, store, clock, orderId } = await paidOrder({ id: magicIds.fails });
    const deps = { store, worldClock: () => clock.now };
    await expect(refundOrder(deps, orderId)).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
    await sandbox.advance(minute);
    await refundOrder(deps, orderId);
    expect(await status()).toMatchObject({ payment_status: 'REFUND', buy_status: 'Gagal' });
    await expect(refundOrder(deps, orderId)).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
    await expect(refundOrder(deps, 'INV-0-AAAAAAAA')).rejects.toMatchObject({ code: 'INVOICE_NOT_FOUND' });
  });

  it('does not release the promo use', async () => {
    const { sandbox, store, clock, orderId } = await paidOrder({ id: magicIds.fails });
    await sandbox.advance(minute);
    await refundOrder({ store, worldClock: () => clock.now }, orderId);
    expect((await store.countPromoUses('RAMADAN10', '')).total).toBe(1);
  });
});
