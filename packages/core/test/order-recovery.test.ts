import { describe, expect, it } from 'vitest';
import { another, moment, place, reserve } from '../../suites/src/store/fixtures.ts';
import type { EngineEvent } from '../src/engine/events.ts';
import { findInterrupted, recoverOrder } from '../src/engine/orders/recover.ts';
import { createMemoryStore } from '../src/features/store.ts';
import type { RemoteGateway } from '../src/gateway/index.ts';

const down = () => Promise.reject(new Error('gateway down'));

describe('the recovery of an order', () => {
  const found = (fields: object) => async () => ({ state: 'found', payment: fields }) as never; // Safe: an adapter without types can return this value.
  const payment = { reference: 'remote-1', code: '1', url: null, qrString: null };

  /** A reserved order that is recovered half a minute after it was created, beside an order with the reference `taken`. */
  async function recover(
    findPayment: RemoteGateway['findPayment'],
    gateway: string | null = 'remote',
    age = 30_000,
    servers = 1,
  ) {
    const store = createMemoryStore();
    await store.placeOrder(place(another('B', { payment: { ...payment, reference: 'taken' } })));
    await store.reserveOrder(reserve(another('A', { gateway })));
    const reported: unknown[] = [];
    const remote: RemoteGateway = {
      ...{ kind: 'remote', name: 'remote', sandbox: true, findPayment },
      createPayment: () => new Promise(() => {}),
    };
    const deps = {
      ...{
        store,
        gateway: remote,
        worldClock: () => moment + age,
        renderResponse: () => ({ body: '{}', locale: 'id' as const }),
        renderInvoice: () => {
          throw new Error('nobody is told of an order');
        },
      },
      emit(event: EngineEvent) {
        if (event.type === 'error') reported.push(event.error);
      },
    };
    for (const one of await findInterrupted(deps, 10))
      await Promise.all(Array.from({ length: servers }, () => recoverOrder(deps, remote, one)));
    const { orderId } = another('A');
    const order = await store.findOrder(orderId);
    const reserved = (await store.findReservedOrders(10)).length === 1;
    const status = order?.paymentStatus ?? (reserved ? 'reserved' : 'gone');
    return { status, reported: reported.map(String), history: await store.findHistory(orderId) };
  }

  it.each<[string, RemoteGateway['findPayment'], string, RegExp[]]>([
    ['that is found, so the order can be paid', found(payment), 'UNPAID', []],
    ['that is absent, so the order is removed', async () => ({ state: 'absent' }), 'gone', []],
    ['that is unclear, so the order stays reserved', down, 'reserved', [/^Error: gateway down$/]],
    [
      'that belongs to another order, so the order stays reserved',
      found({ ...payment, reference: 'taken' }),
      'reserved',
      [/^Error: taken: reference_taken$/],
    ],
    [
      'that is unusable, so the order fails',
      found({ ...payment, code: 7 }),
      'FAILED',
      [/invalid result.code/],
    ],
    [
      'that is unusable and belongs to another order, so the order stays reserved',
      found({ ...payment, code: 7, reference: 'taken' }),
      'reserved',
      [/invalid result.code/, /^Error: taken: reference_taken$/],
    ],
    [
      'that has no reference, so the order stays reserved',
      found({ ...payment, reference: 7 }),
      'reserved',
      [/invalid result.reference/],
    ],
  ])('recovers an order with a payment %s', async (_what, findPayment, status, errors) => {
    const result = await recover(findPayment);
    expect(result.status).toBe(status);
    expect(result.reported).toEqual(errors.map((text) => expect.stringMatching(text)));
    expect(result.history.map(({ event, by }) => [event, by])).toEqual(
      status === 'FAILED' ? [['failed', 'gateway']] : [],
    );
  });

  it.each<[string, RemoteGateway['findPayment'], string]>([
    ['that is found', found(payment), 'UNPAID'],
    ['that there is none', async () => ({ state: 'absent' }), 'gone'],
    ['that nobody can pay', found({ ...payment, code: 7 }), 'FAILED'],
  ])(
    'recovers an order by two simultaneous servers without an error, with a payment %s',
    async (_what, findPayment, status) => {
      const result = await recover(findPayment, 'remote', 30_000, 2);
      expect(result.status).toBe(status);
      expect(result.reported.filter((text) => text.includes('order_missing'))).toEqual([]);
      expect(result.history.filter(({ event }) => event === 'failed').length).toBeLessThanOrEqual(1);
    },
  );

  it.each([
    ['of an earlier version, which named no gateway', null, 30_000, 'gone'],
    ['of another gateway', 'other', 30_000, 'reserved'],
    ['whose request may be in flight', 'remote', 29_999, 'reserved'],
  ])('handles a reserved order %s', async (_what, gateway, age, status) => {
    expect((await recover(async () => ({ state: 'absent' }), gateway, age)).status).toBe(status);
  });
});
