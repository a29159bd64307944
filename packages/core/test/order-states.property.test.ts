import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { referenceOf } from '../src/engine/delivery/purchase.ts';
import { transitions } from '../src/engine/orders/states.ts';
import { markOrder, refundOrder, retryOrder, settleReconciliation } from '../src/features/index.ts';
import { sandboxCatalog } from '../src/sandbox/index.ts';
import type { PurchaseResult } from '../src/supplier/index.ts';
import { supplierThat } from './helpers/supplier.ts';
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

/** The transitions of the open points, payment and buy status separately. */
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
  it('contains only the transitions in the open points, and reaches no other pair of states', () => {
    for (const { from, to } of Object.values(transitions))
      for (const { paymentStatus, buyStatus } of from) {
        expect(legal).toContain(`${paymentStatus}/${buyStatus}`);
        expect(legal).toContain(`${to.paymentStatus}/${to.buyStatus}`);
        if (to.paymentStatus !== paymentStatus)
          expect(paymentArrows).toContain(`${paymentStatus}>${to.paymentStatus}`);
        if (to.buyStatus !== buyStatus) expect(buyArrows).toContain(`${buyStatus}>${to.buyStatus}`);
      }
  });
});

const quota = 1;

/** The sandbox catalogue with a quota of one for RAMADAN10. */
function catalogWithQuota() {
  const catalog = sandboxCatalog();
  const promo = catalog.promos.find(({ code }) => code === 'RAMADAN10');
  if (!promo) throw new Error('no RAMADAN10');
  return { ...catalog, promos: [{ ...promo, quota }] };
}

/**
 * `partly`: every second unit fails at its first attempt. `silent`: the supplier receives nothing. `lost`: it buys, and
 * its response is lost.
 */
const supplyResults = ['delivered', 'partly', 'failed', 'pending', 'silent', 'lost'] as const;

/** Random steps in a sandbox with a few orders; `order` picks one of them. */
const randomSteps = fc.array(
  fc.oneof(
    fc.record({ does: fc.constant('order' as const), quantity: fc.integer({ min: 1, max: 3 }) }),
    fc.record({
      does: fc.constant('paymentEvent' as const),
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
    fc.record({ does: fc.constant('supplier' as const), result: fc.constantFrom(...supplyResults) }),
    fc.record({
      does: fc.constantFrom('retry' as const, 'refund' as const, 'mark' as const),
      order: fc.nat(1),
    }),
    fc.record({ does: fc.constant('settle' as const), which: fc.nat(2) }),
  ),
  { minLength: 10, maxLength: 60 },
);
type RandomStep = typeof randomSteps extends fc.Arbitrary<(infer One)[]> ? One : never;

const abilities = ['reference', 'supplierId', 'none'] as const;

/**
 * A sandbox whose supplier returns the chosen results. It buys with every submission, also of a reference that it
 * already has, as suppliers may.
 */
async function createWorld(findBy: (typeof abilities)[number]) {
  let result: (typeof supplyResults)[number] = 'delivered';
  /** The supplier's books: how often each reference was bought, and what became of it. */
  const submissions = new Map<string, number>();
  const books = new Map<string, PurchaseResult>();
  const purchases = {
    keys: () => [...books].flatMap(([reference, { state }]) => (state === 'failed' ? [] : [reference])),
  };

  function chosenResult(reference: string): PurchaseResult {
    const isFailed = result === 'failed' || (result === 'partly' && reference.endsWith('-2-1'));
    if (isFailed) return { state: 'failed', reason: 'chosen' };
    return result === 'pending' ? { state: 'pending' } : { state: 'delivered', serialNumber: reference };
  }

  const service = await createTestService({
    catalog: catalogWithQuota(),
    supplier: supplierThat({
      abilities: { findBy },
      async submit({ reference }) {
        if (result === 'silent') throw new Error('silent');
        submissions.set(reference, (submissions.get(reference) ?? 0) + 1);
        const outcome = chosenResult(reference);
        books.set(reference, outcome);
        if (result === 'lost') throw new Error('lost');
        return { ...outcome, supplierId: `T-${reference}` };
      },
      async find({ reference, supplierId }) {
        if (findBy === 'none' || (findBy === 'supplierId' && supplierId !== `T-${reference}`))
          throw new Error('a question that this supplier does not understand');
        if (result === 'silent') throw new Error('silent');
        const outcome = books.get(reference);
        if (!outcome) return { state: 'absent' };
        if (outcome.state !== 'pending') return outcome;
        const now = chosenResult(reference);
        books.set(reference, now);
        return now;
      },
    }),
  });
  const orderIds: string[] = [];
  const deps = { store: service.store, worldClock: () => service.sandbox.world().now, operator: 'ani' };

  const does: {
    [Does in RandomStep['does']]: (one: Extract<RandomStep, { does: Does }>) => Promise<unknown>;
  } = {
    async order({ quantity }) {
      if (orderIds.length === 2) return;
      const { json, status } = await service.order({ ...fixtureOrder, quantity });
      if (status === 201) orderIds.push(json.orderId);
    },
    async paymentEvent({ order, status, wrongBy, ago }) {
      const stored = await service.store.findOrder(orderIds[order] ?? '');
      if (!stored) return;
      const amount = stored.pricing.total_price + wrongBy;
      await service.engine.handlePaymentEvent({
        reference: stored.payment.reference,
        status,
        amount,
        at: deps.worldClock() - ago,
      });
    },
    advance: ({ by }) => service.sandbox.advance(by),
    async supplier(one) {
      result = one.result;
    },
    retry: ({ order }) => retryOrder(deps, orderIds[order] ?? ''),
    refund: ({ order }) => refundOrder(deps, orderIds[order] ?? ''),
    /** An operator who looks the purchases up in the supplier's books, and marks the order when they all agree. */
    async mark({ order }) {
      const orderId = orderIds[order] ?? '';
      const units = await service.store.findUnits(orderId);
      const open = units.filter(({ state }) => state !== 'delivered' && state !== 'failed');
      const found = open.map((unit) => books.get(referenceOf(orderId, unit))?.state ?? 'failed');
      const outcome = found[0];
      if (outcome === undefined || outcome === 'pending' || found.some((one) => one !== outcome)) return;
      await markOrder(deps, orderId, { outcome, note: 'by the books' });
    },
    async settle({ which }) {
      const open = await service.store.listReconciliations({ state: 'open' });
      const reconciliationId = open[which]?.reconciliationId ?? '';
      await settleReconciliation(deps, { reconciliationId, otherAmount: true });
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
      // The history leads from the first state to the current one without a gap.
      let at = 'UNPAID/Pending';
      for (const { from, to } of history) {
        expect(`${from.paymentStatus}/${from.buyStatus}`).toBe(at);
        at = `${to.paymentStatus}/${to.buyStatus}`;
      }
      expect(at).toBe(`${paymentStatus}/${buyStatus}`);
      // No reference is bought twice; only paid orders are delivered, and no unit twice.
      for (const count of submissions.values()) expect(count).toBe(1);
      const bought = purchases.keys().filter((reference) => reference.startsWith(`${orderId}-`));
      const everPaid = history.some(({ to }) => to.paymentStatus === 'PAID');
      expect(everPaid || bought.length === 0).toBe(true);
      const unitsBought = bought.map((reference) => reference.split('-').at(-2));
      expect(new Set(unitsBought).size).toBe(bought.length);
      if (buyStatus === 'Sukses') expect(units.every(({ state }) => state === 'delivered')).toBe(true);
      const isLive = paymentStatus !== 'EXPIRED' && paymentStatus !== 'FAILED';
      if (isLive) held += 1;
      // Paid after its use was released; another order may have claimed the use since then.
      if (isLive && history.some(({ to }) => to.buyStatus === 'Batal')) late += 1;
    }
    const { total } = await service.store.countPromoUses('RAMADAN10', '');
    expect(total).toBeLessThanOrEqual(quota);
    // The count of uses is exact: each order that isn't cancelled holds one.
    expect(total).toBeLessThanOrEqual(held);
    expect(total).toBeGreaterThanOrEqual(held - late);
  }

  return {
    async apply(one: RandomStep) {
      // Safe: this handler is for this kind of step.
      await (does[one.does] as (one: RandomStep) => Promise<unknown>)(one).catch((error: unknown) => {
        if (
          !(
            error instanceof Error &&
            ['AmountError', 'ClosingError', 'DomainError', 'UnitsError'].includes(error.name)
          )
        )
          throw error;
      });
      await check();
    },
    reported: service.reported,
  };
}

describe('random events', () => {
  it('never reaches an illegal state, delivers twice or loses a promo use under random events', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...abilities), randomSteps, async (findBy, all) => {
        const world = await createWorld(findBy);
        for (const one of all) await world.apply(one);
      }),
      { numRuns: 300 },
    );
  }, 60_000);
});
