import { unitPrice } from '../../contract/index.ts';
import { costWords } from '../../engine/catalog/costs.ts';
import type { Closure } from '../../engine/catalog/supplier-lists.ts';
import type { CatalogView } from '../../engine/catalog/view.ts';
import type { EmitEvent, ProductChanges } from '../../engine/events.ts';
import { allSuppliers, type ConfiguredSuppliers, offersOf } from '../../engine/suppliers.ts';
import type { CatalogProduct } from '../../store/index.ts';

interface WatchDependencies extends ConfiguredSuppliers<{ name: string }> {
  emit: EmitEvent;
}

export const soldProducts = ({ games }: CatalogView): CatalogProduct[] =>
  games.filter(({ status }) => status).flatMap(({ products }) => products.filter(({ status }) => status));

const cut = (text: string): string => (text.length > 300 ? `${text.slice(0, 300)}…` : text);

/** A view of the catalogue, with the reason for each closed product by the shop's code; null for open products. */
interface ProductSnapshot {
  view: CatalogView;
  /** Suppliers with a valid list. */
  counted: readonly string[];
  closures: ReadonlyMap<string, Closure | null>;
}

function takeSnapshot(view: CatalogView, counted: readonly string[]): ProductSnapshot {
  const { listing } = view;
  const closures = soldProducts(view).map((product) => [product.code, listing.closureOf(product)] as const);
  return { view, counted, closures: new Map(closures) };
}

const withAmounts = (product: CatalogProduct, { listing }: CatalogView): string =>
  costWords({ product, cost: listing.saleOf(product).listed?.price ?? 0, price: unitPrice(product) });

/** Returns the changes between two views, by cause. */
function changesOf(
  before: ProductSnapshot,
  { view, closures }: ProductSnapshot,
): Omit<ProductChanges, 'supplier'>[] {
  const sold = soldProducts(view);
  const change = (from: readonly (Closure | null)[], to: Closure | null): CatalogProduct[] =>
    sold.filter(({ code }) => closures.get(code) === to && from.includes(before.closures.get(code) ?? null));
  const codes = (products: readonly CatalogProduct[]): string[] => products.map(({ code }) => code);
  const tooDear = change([null, 'unlisted', 'unavailable'], 'cost');
  return [
    {
      because: 'cost' as const,
      closed: tooDear.map((product) => withAmounts(product, view)),
      reopened: codes(change(['cost'], null)),
    },
    {
      because: 'supplier' as const,
      closed: codes(change([null, 'cost'], 'unavailable')),
      reopened: codes(change(['unavailable', 'unlisted'], null)),
    },
  ].filter(({ closed, reopened }) => closed.length + reopened.length > 0);
}

/**
 * Creates a function that reports which products were closed or opened since the last view. It doesn't report the state of the first view,
 * for which an alert exists. It ignores cut-off hours, which close and open products every day.
 */
export function createProductWatch(deps: WatchDependencies): (view: CatalogView) => void {
  const { emit } = deps;
  const names = allSuppliers(deps).map(({ name }) => name);
  const supplier = names.join(', ');
  let last: ProductSnapshot | null = null;
  const said = { unlisted: '', unsold: '' };

  /** Warns once about products that can't be ordered. */
  function warnOf(cause: keyof typeof said, codes: readonly string[], why: string): void {
    const named = codes.join(', ');
    if (named !== '' && named !== said[cause])
      emit({ type: 'warning', warning: `${why}, so they can't be ordered: ${cut(named)}` });
    said[cause] = named;
  }

  return (view) => {
    const counted = names.filter((name) => view.listing.counts(name));
    if (last?.view === view && last.counted.join() === counted.join()) return;
    const before = last;
    const now = takeSnapshot(view, counted);
    last = now;
    for (const name of before?.counted.filter((name) => !counted.includes(name)) ?? [])
      emit({
        type: 'warning',
        warning: `The last list of the supplier ${name} is over a day old, so the server ignores it: ${names.length > 1 ? 'all active products of this supplier are' : 'all active products are'} for sale.`,
      });
    const missing = soldProducts(view).filter(({ code }) => now.closures.get(code) === 'unlisted');
    const isSold = (product: CatalogProduct): boolean => offersOf(product, deps).length > 0;
    const [wrong, unsold] = [missing.filter(isSold), missing.filter((product) => !isSold(product))];
    const offers = wrong.flatMap((product) => offersOf(product, deps));
    // The codes of these products may be wrong.
    warnOf(
      'unlisted',
      [...new Set(offers.map(({ code }) => code))],
      `The supplier does not list ${wrong.length} of the active products in the catalogue`,
    );
    warnOf(
      'unsold',
      unsold.map(({ code }) => code),
      `No supplier is configured for ${unsold.length} of the active products in the catalogue`,
    );
    if (before)
      for (const changes of changesOf(before, now))
        emit({ type: 'products', changes: { supplier, ...changes } });
  };
}
