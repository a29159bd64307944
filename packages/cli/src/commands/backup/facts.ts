import type { StoreFacts } from '@topup-kit/server';
import { isoTime, readableTime } from '../../output/format.ts';
import type { Fact } from '../../output/table.ts';

/** What a store or a backup holds, for programs. */
export const factsDocument = ({ formatVersion, mode, orders, newestOrderAt, keys, games }: StoreFacts) => ({
  format_version: formatVersion,
  mode,
  orders,
  newest_order_at: newestOrderAt === null ? null : isoTime(newestOrderAt),
  keys,
  games,
});

/** `1,000,000`. */
export const grouped = (count: number): string => count.toLocaleString('en');

export const newestOrder = ({ newestOrderAt }: Pick<StoreFacts, 'newestOrderAt'>): string =>
  newestOrderAt === null ? 'none' : readableTime(newestOrderAt);

/** What a store or a backup holds, for people. */
export const factLines = (facts: StoreFacts): Fact[] => [
  ['Orders', grouped(facts.orders)],
  ['Newest', newestOrder(facts)],
  ['Keys', grouped(facts.keys)],
  ['Games', grouped(facts.games)],
  ['Mode', facts.mode ?? 'none yet'],
];
