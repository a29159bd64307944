import type { Faker } from '@faker-js/faker';
import type { CatalogProduct } from '@topup-kit/core/store';

/** The virtual currency of a game, and the price of its smallest pack. */
export interface Wallet {
  currency: string;
  /** Number of units in the smallest pack. */
  pack: number;
  /** Price of the smallest pack, in integer rupiah. */
  packPrice: number;
  /** True if larger packs come with a bonus. */
  bonus: boolean;
}

/** Sizes of packs, as multiples of the smallest pack. After the end of the list, each pack is larger by 20. */
const sizes = [1, 2, 3, 5, 8, 12, 20, 30, 50, 80, 120, 160];
const sizeOf = (rank: number): number => sizes[rank] ?? 160 + 20 * (rank - sizes.length + 1);

/** Every fifth product is a pass or a bundle; `packs` is its price in smallest packs. */
const passes = [
  { title: 'Weekly Pass', packs: 4 },
  { title: 'Monthly Pass', packs: 12 },
  { title: 'Season Pass', packs: 20 },
  { title: 'Starter Bundle', packs: 3 },
  { title: 'Premium Season Pass', packs: 40 },
  { title: 'Growth Fund', packs: 16 },
  { title: "Collector's Bundle", packs: 60 },
  { title: 'Festival Bundle', packs: 24 },
  { title: 'Anniversary Bundle', packs: 48 },
  { title: 'Founder Bundle', packs: 100 },
] as const;

/** The maximum number of products of a game. */
export const maxProducts = 5 * passes.length;

/** Returns the price of a pack in per cent of the full price. Larger packs are cheaper. */
const pricePercent = (packs: number): number =>
  packs >= 100 ? 88 : packs >= 20 ? 92 : packs >= 5 ? 96 : 100;

const roundToHundreds = (price: number): number => Math.round(price / 100) * 100;

function packTitle({ currency, pack, bonus }: Wallet, packs: number): string {
  const extra = bonus ? Math.floor((pack * packs * (100 - pricePercent(packs))) / 100) : 0;
  return `${pack * packs}${extra > 0 ? ` + ${extra}` : ''} ${currency}`;
}

interface GameContext {
  game: number;
  /** Prefix of the products' codes. */
  code: string;
  wallet: Wallet;
}

/**
 * Generates product number `place` of a game, from 1. Every product uses the same number of random values, so that a product doesn't depend
 * on the number of products.
 */
export function drawProduct(
  faker: Faker,
  place: number,
  { game, code, wallet }: GameContext,
): CatalogProduct {
  const pass = place % 5 === 0 ? passes[place / 5 - 1] : undefined;
  const packs = pass?.packs ?? sizeOf(place - Math.floor(place / 5) - 1);
  const price = roundToHundreds((wallet.packPrice * packs * pricePercent(packs)) / 100);
  const onPromo = faker.number.float() < 0.15;
  const closed = faker.number.float() < 0.04;
  const promoPrice = roundToHundreds((price * faker.number.int({ min: 88, max: 96 })) / 100);
  return {
    id: game * 100 + place,
    code: `${code}-${place}`,
    supplier_code: null,
    title: pass?.title ?? packTitle(wallet, packs),
    category: pass ? { id: 2, title: 'Passes' } : { id: 1, title: wallet.currency },
    selling_price: price,
    promo_price: onPromo ? promoPrice : null,
    is_promo: onPromo,
    // The first product can always be ordered.
    status: place === 1 || !closed,
    image: null,
  };
}
