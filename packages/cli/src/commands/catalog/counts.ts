import type { Catalog } from '@topup-kit/core/store';

/** How much a catalogue holds, for programs. */
export const countsOf = ({ categories, games, payment_methods, promos }: Catalog) => ({
  categories: categories.length,
  games: games.length,
  products: games.reduce((sum, { products }) => sum + products.length, 0),
  payment_methods: payment_methods.length,
  promos: promos.length,
});

const many = (count: number, one: string, more = `${one}s`): string => `${count} ${count === 1 ? one : more}`;

/** How much a catalogue holds, in words. */
export function countWords(catalog: Catalog): string {
  const { categories, games, products, payment_methods, promos } = countsOf(catalog);
  return [
    many(categories, 'category', 'categories'),
    many(games, 'game'),
    many(products, 'product'),
    many(payment_methods, 'payment method'),
    many(promos, 'promo'),
  ].join(', ');
}
