import type { Discount, Promo, Store } from '@topup-kit/core/store';
import { defineCommand } from '../../define-command.ts';
import { money, readableDay, readableTime } from '../../output/format.ts';
import { type ColumnOf, list as facts, tableOf } from '../../output/table.ts';
import { storeOption, withOperatorStore } from '../../store/open.ts';

/** A promo and its current number of uses. */
interface UsedPromo {
  promo: Promo;
  uses: number;
}

/** The total number of uses doesn't depend on the customer. */
const anyone = '';

export const withUses = async (store: Store, promo: Promo): Promise<UsedPromo> => ({
  promo,
  uses: (await store.countPromoUses(promo.code, anyone)).total,
});

/** For `--json`: an entry of a catalogue file, with its uses. */
export const promoDocument = ({ promo, uses }: UsedPromo) => ({ ...promo, uses });

function off(discount: Discount): string {
  const { max_discount } = discount;
  const most = max_discount === null ? '' : `, max ${money(max_discount)}`;
  return discount.type === 'PERCENT'
    ? `${discount.basis_points / 100} %${most}`
    : `${money(discount.value)}${most}`;
}

/** A promo that ends at midnight is valid until the day before. */
const lastDay = (end: number): string => readableDay(end - 1);

function stateOf({ promo: { status, starts_at, ends_at, quota }, uses }: UsedPromo, now: number): string {
  const starts = starts_at === null ? Number.NEGATIVE_INFINITY : Date.parse(starts_at);
  const ends = ends_at === null ? Number.POSITIVE_INFINITY : Date.parse(ends_at);
  if (!status) return 'disabled';
  if (now >= ends) return `ended ${lastDay(ends)}`;
  if (quota !== null && uses >= quota) return 'used up';
  if (now < starts) return `from ${readableDay(starts)}`;
  return ends_at === null ? 'active' : `active until ${lastDay(ends)}`;
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

/** `now` is world time. */
const columnsAt = (now: number): ColumnOf<UsedPromo>[] => [
  [{ title: 'CODE' }, ({ promo }) => promo.code],
  [{ title: 'OFF' }, ({ promo }) => off(promo.discount)],
  [{ title: 'USED', spare: true }, usesOf],
  [{ title: 'STATE' }, (used) => stateOf(used, now)],
  [{ title: 'FOR', long: true, spare: true }, ({ promo }) => conditions(promo)],
];

/** All of one promo; `now` is world time. */
export function promoScreen(used: UsedPromo, now: number): string {
  const { promo } = used;
  const { starts_at, ends_at } = promo;
  return facts([
    ['Code', promo.code],
    ['Off', `${off(promo.discount)} per item`],
    ['State', stateOf(used, now)],
    ['Used', usesOf(used)],
    ['From', starts_at && readableTime(Date.parse(starts_at))],
    ['Until', ends_at && readableTime(Date.parse(ends_at))],
    ['For', conditions(promo) || 'every order'],
  ]);
}

export const list = defineCommand({
  name: 'list',
  description: 'List the promos with their uses',
  build: (command) => command.option(...storeOption),
  example: 'promos list',
  async run(context, options) {
    await withOperatorStore(context, options, async ({ store, path, deps }) => {
      const promos = (await store.readCatalog())?.promos ?? [];
      const used = await Promise.all(promos.map((promo) => withUses(store, promo)));
      await context.print({
        document: { promos: used.map(promoDocument) },
        ids: used.map(({ promo }) => promo.code),
        screen: (style) => tableOf(columnsAt(deps.worldClock()), used, style),
      });
      if (used.length === 0) context.remark(`No promos in ${path} yet.`);
    });
  },
});
