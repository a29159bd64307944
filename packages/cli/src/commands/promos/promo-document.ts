import type { Promo, Store } from '@topup-kit/core/store';

/** A promo and how often it is used now. */
export interface UsedPromo {
  promo: Promo;
  uses: number;
}

/** The customer plays no part in how often a promo is used in all. */
const anyone = '';

export const withUses = async (store: Store, promo: Promo): Promise<UsedPromo> => ({
  promo,
  uses: (await store.countPromoUses(promo.code, anyone)).total,
});

/** A promo for programs: as it stands in a catalogue file, and its uses. */
export const promoDocument = ({ promo, uses }: UsedPromo) => ({ ...promo, uses });
