import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buyStatuses, paymentStatuses } from '../src/contract/index.ts';
import { refundOrder, retryOrder, settleReconciliation } from '../src/engine/index.ts';
import { transitionOf } from '../src/engine/orders/states.ts';
import { sandboxCatalog } from '../src/sandbox/index.ts';
import { orderEvents } from '../src/store/types.ts';
import type { SupplyAnswer } from '../src/supplier/index.ts';
import { createTestService, fixtureOrder } from './helpers/test-service.ts';

/** The pairs of states that the tables of the open points can lead to. */
const legal = new Set([
  'UNPAID/Pending',
  'PAID/Proses',
  'PAID/Sukses',
  'PAID/Gagal',
  'EXPIRED/Batal',
  'FAILED/Batal',
  'REFUND/Gagal',
]);

/** The arrows of the open points, payment and buy status apart. */
const paymentArrows = new Set([
  'UNPAID>PAID',
  'UNPAID>EXPIRED',
  'UNPAID>FAILED',
  'EXPIRED>PAID',
  'FAILED>PAID',
  'PAID>REFUND',
]);
const buyArrows = new Set([
  'Pending>Proses',
  'Batal>Proses',
  'Pending>Batal',
  'Proses>Sukses',
  'Proses>Gagal',
  'Gagal>Proses',
]);

describe('the table of transitions', () => {
  it('has no arrow that the open points do not have, and leads to no other pair of states', () => {
    for (const paymentStatus of paymentStatuses)
      for (const buyStatus of buyStatuses)
        for (const event of orderEvents) {
          const to = transitionOf({ paymentStatus, buyStatus }, event)?.to;
          if (!to) continue;
          expect(legal).toContain(`${to.paymentStatus}/${to.buyStatus}`);
          if (to.paymentStatus !== paymentStatus)
            expect(paymentArrows).toContain(`${paymentStatus}>${to.paymentStatus}`);
          if (to.buyStatus !== buyStatus) expect(buyArrows).toContain(`${buyStatus}>${to.buyStatus}`);
        }
  });
});

const quota = 1;

/** RAMADAN10 for one order at a time. */
function catalogWithQuota() {
  const catalog = sandboxCatalog();
  const promo = catalog.promos.find(({ code }) => code === 'RAMADAN10');
  if (!promo) throw new Error('no RAMADAN10');
  return { ...catalog, promos: [{ ...promo, quota }] };
}

/** `partly`: every second unit fails, the first time. */
const supplyAnswers = ['delivered', 'partly', 'failed', 'pending', 'silent'] as const;

/** What can happen in a world with a few orders; `order` picks one of them. */
const happenings = fc.array(
  fc.oneof(
    fc.record({ does: fc.constant('order' as const), quantity: fc.integer({ min: 1, max: 3 }) }),
    fc.record({
      does: fc.constant('news' as const),
      order: fc.nat(1),
      status: fc.constantFrom(
        'paid' as const,
        'paid' as const,
        'failed' as const,
        'expired' as const,
        'refunded' as const,
      ),
      wrongBy: fc.constantFrom(0, 0, 0, 1, -1),
      ago: fc.constantFrom(0, 60_000, 40 * 60_000),
    }),
    fc.record({ does: fc.constant('advance' as const), by: fc.constantFrom(500, 5_000, 20 * 60_000) }),
    fc.record({ does: fc.constant('supplier' as const), answers: fc.constantFrom(...supplyAnswers) }),
    fc.record({ does: fc.constantFrom('retry' as const, 'refund' as const), order: fc.nat(1) }),
    fc.record({ does: fc.constant('settle' as const), which: fc.nat(2) }),
  ),
  { minLength: 10, maxLength: 60 },
);
type Happening = typeof happenings extends fc.Arbitrary<(infer One)[]> ? One : never;

/** A world with a supplier that answers as told, and counts what it really delivered. */
async function createWorld() {
  let answers: (typeof supplyAnswers)[number] = 'delivered';
  const purchases = new Map<string, number>();
  const service = await createTestService({
    catalog: catalogWithQuota(),
    supplier: {
      name: 'told',
      sandbox: true,
      async supply({ reference }): Promise<SupplyAnswer> {
        // As a real one: a reference that was delivered stays delivered, however often it is asked for.
        if (purchases.has(reference)) return { state: 'delivered', serialNumber: reference };
        if (answers === 'silent') throw new Error('silent');
        if (answers === 'pending') return { state: 'pending' };
        if (answers === 'failed' || (answers === 'partly' && reference.endsWith('-2-1')))
          return { state: 'failed', reason: 'told' };
        purchases.set(reference, 1);
        return { state: 'delivered', serialNumber: reference };
      },
    },
  });
  const orderIds: string[] = [];
  const deps = { store: service.store, worldClock: () => service.sandbox.world().now };

  const does: { [Does in Happening['does']]: (one: Extract<Happening, { does: Does }>) => Promise<unknown> } =
    {
      async order({ quantity }) {
        if (orderIds.length === 2) return;
        const { json, status } = await service.order({ ...fixtureOrder, quantity });
        if (status === 201) orderIds.push(json.orderId);
      },
      async news({ order, status, wrongBy, ago }) {
        const stored = await service.store.findOrder(orderIds[order] ?? '');
        if (!stored) return;
        const amount = stored.pricing.total_price + wrongBy;
        await service.engine.takePaymentNews({
          reference: stored.payment.reference,
          status,
          amount,
          at: deps.worldClock() - ago,
        });
      },
      advance: ({ by }) => service.sandbox.advance(by),
      async supplier(one) {
        answers = one.answers;
      },
      retry: ({ order }) => retryOrder(deps, orderIds[order] ?? ''),
      refund: ({ order }) => refundOrder(deps, orderIds[order] ?? ''),
      async settle({ which }) {
        const open = await service.store.listReconciliations('open');
        await settleReconciliation(deps, open[which]?.reconciliationId ?? '');
      },
    };

  async function check(): Promise<void> {
    let held = 0;
    let late = 0;
    for (const order of await service.store.listOrders({ limit: 10 })) {
      const { orderId, paymentStatus, buyStatus } = order;
      expect(legal).toContain(`${paymentStatus}/${buyStatus}`);
      const units = await service.store.findUnits(orderId);
      const history = await service.store.findHistory(orderId);
      // The history leads from the first state to the present one without a gap.
      let at = 'UNPAID/Pending';
      for (const { from, to } of history) {
        expect(`${from.paymentStatus}/${from.buyStatus}`).toBe(at);
        at = `${to.paymentStatus}/${to.buyStatus}`;
      }
      expect(at).toBe(`${paymentStatus}/${buyStatus}`);
      // Nothing is delivered that was not paid, and no unit twice.
      const bought = [...purchases.keys()].filter((reference) => reference.startsWith(`${orderId}-`));
      const everPaid = history.some(({ to }) => to.paymentStatus === 'PAID');
      expect(everPaid || bought.length === 0).toBe(true);
      const unitsBought = bought.map((reference) => reference.split('-').at(-2));
      expect(new Set(unitsBought).size).toBe(bought.length);
      if (buyStatus === 'Sukses') expect(units.every(({ state }) => state === 'delivered')).toBe(true);
      const isLive = paymentStatus !== 'EXPIRED' && paymentStatus !== 'FAILED';
      if (isLive) held += 1;
      // Paid after its use was released, and perhaps after somebody else took that.
      if (isLive && history.some(({ to }) => to.buyStatus === 'Batal')) late += 1;
    }
    const { total } = await service.store.countPromoUses('RAMADAN10', '');
    expect(total).toBeLessThanOrEqual(quota);
    // No use is lost, and none is made up: each order that isn't cancelled holds one.
    expect(total).toBeLessThanOrEqual(held);
    expect(total).toBeGreaterThanOrEqual(held - late);
  }

  return {
    async apply(one: Happening) {
      // Safe: the handler is the one of this kind of happening.
      await (does[one.does] as (one: Happening) => Promise<unknown>)(one).catch((error: unknown) => {
        if (!(error instanceof Error && error.name === 'Refusal')) throw error;
      });
      await check();
    },
    reported: service.reported,
  };
}

describe('random events', () => {
  it('lead to no illegal state, no double delivery and no lost promo use', async () => {
    await fc.assert(
      fc.asyncProperty(happenings, async (all) => {
        const world = await createWorld();
        for (const one of all) await world.apply(one);
      }),
      { numRuns: 300 },
    );
  }, 60_000);
});
