import type { Catalog } from '@topup-kit/core/store';
import { InputError } from './actions.ts';

/** A target in the catalogue that an operator named. */
export interface Named {
  kind: 'game' | 'product' | 'category' | 'method';
  /** The slug of a game, the code of a product or method, or the id of a category. */
  key: string;
  id: number;
}

/** Finds the target with this slug, code or title, ignoring case. @throws InputError if it is not found. */
export function named(catalog: Catalog, text: string): Named {
  const { games, categories, payment_methods: methods } = catalog;
  const all: (Named & { names: string[] })[] = [
    ...games.map(({ id, slug, title }) => ({ kind: 'game' as const, key: slug, id, names: [slug, title] })),
    ...categories.map(({ id, title }) => ({
      kind: 'category' as const,
      key: String(id),
      id,
      names: [title],
    })),
    ...methods.map(({ id, code, name }) => ({ kind: 'method' as const, key: code, id, names: [code, name] })),
    ...games
      .flatMap(({ products }) => products)
      .map(({ id, code }) => ({ kind: 'product' as const, key: code, id, names: [code] })),
  ];
  const wanted = text.trim().toLowerCase();
  const found = all.find(({ kind, key, names }) =>
    [`${kind} ${key}`, ...names].some((name) => name.toLowerCase() === wanted),
  );
  if (found) return found;
  throw new InputError({
    id: `Katalog tidak punya "${text}". Tulis slug atau nama game, kode produk, nama kategori, atau kode metode pembayaran.`,
    en: `The catalogue has no "${text}". Write the slug or title of a game, the code of a product, the title of a category, or the code of a payment method.`,
  });
}
