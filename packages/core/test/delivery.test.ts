import { setImmediate as immediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { refundOrder, retryOrder } from '../src/features/index.ts';
import { magicIds, type PurchaseRequest, type PurchaseResult, type Supplier } from '../src/supplier/index.ts';
import { supplierThat } from './helpers/supplier.ts';
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
  it('changes a paid order to PAID and Proses immediately, and to Sukses after every unit is delivered', async () => {
    const { status, sandbox, get, orderId } = await paidOrder();
    expect(await status()).toMatchObject({ payment_status: 'PAID', buy_status: 'Proses' });
    await sandbox.advance(minute);
    expect(await status()).toMatchObject({ payment_status: 'PAID', buy_status: 'Sukses' });
    const { order } = (await get(`/invoice/${orderId}`)).json;
    expect(order.serial_number).toBe(`SN-${orderId}-1-1, SN-${orderId}-2-1`);
  });

  it('delivers an order when the clock advances by exactly the delivery time, even if advancing takes long', async () => {
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

  it('never expires a paid order', async () => {
    const { status, sandbox } = await paidOrder({ id: magicIds.late });
    await sandbox.advance(31 * minute);
    expect(await status()).toMatchObject({ payment_status: 'PAID', buy_status: 'Sukses' });
  });

  it("records an order's events with their time and actor", async () => {
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
  it("reports an unknown player for the magic id, even after an operator's retry", async () => {
    const { status, sandbox, store, clock, orderId } = await paidOrder({ id: magicIds.unknownPlayer });
    await sandbox.advance(minute);
    expect(await status()).toMatchObject({ payment_status: 'PAID', buy_status: 'Gagal' });
    await retryOrder({ store, worldClock: () => clock.now + minute, operator: 'ani' }, orderId);
    await sandbox.advance(minute);
    expect(await status()).toMatchObject({ payment_status: 'PAID', buy_status: 'Gagal' });
    const units = await store.findUnits(orderId);
    expect(units.map(({ reason }) => reason)).toEqual(Array(2).fill('there is no such player'));
  });

  it('fails every unit for the magic id, until an operator retries', async () => {
    const { status, sandbox, store, clock, orderId } = await paidOrder({ id: magicIds.fails });
    await sandbox.advance(minute);
    expect(await status()).toMatchObject({ payment_status: 'PAID', buy_status: 'Gagal' });
    const worldClock = () => clock.now + minute;
    await retryOrder({ store, worldClock, operator: 'ani' }, orderId);
    expect(await status()).toMatchObject({ payment_status: 'PAID', buy_status: 'Proses' });
    await sandbox.advance(minute);
    expect(await status()).toMatchObject({ payment_status: 'PAID', buy_status: 'Sukses' });
  });

  it('fails every second unit for the magic id, and delivers only those units in a retry', async () => {
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
    await retryOrder({ store, worldClock: () => clock.now + minute, operator: 'ani' }, orderId);
    await sandbox.advance(minute);
    expect((await store.findUnits(orderId)).map(({ attempt }) => attempt)).toEqual([1, 2, 1, 2]);
    expect(await status()).toMatchObject({ buy_status: 'Sukses' });
  });

  it('times out the first request for the magic id, keeps the order in Proses, and repeats the request', async () => {
    const { status, sandbox, reported } = await paidOrder({ id: magicIds.timesOutOnce });
    expect(reported.length).toBeGreaterThan(0);
    expect(await status()).toMatchObject({ buy_status: 'Proses' });
    await sandbox.advance(minute);
    expect(await status()).toMatchObject({ buy_status: 'Sukses' });
  });

  it('delays the delivery for the magic id', async () => {
    const { status, sandbox } = await paidOrder({ id: magicIds.late });
    await sandbox.advance(4 * minute);
    expect(await status()).toMatchObject({ buy_status: 'Proses' });
    await sandbox.advance(3 * minute);
    expect(await status()).toMatchObject({ buy_status: 'Sukses' });
  });
});

describe('a supplier', () => {
  /** A supplier that records its requests and returns the given result, to submissions and questions alike. */
  function recordingSupplier(respond: Supplier['submit']): Supplier & { requests: PurchaseRequest[] } {
    const requests: PurchaseRequest[] = [];
    const record: Supplier['submit'] = (request, signal) => {
      requests.push(request);
      return respond(request, signal);
    };
    return { ...supplierThat({ submit: record, find: record }), requests };
  }

  it('sends the supplier one request per unit with a separate reference, and repeats the request with the same reference', async () => {
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

  it('sends no more requests for a delivered unit', async () => {
    const supplier = recordingSupplier(async ({ reference }) => ({
      state: 'delivered',
      serialNumber: reference,
    }));
    const { sandbox, status } = await paidOrder({}, { supplier });
    expect(await status()).toMatchObject({ buy_status: 'Sukses' });
    await sandbox.advance(60 * minute);
    expect(supplier.requests).toHaveLength(2);
  });

  it('settles only the attempt of the request, even if its response arrives after a retry', async () => {
    const late = Promise.withResolvers<PurchaseResult>();
    const { engine, store, status, orderId, clock } = await paidOrder(
      { quantity: 1 },
      { supplier: recordingSupplier(() => late.promise) },
    );
    const deps = { store, worldClock: () => clock.now, operator: 'ani' };
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
    const contradiction = expect.stringMatching(
      /attempt 1 as delivered, with serial number late, after it had failed/,
    );
    expect(await store.findUnits(orderId)).toEqual(asked.map((unit) => ({ ...unit, contradiction })));
  });

  it('sends a request only after it has stored that it asks the supplier about the unit', async () => {
    const states: string[] = [];
    const service = await createTestService({
      // The memory store has done a command when it returns; one that writes to a disk has not.
      store: (store) => ({
        ...store,
        async changeOrder(change) {
          await immediate();
          return store.changeOrder(change);
        },
      }),
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

describe('a purchase', () => {
  /** A supplier with its calls, by name. */
  function withCalls(behaviour: Parameters<typeof supplierThat>[0]) {
    const calls: string[] = [];
    const supplier = supplierThat(behaviour);
    return {
      calls,
      supplier: {
        ...supplier,
        submit(...args) {
          calls.push('submit');
          return supplier.submit(...args);
        },
        find(...args) {
          calls.push(`find ${args[0].supplierId}`);
          return supplier.find(...args);
        },
      } satisfies Supplier,
    };
  }
  const down = () => Promise.reject(new Error('connection reset'));
  const one = { quantity: 1 };

  it('submits a purchase once, and then looks it up', async () => {
    const { calls, supplier } = withCalls({ submit: down });
    const { sandbox } = await paidOrder(one, { supplier });
    await sandbox.advance(10 * minute);
    expect(calls.length).toBeGreaterThan(5);
    expect(new Set(calls.slice(1))).toEqual(new Set(['find null']));
  });

  it("submits a purchase again if the supplier reports that it doesn't have the purchase", async () => {
    let isReachable = false;
    const { calls, supplier } = withCalls({
      submit: async () => (isReachable ? { state: 'delivered', serialNumber: 'SN' } : down()),
      find: async () => ({ state: 'absent' }),
    });
    const { sandbox, status } = await paidOrder(one, { supplier });
    isReachable = true;
    await sandbox.advance(minute);
    expect(calls).toEqual(['submit', 'find null', 'submit']);
    expect(await status()).toMatchObject({ buy_status: 'Sukses' });
  });

  it('looks up a purchase by the id that the supplier gave and the server stored', async () => {
    const { calls, supplier } = withCalls({
      abilities: { findBy: 'supplierId' },
      submit: async () => ({ state: 'pending', supplierId: 'T1' }),
      find: async () => ({ state: 'delivered', serialNumber: 'SN' }),
    });
    const { sandbox, store, orderId } = await paidOrder(one, { supplier });
    await sandbox.advance(minute);
    expect(calls).toEqual(['submit', 'find T1']);
    expect(await store.findUnits(orderId)).toMatchObject([{ state: 'delivered', supplierId: 'T1' }]);
  });

  it.each([
    ['returned no id', { findBy: 'supplierId' }, /no purchase id/],
    ["can't be asked", { findBy: 'none' }, /can't be asked/],
    [
      'no longer knows the reference',
      { referenceLifetimeMs: 0 },
      /no outcome before its time limit for status checks/,
    ],
  ] as const)(
    'leaves a purchase with an unknown outcome to an operator, because the supplier %s',
    async (_why, abilities, reason) => {
      const { calls, supplier } = withCalls({ abilities, submit: down });
      const { sandbox, status, store, orderId, clock } = await paidOrder(one, { supplier });
      await sandbox.advance(60 * minute);
      expect(calls).toEqual(['submit']);
      expect(await status()).toMatchObject({ payment_status: 'PAID', buy_status: 'Proses' });
      expect(await store.findUnits(orderId)).toMatchObject([
        { state: 'unknown', nextAt: null, reason: expect.stringMatching(reason) },
      ]);
      const deps = { store, worldClock: () => clock.now, operator: 'ani' };
      await expect(retryOrder(deps, orderId)).rejects.toMatchObject({ name: 'UnitsError', next: 'mark' });
    },
  );

  it('stops looking up a purchase when its reference is too old', async () => {
    const { calls, supplier } = withCalls({ abilities: { referenceLifetimeMs: 5 * minute } });
    const { sandbox, store, orderId } = await paidOrder(one, { supplier });
    await sandbox.advance(4 * minute);
    expect(await store.findUnits(orderId)).toMatchObject([{ state: 'asked' }]);
    await sandbox.advance(10 * minute);
    const before = calls.length;
    await sandbox.advance(60 * minute);
    expect(calls).toHaveLength(before);
    expect(await store.findUnits(orderId)).toMatchObject([{ state: 'unknown' }]);
  });

  it("looks up a purchase after a crash between store and supplier, and doesn't submit it again", async () => {
    const { calls, supplier } = withCalls({ find: async () => ({ state: 'delivered', serialNumber: 'SN' }) });
    const hanging = supplierThat({ submit: () => new Promise(() => {}) });
    const { store, clock, orderId } = await paidOrder(one, { supplier: hanging });
    const next = await createTestService({ after: store, supplier });
    next.clock.now = clock.now + minute;
    await next.engine.dueWork.run();
    expect(calls).toEqual(['find null']);
    expect(await store.findUnits(orderId)).toMatchObject([{ state: 'delivered' }]);
  });

  describe('a purchase that was submitted to another supplier', () => {
    /** A purchase without an outcome at the supplier `old`, and a server that now uses another one. */
    async function changed() {
      const old = withCalls({ name: 'old' });
      const { store, clock, orderId } = await paidOrder(one, { supplier: old.supplier });
      const use = async (supplier: Supplier, after: number) => {
        const service = await createTestService({ after: store, supplier });
        clock.now += after;
        service.clock.now = clock.now;
        await service.engine.dueWork.run();
        await service.engine.dueWork.run();
        return (await store.findUnits(orderId))[0];
      };
      return { use, old, store, orderId };
    }

    it('neither submits nor looks up a purchase of another supplier at the new supplier, and names the old supplier', async () => {
      const { calls, supplier } = withCalls({ name: 'new' });
      const { use } = await changed();
      const unit = { state: 'unknown', supplier: 'old', reason: expect.stringContaining('submitted to old') };
      expect(await use(supplier, minute)).toMatchObject(unit);
      expect(await use(supplier, 60 * minute)).toMatchObject(unit);
      expect(calls).toEqual([]);
    });

    it('looks up a purchase again once the old supplier is configured again', async () => {
      const { use, old } = await changed();
      await use(supplierThat({ name: 'new' }), minute);
      expect(old.calls).toEqual(['submit']);
      const back = {
        ...old.supplier,
        find: async () => ({ state: 'delivered', serialNumber: 'SN' }) as const,
      };
      expect(await use(back, 11 * minute)).toMatchObject({ state: 'delivered', serialNumber: 'SN' });
      expect(old.calls).toEqual(['submit']);
    });
  });

  it('looks up a purchase no more often than the supplier allows', async () => {
    const at: number[] = [];
    const world = { now: () => 0 };
    const record = async () => {
      at.push(world.now());
      return { state: 'pending' } as const;
    };
    const supplier = supplierThat({
      abilities: { findIntervalMs: 90_000 },
      submit: record,
      find: record,
    });
    const service = await createTestService({ supplier });
    world.now = () => service.sandbox.world().now;
    const { orderId } = (await service.order({ ...fixtureOrder, ...one })).json;
    await service.sandbox.act(orderId, 'pay');
    await service.sandbox.advance(10 * minute);
    const gaps = at.slice(1).map((moment, index) => moment - (at[index] ?? 0));
    expect(gaps.length).toBeGreaterThan(3);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(90_000);
  });

  it.each([
    [{ state: 'delivered' }, 'result.serialNumber'],
    [{ state: 'sukses' }, 'result.state'],
    [{ state: 'pending', supplierId: 7 }, 'result.supplierId'],
    [undefined, 'result'],
  ])(
    'keeps a purchase with the result %j open, and reports an error that names %s',
    async (result, place) => {
      // Safe: an adapter without types can return anything.
      const supplier = supplierThat({ submit: async () => result as PurchaseResult });
      const { reported, store, orderId } = await paidOrder(one, { supplier });
      expect(String(reported[0])).toContain(`returned an invalid ${place}:`);
      expect(await store.findUnits(orderId)).toMatchObject([{ state: 'asked' }]);
    },
  );
});

describe('a look-up that fails', () => {
  it('stores why a look-up failed on the unit, in one bounded line, until a look-up succeeds', async () => {
    let response: () => Promise<PurchaseResult> = () =>
      Promise.reject(new Error(`no\nroute ${'x'.repeat(999)}`));
    const supplier = supplierThat({ submit: () => response(), find: () => response() });
    const { sandbox, store, orderId } = await paidOrder({ quantity: 1 }, { supplier });
    const [failed] = await store.findUnits(orderId);
    expect(failed).toMatchObject({ state: 'asked', reason: expect.stringMatching(/^no route x{200,}…$/) });
    expect(failed?.reason).toHaveLength(300);
    response = async () => ({ state: 'pending' });
    await sandbox.advance(minute);
    expect(await store.findUnits(orderId)).toMatchObject([{ state: 'asked', reason: null }]);
  });

  it('stores why a look-up failed only if the reason changes', async () => {
    let changes = 0;
    const service = await paidOrder(
      { quantity: 1 },
      {
        supplier: supplierThat({
          submit: () => Promise.reject(new Error('down')),
          find: () => Promise.reject(new Error('down')),
        }),
        store: (store) => ({
          ...store,
          changeOrder(change) {
            if (change.units.some(({ reason }) => reason === 'down')) changes += 1;
            return store.changeOrder(change);
          },
        }),
      },
    );
    const before = changes;
    const version = (await service.store.findOrder(service.orderId))?.version ?? 0;
    await service.engine.dueWork.run();
    expect({ before, changes }).toEqual({ before: 1, changes: 1 });
    expect((await service.store.findOrder(service.orderId))?.version).toBe(version);
  });
});

describe('a refund', () => {
  it('refunds only a paid order whose delivery failed', async () => {
    const { status, sandbox, store, clock, orderId } = await paidOrder({ id: magicIds.fails });
    const deps = { store, worldClock: () => clock.now, operator: 'ani' };
    await expect(refundOrder(deps, orderId)).rejects.toMatchObject({ name: 'UnitsError', units: [1, 2] });
    await sandbox.advance(minute);
    await refundOrder(deps, orderId);
    expect(await status()).toMatchObject({ payment_status: 'REFUND', buy_status: 'Gagal' });
    await expect(refundOrder(deps, orderId)).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
    await expect(refundOrder(deps, 'INV-0-AAAAAAAA')).rejects.toMatchObject({ code: 'INVOICE_NOT_FOUND' });
  });

  it('rejects the refund of an unpaid order, and the refund of a delivered order without an amount', async () => {
    const { status, sandbox, store, clock, order, orderId } = await paidOrder();
    await sandbox.advance(minute);
    const unpaid = (await order()).json;
    const deps = { store, worldClock: () => clock.now, operator: 'ani' };
    for (const amount of [undefined, 'all', 1] as const)
      await expect(refundOrder(deps, unpaid.orderId, { amount })).rejects.toMatchObject({
        code: 'STATE_CONFLICT',
      });
    await expect(refundOrder(deps, orderId)).rejects.toMatchObject({ problem: 'nothing-owed' });
    expect(await status()).toMatchObject({ payment_status: 'PAID', buy_status: 'Sukses' });
  });

  it('keeps counting the promo use of a refunded order', async () => {
    const { sandbox, store, clock, orderId } = await paidOrder({ id: magicIds.fails });
    await sandbox.advance(minute);
    await refundOrder({ store, worldClock: () => clock.now, operator: 'ani' }, orderId);
    expect((await store.countPromoUses('RAMADAN10', '')).total).toBe(1);
  });
});

describe('two processes over one store', () => {
  /** A supplier that delivers at once, and the references of its submissions. */
  function countingSupplier() {
    const submitted: string[] = [];
    const supplier = supplierThat({
      submit: async ({ reference }) => {
        submitted.push(reference);
        return { state: 'delivered', serialNumber: `SN-${reference}` };
      },
    });
    return { submitted, supplier };
  }

  it('submits a unit once from two processes, even if both read it before one of them marked it', async () => {
    const { submitted, supplier } = countingSupplier();
    const first = await createTestService({ supplier });
    let isFirst = true;
    const second = await createTestService({
      after: first.store,
      supplier,
      store: (store) => ({
        ...store,
        async changeOrder(change) {
          const marks = change.units.some(({ state }) => state === 'asked');
          if (marks && isFirst) {
            isFirst = false;
            await first.engine.dueWork.run();
          }
          return store.changeOrder(change);
        },
      }),
    });
    const { orderId } = (await first.order({ ...fixtureOrder, quantity: 3 })).json;
    await second.sandbox.act(orderId, 'pay');
    expect(isFirst).toBe(false);
    expect(submitted).toHaveLength(3);
    expect(new Set(submitted).size).toBe(3);
    expect((await first.store.findOrder(orderId))?.buyStatus).toBe('Sukses');
  });

  it('completes each step once in two processes, even if the other process changes the order before each step', async () => {
    const { submitted, supplier } = countingSupplier();
    let calls = 0;
    const { order, sandbox, engine, clock, store, reported } = await createTestService({
      supplier,
      store: (memory) => ({
        ...memory,
        /** Every second change finds that another one was stored since the order was read. */
        async changeOrder(change) {
          calls += 1;
          const current = await memory.findOrder(change.orderId);
          if (calls % 2 === 1 && current)
            await memory.changeOrder({
              orderId: current.orderId,
              version: current.version,
              to: { paymentStatus: current.paymentStatus, buyStatus: current.buyStatus },
              entry: null,
              promo: 'keep',
              units: [],
              serialNumber: current.serialNumber,
              settles: [],
              refunds: [],
            });
          return memory.changeOrder(change);
        },
      }),
    });
    const paid = (await order({ ...fixtureOrder, quantity: 3 })).json.orderId;
    const unpaid = (await order()).json.orderId;
    await sandbox.act(paid, 'pay');
    for (let tick = 0; tick < 60; tick += 1) {
      clock.now += 60_000;
      await engine.dueWork.run();
    }
    expect(new Set(submitted).size).toBe(3);
    expect(submitted).toHaveLength(3);
    const events = async (orderId: string) => (await store.findHistory(orderId)).map(({ event }) => event);
    expect(await events(paid)).toEqual(['paid', 'delivered']);
    expect(await events(unpaid)).toEqual(['expired']);
    expect(reported).toEqual([]);
  });
});
