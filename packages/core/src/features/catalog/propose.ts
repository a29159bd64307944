import { brokenRule } from '../../engine/catalog/file.ts';
import { byCode } from '../../engine/catalog/supplier-lists.ts';
import { listedCodeOf } from '../../engine/suppliers.ts';
import {
  type Catalog,
  type CatalogGame,
  type CatalogProduct,
  emptyCatalog,
  type SupplierList,
  type SupplierProduct,
} from '../../store/index.ts';
import { editErrors } from './edit-errors.ts';
import { applyMarginRule, ruleFinder } from './margins.ts';
import type { Margin } from './store.ts';

/** A supplier's products that a catalogue lacks, for an operator to review before an import. */
export interface ProductProposal {
  /** The catalogue with the proposed games and products. */
  catalog: Catalog;
  /** Number of added products per game, by its slug. */
  added: ReadonlyMap<string, number>;
  /** Slugs of new games that the kit doesn't know, and which need fields and pictures. */
  unknownGames: readonly string[];
  /** Number of rows that were left out because the list has no game or no price for them. */
  leftOut: number;
  /** Number of rows that were left out because they belong to no game, by the supplier's category. */
  otherKinds: ReadonlyMap<string, number>;
  /** Rows that are implausible or that a catalogue would reject. */
  keptOut: readonly KeptOutRow[];
}

/** A skipped row of a list, by the supplier's code, and the reason, such as `title must have at most 255 characters`. */
export interface KeptOutRow {
  code: string;
  why: string;
}

const plain = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');

const titleCase = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(
      /(^|[\s:])(\p{L})/gu,
      (_all, before: string, letter: string) => before + letter.toUpperCase(),
    );

const isOf =
  (brand: string) =>
  (game: CatalogGame): boolean =>
    [game.brand, game.title, game.slug].some((name) => plain(name) === plain(brand));

const nextId = (ids: readonly number[]): number => ids.reduce((most, id) => Math.max(most, id), 0) + 1;

/** A catalogue to which games and products are added. */
class Draft {
  readonly catalog: Catalog;
  readonly unknownGames: string[] = [];
  readonly #known: Catalog;
  readonly #codes: Set<string>;
  #nextProduct: number;

  constructor(catalog: Catalog, known: Catalog) {
    this.catalog = {
      ...catalog,
      categories: [...catalog.categories],
      games: catalog.games.map((game) => ({ ...game, products: [...game.products] })),
    };
    this.#known = known;
    const products = catalog.games.flatMap(({ products }) => products);
    this.#codes = new Set(products.map(({ code }) => code));
    this.#nextProduct = nextId(products.map(({ id }) => id));
  }

  /** Creates a game for a brand that the catalogue lacks, from a known game if possible. It adds neither the game nor its category. */
  #newGame(
    brand: string,
    known: CatalogGame | undefined,
  ): { game: CatalogGame; category: Catalog['categories'][number] } {
    const { categories, games } = this.catalog;
    const title = this.#known.categories.find(({ id }) => id === known?.category_id)?.title ?? 'Games';
    const category = categories.find((category) => category.title === title) ?? {
      id: nextId(categories.map(({ id }) => id)),
      title,
    };
    const [id, category_id] = [nextId(games.map(({ id }) => id)), category.id];
    const game: CatalogGame = known
      ? { ...known, id, category_id, status: true, hidden: false, products: [] }
      : {
          id,
          slug: slugOf(brand),
          title: titleCase(brand),
          developers: titleCase(brand),
          brand: titleCase(brand),
          category_id,
          description: '',
          image: null,
          banner: null,
          status: true,
          hidden: false,
          populer: false,
          sort: 0,
          target: null,
          products: [],
          fields: [{ name: 'id', label: 'User ID', required: true }],
        };
    return { game, category };
  }

  /** Returns the shop's code for a product: the supplier's code if a catalogue accepts it, so that both codes are the same. */
  #codeOf(code: string): string {
    const base = /^[A-Za-z0-9][A-Za-z0-9_-]*$/.test(code) ? code : slugOf(code) || 'product';
    let free = base;
    for (let count = 2; this.#codes.has(free); count += 1) free = `${base}-${count}`;
    return free;
  }

  /** Adds a product, and its game if it is new. Returns the game's slug, or the rule of catalogue files that they would break. */
  add(
    brand: string,
    { code, name }: SupplierProduct,
    priceOf: (product: CatalogProduct, game: CatalogGame) => number,
  ): { slug: string } | { broken: string } {
    const { games, categories } = this.catalog;
    const known = this.#known.games.find(isOf(brand));
    const present = games.find(isOf(brand)) ?? games.find(({ slug }) => slug === known?.slug);
    const { game, category } = present ? { game: present, category: null } : this.#newGame(brand, known);
    const own = this.#codeOf(code);
    const draft: CatalogProduct = {
      id: this.#nextProduct,
      code: own,
      supplier_code: own === code ? null : code,
      title: name?.split(' - ').at(-1)?.trim() || code,
      category: null,
      selling_price: 0,
      promo_price: null,
      is_promo: false,
      status: true,
      image: null,
    };
    const product = { ...draft, selling_price: priceOf(draft, game) };
    const broken = brokenRule(game, product);
    if (broken !== null) return { broken };
    this.#nextProduct += 1;
    this.#codes.add(own);
    if (category) {
      if (!categories.includes(category)) categories.push(category);
      games.push(game);
      if (!known) this.unknownGames.push(game.slug);
    }
    game.products.push(product);
    return { slug: game.slug };
  }
}

/**
 * Proposes games and products that the supplier lists and the catalogue lacks. Products are grouped by brand. They have the account fields
 * of known games, and prices by the margin rules.
 *
 * @param known the games that the kit knows
 * @param brands the brands to propose, in the supplier's spelling; empty for all
 * @throws EditError for an unlisted brand, and for a product without a margin rule.
 */
export function proposeProducts(
  { catalog, margins }: { catalog: Catalog | null; margins: readonly Margin[] },
  list: SupplierList,
  { known, brands }: { known: Catalog; brands: readonly string[] },
): ProductProposal {
  const start = catalog ?? { ...emptyCatalog, payment_methods: known.payment_methods };
  const sold = new Set(
    start.games.flatMap(({ products }) => products.map((product) => listedCodeOf(product, list.supplier))),
  );
  const asked = brands.map(plain);
  const isAsked = ({ brand = '', category }: SupplierProduct): boolean =>
    asked.length > 0 ? asked.includes(plain(brand)) : category === undefined || /game/i.test(category);
  const listedBrands = new Set(list.products.map(({ brand = '' }) => plain(brand)));
  const missing = brands.filter((brand) => !listedBrands.has(plain(brand)));
  if (missing.length > 0) throw editErrors.noBrand(list.supplier, missing);
  const ruleOf = ruleFinder(margins);
  const draft = new Draft(start, known);
  const added = new Map<string, number>();
  const otherKinds = new Map<string, number>();
  let leftOut = 0;
  const keptOut: KeptOutRow[] = [];
  for (const product of byCode(list).values()) {
    const { brand = '', code, price: cost, hasSeveralPrices } = product;
    if (sold.has(code)) continue;
    if (!isAsked(product)) {
      const { category = '' } = product;
      if (asked.length === 0) otherKinds.set(category, (otherKinds.get(category) ?? 0) + 1);
      continue;
    }
    if (plain(brand) === '' || cost === undefined) {
      leftOut += 1;
      continue;
    }
    if (hasSeveralPrices || cost === 0) {
      keptOut.push({ code, why: cost === 0 ? 'listed at 0' : 'listed at several prices' });
      continue;
    }
    const result = draft.add(brand, product, (added, game) => {
      const rule = ruleOf(added, game)?.rule;
      if (rule) return applyMarginRule(rule, cost);
      throw editErrors.noPrice(game.slug);
    });
    if ('broken' in result) keptOut.push({ code, why: result.broken });
    else added.set(result.slug, (added.get(result.slug) ?? 0) + 1);
  }
  return { catalog: draft.catalog, added, unknownGames: draft.unknownGames, leftOut, otherKinds, keptOut };
}
