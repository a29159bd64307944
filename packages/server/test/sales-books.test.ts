import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { computeProfit } from '@topup-kit/core/engine';
import { reportSales, salesDivisions } from '@topup-kit/core/features/reports/sales-report';
import {
  addFigures,
  createMemoryStore,
  noFigures,
  type SalesFigures,
  type Store,
  saleLines,
} from '@topup-kit/core/store';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readStory } from '../src/features/console/orders/story.ts';
import { createPostgresStore } from '../src/postgres/index.ts';
import { createSqliteStore } from '../src/sqlite/index.ts';
import { verifyStore } from '../src/verify/verify-store.ts';
import { usePostgres } from './helpers/shared-postgres.ts';
import { acts, type Fate, type OrderBooks, playShop } from './helpers/shop-books.ts';

const postgres = usePostgres();
const timezone = 'Asia/Jakarta';
const always = { from: Date.UTC(2026, 3, 1), before: Date.UTC(2026, 11, 1) };

const fate: fc.Arbitrary<Fate> = fc.record({
  quantity: fc.integer({ min: 1, max: 3 }),
  pays: fc.constantFrom('exact', 'exact', 'exact', 'less', 'more', 'late', 'twice', 'stray', 'never'),
  outcomes: fc.array(fc.constantFrom('done', 'done', 'failed', 'pending', 'pending-failed'), {
    minLength: 3,
    maxLength: 3,
  }),
  acts: fc.array(fc.constantFrom(...acts), { maxLength: 5 }),
});

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);

/** What was earned, by the books. */
function earned({ payments, paidBackByGateway, paidBackByHand, bought }: OrderBooks) {
  const fees = sum(payments.map(({ fee }) => fee));
  const kept = sum(payments.map(({ amount }) => amount)) - paidBackByGateway - paidBackByHand;
  return { kept, fees, cost: bought, profit: kept - fees - bought };
}

const reported = (figures: SalesFigures) => ({
  kept: figures.turnover - figures.returned,
  fees: figures.gatewayFees,
  cost: figures.cost,
  profit: computeProfit(figures),
});

/** The figures that the page of an order shows. */
async function figuresOf(store: Store, orderId: string): Promise<SalesFigures> {
  const story = await readStory(store, orderId);
  if (!story) throw new Error(`${orderId} is missing`);
  return saleLines(story).reduce<SalesFigures>(addFigures, noFigures);
}

/** Compares the figures of every order, day and report with the books. */
async function compare(store: Store, fates: readonly Fate[]): Promise<void> {
  const books = await playShop(store, fates);
  for (const [index, book] of books.entries()) {
    const { orderId } = book;
    const figures = await figuresOf(store, orderId);
    const order = await store.findOrder(orderId);
    const history = await store.findHistory(orderId);
    const about = { fate: fates[index], state: `${order?.paymentStatus} / ${order?.buyStatus}` };
    const isSold = order?.paymentStatus === 'PAID' || order?.paymentStatus === 'REFUND';
    // A stray payment that was returned is of no order.
    const isStray = fates[index]?.pays === 'stray' && !history.some(({ event }) => event === 'settled');
    const expected = earned(isStray ? { ...book, payments: [], paidBackByHand: 0 } : book);
    expect({ ...about, ...reported(figures) }).toEqual({ ...about, ...expected });
    expect(isSold ? book.payments.map(({ amount }) => amount) : [0]).toContain(figures.turnover);
    expect(figures.reportedFees).toBe(figures.gatewayFees);
  }
  const all = books.map(earned);
  const expected = {
    kept: sum(all.map(({ kept }) => kept)),
    fees: sum(all.map(({ fees }) => fees)),
    cost: sum(all.map(({ cost }) => cost)),
    profit: sum(all.map(({ profit }) => profit)),
  };
  for (const by of salesDivisions) {
    const { total, rows } = await reportSales({ store, timezone }, { span: always, by });
    expect({ by, ...reported(total) }).toEqual({ by, ...expected });
    expect({ by, ...reported(rows.reduce<SalesFigures>(addFigures, noFigures)) }).toEqual({
      by,
      ...expected,
    });
  }
}

interface Opened {
  store: Store;
  /** Where it is verified. */
  address: Parameters<typeof verifyStore>[0] | null;
  end?: () => void;
}

const stores: Record<string, { open: () => Promise<Opened>; runs: number }> = {
  memory: { open: async () => ({ store: createMemoryStore(), address: null }), runs: 6 },
  file: {
    async open() {
      const folder = mkdtempSync(join(tmpdir(), 'topup-'));
      const path = join(folder, 'topup.db');
      const end = () => rmSync(folder, { recursive: true });
      return { store: createSqliteStore({ path }), address: { kind: 'file', path }, end };
    },
    runs: 2,
  },
  PostgreSQL: {
    async open() {
      const url = await postgres.newSchema();
      return { store: createPostgresStore({ url }), address: { kind: 'postgres', url } };
    },
    runs: 1,
  },
};

describe.each(Object.entries(stores))('the figures of a %s store', (_name, { open, runs }) => {
  it(
    'reports sales that match the books of the gateway, the supplier and the operator, whatever happens to orders',
    () =>
      fc.assert(
        fc.asyncProperty(fc.array(fate, { minLength: 2, maxLength: 4 }), async (fates) => {
          const { store, address, end } = await open();
          try {
            await compare(store, fates);
            if (address) expect((await verifyStore(address)).differences).toEqual([]);
          } finally {
            await store.close();
            end?.();
          }
        }),
        { seed: 4_011, numRuns: runs, endOnFailure: true },
      ),
    120_000,
  );
});
