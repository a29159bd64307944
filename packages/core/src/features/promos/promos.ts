import type { Localised } from '../../contract/index.ts';
import { type BelowCost, type CostSource, findPromoLosses } from '../../engine/catalog/costs.ts';
import type { Promo, Store } from '../../store/index.ts';

export interface UsedPromo {
  promo: Promo;
  uses: number;
}

type PromoSource = Pick<Store, 'readCatalog' | 'countPromoUses'>;

/** The customer for counting all uses, because their total doesn't depend on the customer. */
const anyone = '';

export const withUses = async (store: PromoSource, promo: Promo): Promise<UsedPromo> => ({
  promo,
  uses: (await store.countPromoUses(promo.code, anyone)).total,
});

/** Lists all promos of the catalogue with their uses, in the catalogue's order. */
export const listPromos = async (store: PromoSource): Promise<UsedPromo[]> =>
  Promise.all(((await store.readCatalog())?.promos ?? []).map((promo) => withUses(store, promo)));

/** Finds a promo by its code, in any case. */
export const findPromo = (promos: readonly Promo[], code: string): Promo | undefined =>
  promos.find((promo) => promo.code.toUpperCase() === code.toUpperCase());

/** The state of a promo at a given time. `at` is its start or end, in unix milliseconds of world time; null if it has none. */
export interface PromoState {
  is: 'active' | 'disabled' | 'ended' | 'used-up' | 'later';
  at: number | null;
}

/** Returns the state of a promo at `now`, in unix milliseconds of world time. */
export function promoState({ promo, uses }: UsedPromo, now: number): PromoState {
  const { status, starts_at, ends_at, quota } = promo;
  const starts = starts_at === null ? null : Date.parse(starts_at);
  const ends = ends_at === null ? null : Date.parse(ends_at);
  if (!status) return { is: 'disabled', at: null };
  if (ends !== null && now >= ends) return { is: 'ended', at: ends };
  if (quota !== null && uses >= quota) return { is: 'used-up', at: null };
  if (starts !== null && now < starts) return { is: 'later', at: starts };
  return { is: 'active', at: ends };
}

/** Words for each state, without the time. */
export const promoStateWords: Readonly<Record<PromoState['is'], Localised>> = {
  active: { id: 'aktif', en: 'active' },
  disabled: { id: 'nonaktif', en: 'disabled' },
  ended: { id: 'berakhir', en: 'ended' },
  'used-up': { id: 'habis', en: 'used up' },
  later: { id: 'belum mulai', en: 'not yet' },
};

/** The effect of a change of a promo. */
export interface PromoPreview {
  used: UsedPromo;
  /** True if its quota is below its uses, so that the store would reject it. */
  isOverused: boolean;
  /** Products that it would sell below cost, sorted by loss, the highest first. */
  losses: BelowCost[];
}

/** Previews the effect of changing a promo. Times are unix milliseconds: `realNow` of real time, `now` of world time. */
export async function previewPromo(
  store: PromoSource & CostSource,
  promo: Promo,
  { realNow, now }: { realNow: number; now: number },
): Promise<PromoPreview> {
  const used = await withUses(store, promo);
  const losses = promo.status ? await findPromoLosses(store, promo, realNow, now) : [];
  return {
    used,
    isOverused: promo.quota !== null && used.uses > promo.quota,
    losses: losses.toSorted((a, b) => b.cost - b.price - (a.cost - a.price)),
  };
}
