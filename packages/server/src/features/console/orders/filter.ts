import { buyStatuses, cleanText, paymentStatuses } from '@topup-kit/core/contract';
import { localMoment } from '@topup-kit/core/engine';
import type { OrderFilter, OrderProblem } from '@topup-kit/core/store';
import { anyText, type Filters } from '../section.ts';
import type { ConsoleDependencies } from '../view.ts';

/** The parameters in the address of a list of orders, each a text and only if given. */
const filterNames = ['q', 'payment', 'delivery', 'game', 'account', 'since', 'until', 'problem'] as const;
type FilterName = (typeof filterNames)[number];
export type FilterQuery = Readonly<Partial<Record<FilterName, string>>>;

/** The problems that filter a list of orders. */
const listedProblems = ['stuck', 'unfunded', 'contradicted'] as const;
export type ListedProblem = (typeof listedProblems)[number] & OrderProblem['kind'];

/** An id that no game has. */
const noGame = -1;

const maxLength = 255;

export function filterQuery(query: Readonly<Record<string, string>>): FilterQuery {
  const given = filterNames.flatMap((name) => {
    const text = cleanText(query[name] ?? '', 'account').slice(0, maxLength);
    return text === '' ? [] : [[name, text] as const];
  });
  return Object.fromEntries(given);
}

const dayMs = 24 * 60 * 60_000;

/** A day such as `2026-02-28`; undefined for any other text. */
const readDay = (text: string | undefined): string | undefined =>
  text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined;

/** The start of a day in the shop's time zone, in unix milliseconds. */
const beginOf = (day: string | undefined, timezone: string): number | undefined =>
  day === undefined ? undefined : localMoment(timezone, `${day}T00:00`);

const dayAfter = (day: string | undefined): string | undefined =>
  day === undefined ? undefined : new Date(Date.parse(day) + dayMs).toISOString().slice(0, 10);

const oneOf = <Value extends string>(values: readonly Value[], text: string | undefined): Value | undefined =>
  values.find((value) => value === text);

const isDay = (text: string): boolean => readDay(text.trim()) !== undefined;

/** The allowed parameters in the address of a list of orders. */
export const orderFilters: Filters = {
  q: anyText,
  game: anyText,
  account: anyText,
  since: isDay,
  until: isDay,
  payment: paymentStatuses,
  delivery: buyStatuses,
  problem: listedProblems,
  save: anyText,
  forget: anyText,
  choose: ['all'],
};

export const problemOf = ({ problem }: FilterQuery): ListedProblem | undefined =>
  oneOf(listedProblems, problem);

/** The store's filter for a query, without its text and its problem. Unknown states and days are ignored. */
export async function readFilter(
  query: FilterQuery,
  { engine, settings: { timezone } }: Pick<ConsoleDependencies, 'engine' | 'settings'>,
): Promise<Omit<OrderFilter, 'limit'>> {
  const { game, since, until, account } = query;
  return {
    accountId: account,
    paymentStatus: oneOf(paymentStatuses, query.payment),
    buyStatus: oneOf(buyStatuses, query.delivery),
    gameId: game === undefined ? undefined : ((await engine.catalog()).gameBySlug.get(game)?.id ?? noGame),
    from: beginOf(readDay(since), timezone),
    before: beginOf(dayAfter(readDay(until)), timezone),
  };
}
