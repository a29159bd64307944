import type { Faker } from '@faker-js/faker';
import type { CatalogProduct } from '@topup-kit/core/store';

/** The money of a game's world, and what its smallest pack costs. */
export interface Wallet {
  currency: string;
  /** Units in the smallest pack. */
  pack: number;
  /** Integer rupiah. */
  packPrice: number;
  /** Whether larger packs come with a bonus. */
  bonus: boolean;
}

/** How many of the smallest pack a pack holds; past the list by even steps. */
const sizes = [1, 2, 3, 5, 8, 12, 20, 30, 50, 80, 120, 160];
const sizeOf = (rank: number): number => sizes[rank] ?? 160 + 20 * (rank - sizes.length + 1);

/** Every fifth product is a pass or a bundle, and what it costs in smallest packs. */
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

/** How many products a game can have. */
export const mostProducts = 5 * passes.length;

/** Larger packs are cheaper by the unit, in per cent of the full price. */
const share = (packs: number): number => (packs >= 100 ? 88 : packs >= 20 ? 92 : packs >= 5 ? 96 : 100);

/** Prices stand in whole hundreds. */
const inHundreds = (price: number): number => Math.round(price / 100) * 100;

function packTitle({ currency, pack, bonus }: Wallet, packs: number): string {
  const extra = bonus ? Math.floor((pack * packs * (100 - share(packs))) / 100) : 0;
  return `${pack * packs}${extra > 0 ? ` + ${extra}` : ''} ${currency}`;
}

/** What a game's products have in common. */
interface GameContext {
  game: number;
  /** Starts the products' codes. */
  code: string;
  wallet: Wallet;
}

/** Product number `place` of a game, from 1; each takes as many draws, so that none hangs on how many there are. */
export function drawProduct(
  faker: Faker,
  place: number,
  { game, code, wallet }: GameContext,
): CatalogProduct {
  const pass = place % 5 === 0 ? passes[place / 5 - 1] : undefined;
  const packs = pass?.packs ?? sizeOf(place - Math.floor(place / 5) - 1);
  const price = inHundreds((wallet.packPrice * packs * share(packs)) / 100);
  const onPromo = faker.number.float() < 0.15;
  const closed = faker.number.float() < 0.04;
  const promoPrice = inHundreds((price * faker.number.int({ min: 88, max: 96 })) / 100);
  return {
    id: game * 100 + place,
    code: `${code}-${place}`,
    title: pass?.title ?? packTitle(wallet, packs),
    category: pass ? { id: 2, title: 'Passes' } : { id: 1, title: wallet.currency },
    selling_price: price,
    promo_price: onPromo ? promoPrice : null,
    is_promo: onPromo,
    // The first can always be ordered.
    status: place === 1 || !closed,
    image: null,
  };
}
