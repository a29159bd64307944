import { deepEqual } from 'node:assert/strict';
import { computeProfit } from '@topup-kit/core/engine';
import { reportSales } from '@topup-kit/core/features/reports/sales-report';
import type { Store } from '@topup-kit/core/store';
import type { Bought, Paid } from './simulated.ts';

/** Books of gateways and suppliers for a run, and the amounts that the operator refunded by hand. Amounts are integers in rupiah. */
interface OtherBooks {
  paid: readonly Paid[];
  bought: readonly Bought[];
  byHand: number;
}

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);

const day = 24 * 60 * 60_000;

/**
 * Compares the report of a run's day with the books of the providers. A gateway that reports no fees has none in its books; the report's
 * estimate is then a cost of the shop by its own rule.
 */
export async function expectReport(
  { store, clock }: { store: Store; clock: () => number },
  { paid, bought, byHand }: OtherBooks,
): Promise<void> {
  const span = { from: clock() - 30 * day, before: clock() + day };
  const { rows } = await reportSales({ store, timezone: 'Asia/Jakarta' }, { span, by: 'day' });
  const fees = sum(paid.map(({ amounts, fee }) => amounts.length * fee));
  const kept = sum(paid.flatMap(({ amounts, refunded }) => [...amounts, -refunded])) - byHand;
  // The report says how many items have no known cost: those whose response was lost. All items of a run have the same cost.
  const unknown = sum(rows.map(({ unknownCosts }) => unknownCosts));
  const cost = sum(bought.map(({ price }) => price)) - unknown * (bought[0]?.price ?? 0);
  const estimated = sum(rows.map(({ gatewayFees, reportedFees }) => gatewayFees - reportedFees));
  deepEqual(
    {
      days: rows.map(({ key }) => key),
      kept: sum(rows.map(({ turnover, returned }) => turnover - returned)),
      fees: sum(rows.map(({ reportedFees }) => reportedFees)),
      cost: sum(rows.map((row) => row.cost)),
      profit: sum(rows.map(computeProfit)),
    },
    {
      days: rows.length === 0 ? [] : ['2026-05-01'],
      ...{ kept, fees, cost },
      profit: kept - fees - estimated - cost,
    },
    'the report of the day, and the books of the gateway and the suppliers',
  );
}
