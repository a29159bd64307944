import { computeProfit } from '@topup-kit/core/engine';
import { paceMs } from '@topup-kit/core/features/reports/sales-report';
import {
  addFigures,
  noFigures,
  type OrdersOfMethod,
  quarterHour,
  type SalesFigures,
  type SalesSpan,
  type Store,
} from '@topup-kit/core/store';
import { addUpSales } from './add-up.ts';

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;

/** Lifetime of figures in milliseconds, so that many tabs need as few queries as one. Figures of many days take longer to read and change less. */
const freshMs = { hours: 5_000, days: 60_000 };

/** The figures of `topup report sales` for a day up to a moment, and for each hour. Amounts are integers in the smallest unit. */
export interface DayFigures
  extends Pick<SalesFigures, 'orders' | 'turnover' | 'returned' | 'gatewayFees' | 'cost' | 'unknownCosts'> {
  placed: number;
  profit: number;
}

export interface Figures {
  /** True if changes of earlier sales are still missing. */
  isPartial: boolean;
  today: DayFigures;
  /** Yesterday's figures until the same hour. */
  yesterday: DayFigures;
  /** Turnover for each hour today, or for each day of the period and of the period before it. */
  bars: readonly number[];
  barsBefore: readonly number[];
  /** Orders of the last 24 hours by payment method and state. */
  outcomes: readonly OrdersOfMethod[];
  /** Purchases from each supplier in the time that is used to predict how long its balance lasts, in the smallest unit. */
  costs: ReadonlyMap<string, number>;
}

interface FigureDependencies {
  store: Pick<Store, 'prepareSales' | 'sumSales' | 'countOutcomes'>;
  failure: () => Error | null;
}

/** Reads the sales of a period by hours since its start. */
async function hoursOf(store: FigureDependencies['store'], span: SalesSpan): Promise<SalesFigures[]> {
  const hours: SalesFigures[] = [];
  for (const { key, ...figures } of await store.sumSales(span, 'quarterHour')) {
    const hour = Math.floor((Number(key) * quarterHour - span.from) / hourMs);
    hours[hour] = addFigures(hours[hour] ?? noFigures, figures);
  }
  return Array.from(
    { length: Math.ceil((span.before - span.from) / hourMs) },
    (_, hour) => hours[hour] ?? noFigures,
  );
}

const sumOf = (hours: readonly SalesFigures[]): SalesFigures =>
  hours.reduce<SalesFigures>(addFigures, noFigures);

const turnovers = (hours: readonly SalesFigures[]): number[] => hours.map(({ turnover }) => turnover);

const placedOf = (outcomes: readonly OrdersOfMethod[]): number =>
  outcomes.reduce((sum, { count }) => sum + count, 0);

function dayFigures(placed: readonly OrdersOfMethod[], hours: readonly SalesFigures[]): DayFigures {
  const sum = sumOf(hours);
  return { ...sum, placed: placedOf(placed), profit: computeProfit(sum) };
}

/** The current day until now. Moments are unix milliseconds of world time. */
export interface Day {
  start: number;
  /** Start of the previous day, which may not have 24 hours. */
  startBefore: number;
  now: number;
  /** Starts of the days of a longer period and of the period before it, and the current time; null for today's hours. */
  edges: readonly number[] | null;
}

/** Reads the turnover between consecutive moments. */
async function turnoverBetween(
  store: FigureDependencies['store'],
  edges: readonly number[],
): Promise<number[]> {
  const [from = 0, before = from] = [edges[0], edges.at(-1)];
  const sums = edges.slice(1).map(() => 0);
  for (const { key, turnover } of await store.sumSales({ from, before }, 'quarterHour')) {
    const index = edges.findLastIndex((edge) => edge <= Number(key) * quarterHour);
    sums[index] = (sums[index] ?? 0) + turnover;
  }
  return sums;
}

async function read(deps: FigureDependencies, { start, startBefore, now, edges }: Day): Promise<Figures> {
  const { store } = deps;
  const isPartial = await addUpSales(deps);
  const today = { from: start, before: now + 1 };
  const yesterday = { from: startBefore, before: Math.min(startBefore + (now - start) + 1, start) };
  const last = { from: now - dayMs, before: now + 1 };
  const [hours, before, wholeYesterday, days, placed, placedBefore, outcomes, suppliers] = await Promise.all([
    hoursOf(store, today),
    hoursOf(store, yesterday),
    edges === null ? hoursOf(store, { from: startBefore, before: start }) : [],
    edges === null ? null : turnoverBetween(store, edges),
    store.countOutcomes(today),
    store.countOutcomes(yesterday),
    store.countOutcomes(last),
    store.sumSales({ from: now - paceMs, before: now + 1 }, 'supplier'),
  ]);
  return {
    isPartial,
    today: dayFigures(placed, hours),
    yesterday: dayFigures(placedBefore, before),
    bars: days?.slice(days.length / 2) ?? turnovers(hours),
    barsBefore: days?.slice(0, days.length / 2) ?? turnovers(wholeYesterday),
    outcomes,
    costs: new Map(suppliers.map(({ key, cost }) => [key, cost])),
  };
}

/** Creates a function that reads the figures of a day. All pages of the same period share the figures for some seconds. */
export function createFigures(deps: FigureDependencies): (day: Day) => Promise<Figures> {
  const last = new Map<number, { start: number; at: number; figures: Promise<Figures> }>();
  return (day) => {
    const { start, now, edges } = day;
    const period = edges?.length ?? 0;
    const known = last.get(period);
    const fresh = edges === null ? freshMs.hours : freshMs.days;
    if (known?.start === start && Math.abs(now - known.at) < fresh) return known.figures;
    const figures = read(deps, day);
    last.set(period, { start, at: now, figures });
    // Lets the next page try again.
    figures.catch(() => last.delete(period));
    return figures;
  };
}
