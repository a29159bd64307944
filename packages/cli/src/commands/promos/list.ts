import type { UsedPromo } from '@topup-kit/core/engine';
import type { Discount, Promo } from '@topup-kit/core/store';
import { money, readableDay, readableTime } from '../../output/format.ts';
import { type ColumnOf, list as facts, tableOf } from '../../output/table.ts';
import { defineStoreCommand } from '../../store/define-store-command.ts';

/** Converts a promo for `--json`: an entry of a catalogue file, with its uses. */
export const promoDocument = ({ promo, uses }: UsedPromo) => ({ ...promo, uses });

function off(discount: Discount): string {
  const { max_discount } = discount;
  const most = max_discount === null ? '' : `, max ${money(max_discount)}`;
  return discount.type === 'PERCENT'
    ? `${discount.basis_points / 100} %${most}`
    : `${money(discount.value)}${most}`;
}

/** Returns the last valid day. A promo that ends at midnight is valid until the day before. */
const lastDay = (end: number): string => readableDay(end - 1);

/** Promo with the day to which its state refers. */
interface ListedPromo extends UsedPromo {
  state: string;
}

/** Describes a promo. `now` is world time. */
export async function describePromo(used: UsedPromo, now: number): Promise<ListedPromo> {
  const { promoState, promoStateWords } = await import('@topup-kit/core/engine');
  const { is, at } = promoState(used, now);
  return { ...used, state: stateText(is, at) ?? promoStateWords[is].en };
}

function stateText(is: string, at: number | null): string | null {
  if (at === null) return null;
  if (is === 'later') return `from ${readableDay(at)}`;
  return `${is === 'ended' ? 'ended' : 'active until'} ${lastDay(at)}`;
}

const conditions = ({ minimum_purchase, per_customer, games, products, payment_methods }: Promo): string =>
  [
    ...(minimum_purchase > 0 ? [`from ${money(minimum_purchase)}`] : []),
    ...(per_customer === null ? [] : [`${per_customer} per customer`]),
    ...games,
    ...(products.length > 0 ? [`products ${products.join(', ')}`] : []),
    ...(payment_methods.length > 0 ? [`methods ${payment_methods.join(', ')}`] : []),
  ].join(', ');

const usesOf = ({ promo: { quota }, uses }: UsedPromo): string =>
  quota === null ? String(uses) : `${uses} of ${quota}`;

const columns: ColumnOf<ListedPromo>[] = [
  [{ title: 'CODE' }, ({ promo }) => promo.code],
  [{ title: 'OFF' }, ({ promo }) => off(promo.discount)],
  [{ title: 'USED', spare: true }, usesOf],
  [{ title: 'STATE' }, ({ state }) => state],
  [{ title: 'FOR', long: true, spare: true }, ({ promo }) => conditions(promo)],
];

export function promoScreen(used: ListedPromo): string {
  const { promo } = used;
  const { starts_at, ends_at } = promo;
  return facts([
    ['Code', promo.code],
    ['Off', `${off(promo.discount)} per item`],
    ['State', used.state],
    ['Used', usesOf(used)],
    ['From', starts_at && readableTime(Date.parse(starts_at))],
    ['Until', ends_at && readableTime(Date.parse(ends_at))],
    ['For', conditions(promo) || 'every order'],
  ]);
}

export const list = defineStoreCommand({
  name: 'list',
  description: 'List the promos with their uses',
  example: 'promos list',
  async run({ store, path, deps }, context) {
    const { listPromos } = await import('@topup-kit/core/engine');
    const promos = await listPromos(store);
    const listed = await Promise.all(promos.map((used) => describePromo(used, deps.worldClock())));
    await context.print({
      document: { promos: promos.map(promoDocument) },
      ids: promos.map(({ promo }) => promo.code),
      screen: (style) => tableOf(columns, listed, style),
    });
    if (promos.length === 0) context.remark(`No promos in ${path} yet.`);
  },
});
