import { profitOf } from '@topup-kit/core/engine';
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

/** How long figures are shown before they are read again, in milliseconds, so that many tabs cost as much as one. */
const freshMs = 5_000;

/** What a day brought, up to a moment, and in each of its hours: the figures of `topup report sales`. Amounts are integers in the smallest unit. */
export interface DayFigures
  extends Pick<SalesFigures, 'orders' | 'turnover' | 'returned' | 'gatewayFees' | 'cost' | 'unknownCosts'> {
  placed: number;
  profit: number;
  /** Turnover of each hour since the day began. */
  hours: readonly number[];
}

export interface Figures {
  /** Whether changes of earlier sales are not added up yet. */
  isPartial: boolean;
  today: DayFigures;
  /** Yesterday up to the same hour. */
  yesterday: DayFigures;
  /** Yesterday's hours up to its end. */
  yesterdayHours: readonly number[];
  /** The orders of the last 24 hours by payment method and state. */
  outcomes: readonly OrdersOfMethod[];
  /** What was bought of each supplier in the last 24 hours, in the smallest unit. */
  costs: ReadonlyMap<string, number>;
}

interface FigureDependencies {
  store: Pick<Store, 'prepareSales' | 'sumSales' | 'countOutcomes'>;
  failure: () => Error | null;
}

/** The sales of a span by the hours since it began. */
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
  return { ...sum, placed: placedOf(placed), profit: profitOf(sum), hours: turnovers(hours) };
}

/** A day so far. Moments are unix milliseconds of world time. */
export interface Day {
  start: number;
  /** When the day before began: one is not always of 24 hours. */
  startBefore: number;
  now: number;
}

async function read(deps: FigureDependencies, { start, startBefore, now }: Day): Promise<Figures> {
  const { store } = deps;
  const isPartial = await addUpSales(deps);
  const today = { from: start, before: now + 1 };
  const yesterday = { from: startBefore, before: Math.min(startBefore + (now - start) + 1, start) };
  const last = { from: now - dayMs, before: now + 1 };
  const [hours, before, wholeYesterday, placed, placedBefore, outcomes, suppliers] = await Promise.all([
    hoursOf(store, today),
    hoursOf(store, yesterday),
    hoursOf(store, { from: startBefore, before: start }),
    store.countOutcomes(today),
    store.countOutcomes(yesterday),
    store.countOutcomes(last),
    store.sumSales(last, 'supplier'),
  ]);
  return {
    isPartial,
    today: dayFigures(placed, hours),
    yesterday: dayFigures(placedBefore, before),
    yesterdayHours: turnovers(wholeYesterday),
    outcomes,
    costs: new Map(suppliers.map(({ key, cost }) => [key, cost])),
  };
}

/** Returns a function that reads the figures of a day; all pages share them for some seconds. */
export function createFigures(deps: FigureDependencies): (day: Day) => Promise<Figures> {
  let last: { start: number; at: number; figures: Promise<Figures> } | undefined;
  return (day) => {
    const { start, now } = day;
    const isFresh = last !== undefined && last.start === start && Math.abs(now - last.at) < freshMs;
    if (last === undefined || !isFresh) {
      const figures = read(deps, day);
      last = { start, at: now, figures };
      // The next page asks again.
      figures.catch(() => {
        last = undefined;
      });
    }
    return last.figures;
  };
}
