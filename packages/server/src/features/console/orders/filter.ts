import { buyStatuses, cleanText, paymentStatuses } from '@topup-kit/core/contract';
import type { OrderFilter, OrderProblem } from '@topup-kit/core/store';
import { isDay, spanOf } from '../days.ts';
import { anyText, type Filters } from '../section.ts';
import type { ConsoleDependencies } from '../view.ts';

/** Names of the parameters in the address of an order list. Each parameter is a string, and is set only if it was given. */
const filterNames = ['q', 'payment', 'delivery', 'game', 'account', 'since', 'until', 'problem'] as const;
type FilterName = (typeof filterNames)[number];
export type FilterQuery = Readonly<Partial<Record<FilterName, string>>>;

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

const oneOf = <Value extends string>(values: readonly Value[], text: string | undefined): Value | undefined =>
  values.find((value) => value === text);

const isGivenDay = (text: string): boolean => isDay(text.trim());

/** The allowed parameters in the address of a list of orders. */
export const orderFilters: Filters = {
  q: anyText,
  game: anyText,
  account: anyText,
  since: isGivenDay,
  until: isGivenDay,
  payment: paymentStatuses,
  delivery: buyStatuses,
  problem: listedProblems,
  save: anyText,
  forget: anyText,
  choose: ['all'],
};

export const problemOf = ({ problem }: FilterQuery): ListedProblem | undefined =>
  oneOf(listedProblems, problem);

/** Returns the store's filter for a query, without its text and its problem. Unknown states and days are ignored. */
export async function readFilter(
  query: FilterQuery,
  { engine, settings }: Pick<ConsoleDependencies, 'engine' | 'settings'>,
): Promise<Omit<OrderFilter, 'limit'>> {
  const { game, since, until, account } = query;
  return {
    accountId: account,
    paymentStatus: oneOf(paymentStatuses, query.payment),
    buyStatus: oneOf(buyStatuses, query.delivery),
    gameId: game === undefined ? undefined : ((await engine.catalog()).gameBySlug.get(game)?.id ?? noGame),
    ...spanOf({ settings }, { from: since, to: until }),
  };
}
