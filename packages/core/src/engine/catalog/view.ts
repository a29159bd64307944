import type { PaymentGateway } from '../../gateway/index.ts';
import type { Clock } from '../../platform/index.ts';
import {
  type Catalog,
  type CatalogGame,
  type CatalogPaymentMethod,
  type CatalogProduct,
  emptyCatalog,
  type Promo,
  type Store,
} from '../../store/index.ts';
import type { ConfiguredSuppliers } from '../suppliers.ts';
import { createListing, type Listing } from './listing.ts';
import { productAt, type SteadyTime, steadyTime } from './sale-times.ts';

/** A game with the title of its category. */
export interface ShownGame extends CatalogGame {
  category: { id: number; title: string };
}

/** A catalogue indexed for reading. */
export interface CatalogView {
  /** All games that aren't hidden, including closed ones, sorted by `sort` and then `id`. */
  games: ShownGame[];
  /** Payment methods; those that the gateway doesn't offer are closed. */
  paymentMethods: CatalogPaymentMethod[];
  /** The games that aren't hidden. */
  gameBySlug: ReadonlyMap<string, ShownGame>;
  /** Products of these games, each with its game. */
  productById: ReadonlyMap<number, { product: CatalogProduct; game: ShownGame }>;
  paymentMethodById: ReadonlyMap<number, CatalogPaymentMethod>;
  /** Finds a promo by its code, in any case. */
  findPromo(code: string): Promo | undefined;
  /** The suppliers' newest lists of the products. */
  listing: Listing;
}

/** Indexes a catalogue at a given world time. */
function createCatalogView(
  { categories, games, payment_methods, promos }: Catalog,
  { gateway, listing, now }: { gateway: PaymentGateway; listing: Listing; now: number },
): CatalogView {
  const titles = new Map(categories.map(({ id, title }) => [id, title]));
  const shown = games
    .filter((game) => !game.hidden)
    .map((game) => ({
      ...game,
      products: game.products.map((product) => productAt(product, now)),
      category: { id: game.category_id, title: titles.get(game.category_id) ?? '' },
    }))
    .sort((a, b) => a.sort - b.sort || a.id - b.id);
  const paymentMethods = payment_methods.map((method) =>
    gateway.supports?.(method) === false ? { ...method, status: false } : method,
  );
  const promoByCode = new Map(promos.map((promo) => [promo.code.toUpperCase(), promo]));
  return {
    games: shown,
    paymentMethods,
    gameBySlug: new Map(shown.map((game) => [game.slug, game])),
    productById: new Map(
      shown.flatMap((game) => game.products.map((product) => [product.id, { product, game }])),
    ),
    paymentMethodById: new Map(paymentMethods.map((method) => [method.id, method])),
    findPromo: (code) => promoByCode.get(code.toUpperCase()),
    listing,
  };
}

interface CatalogDependencies extends ConfiguredSuppliers<{ name: string }> {
  store: Pick<Store, 'revision' | 'readCatalog' | 'readSupplierLists'>;
  gateway: PaymentGateway;
  cheapestFirst?: boolean | undefined;
  worldClock: Clock;
  realClock: Clock;
}

/** The catalogue at a revision of the store, and its view, which is valid until the next sale starts or ends. */
interface KnownCatalog {
  revision: number;
  catalog: Catalog;
  listing: Listing;
  steady: SteadyTime;
  view: CatalogView;
}

/**
 * Creates a function that returns the current catalogue. It reads the catalogue again only after a change of the store's revision, and
 * indexes it again when a sale starts or ends.
 */
export function createCatalogReader(deps: CatalogDependencies): () => Promise<CatalogView> {
  const { store, gateway, worldClock } = deps;
  let known: KnownCatalog | undefined;

  function indexed(read: Pick<KnownCatalog, 'revision' | 'catalog' | 'listing'>): KnownCatalog {
    const now = worldClock();
    const view = createCatalogView(read.catalog, { gateway, listing: read.listing, now });
    return { ...read, steady: steadyTime(read.catalog, now), view };
  }

  async function read(revision: number): Promise<KnownCatalog> {
    const [stored, lists] = await Promise.all([store.readCatalog(), store.readSupplierLists()]);
    const catalog = stored ?? emptyCatalog;
    return indexed({ revision, catalog, listing: createListing(lists, deps) });
  }

  return async () => {
    const revision = await store.revision();
    if (known?.revision !== revision) known = await read(revision);
    const now = worldClock();
    if (now < known.steady.from || now >= known.steady.until) known = indexed(known);
    return known.view;
  };
}
