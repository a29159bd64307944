import { type Locale, paymentKinds } from '@topup-kit/core/contract';
import type { CatalogGame, CatalogPaymentMethod, Promo } from '@topup-kit/core/store';
import type { FakerFor } from './faker.ts';

const words: Record<Locale, readonly string[]> = {
  id: ['HEMAT', 'GAJIAN', 'MERDEKA', 'MABAR', 'CUAN', 'BARU', 'AKHIRPEKAN', 'LEBARAN'],
  en: ['SAVE', 'PAYDAY', 'WEEKEND', 'LEVELUP', 'SQUAD', 'WELCOME', 'BONUS', 'HOLIDAY'],
};

const rules: Omit<Promo, 'code' | 'discount'> = {
  status: true,
  starts_at: null,
  ends_at: null,
  quota: null,
  per_customer: null,
  minimum_purchase: 0,
  games: [],
  products: [],
  payment_methods: [],
};

/** Generates one promo of each kind. Their dates are fixed, so that tests don't fail later. */
export function generatePromos(
  fakerFor: FakerFor,
  locale: Locale,
  { firstGame, methods }: { firstGame: CatalogGame; methods: readonly CatalogPaymentMethod[] },
): Promo[] {
  const faker = fakerFor('promos');
  const [all = '', fixed = '', once = '', wallet = '', game = '', ended = ''] = faker.helpers.shuffle(
    words[locale],
  );
  const percent = (): number => faker.number.int({ min: 1, max: 4 }) * 5;
  const percentPromo = (word: string, maximum: number): Pick<Promo, 'code' | 'discount'> => {
    const percentage = percent();
    return {
      code: `${word}${percentage}`,
      discount: { type: 'PERCENT', basis_points: percentage * 100, max_discount: maximum },
    };
  };
  const wallets = methods
    .filter(({ group, status }) => paymentKinds[group].type === 'redirect' && status)
    .map(({ id }) => id);
  return [
    { ...percentPromo(all, 2_000), ...rules },
    {
      code: `${fixed}5K`,
      discount: { type: 'FIXED', value: 5_000, max_discount: null },
      ...rules,
      minimum_purchase: 50_000,
    },
    { ...percentPromo(once, 20_000), ...rules, per_customer: 1 },
    { ...percentPromo(wallet, 10_000), ...rules, payment_methods: wallets },
    { ...percentPromo(game, 15_000), ...rules, games: [firstGame.slug], quota: 100 },
    {
      ...percentPromo(ended, 5_000),
      ...rules,
      starts_at: '2024-03-11T00:00:00+07:00',
      ends_at: '2024-04-10T00:00:00+07:00',
    },
  ];
}
