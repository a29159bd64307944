import { unitPrice } from '../contract/index.ts';
import type { CatalogProduct } from '../store/index.ts';
import { costWords } from './catalog/costs.ts';
import { type Closure, supplierCodeOf } from './catalog/listing.ts';
import type { CatalogView } from './catalog/view.ts';
import type { Emit, ProductChanges } from './events.ts';

interface WatchDependencies {
  supplier: { name: string };
  emit: Emit;
}

/** The products that the operator sells. */
export const soldProducts = ({ games }: CatalogView): CatalogProduct[] =>
  games.filter(({ status }) => status).flatMap(({ products }) => products.filter(({ status }) => status));

const cut = (text: string): string => (text.length > 300 ? `${text.slice(0, 300)}…` : text);

/** A view of the catalogue, and why each product in it is closed, by the shop's code; null for those that are open. */
interface Look {
  view: CatalogView;
  /** Whether the supplier's list counted. */
  counted: boolean;
  closures: ReadonlyMap<string, Closure | null>;
}

function look(view: CatalogView): Look {
  const { listing } = view;
  const closures = soldProducts(view).map((product) => [product.code, listing.closureOf(product)] as const);
  return { view, counted: listing.counts(), closures: new Map(closures) };
}

const withAmounts = (product: CatalogProduct, { listing }: CatalogView): string =>
  costWords({ product, cost: listing.find(product)?.price ?? 0, price: unitPrice(product) });

/** What changed between two looks, by its cause. */
function changesOf(before: Look, { view, closures }: Look): Omit<ProductChanges, 'supplier'>[] {
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
 * Watches what can be ordered. It reports what changed since the last look, and not what the first one finds: what waits for an
 * operator is an alert. Cut-off hours are not reported, because they close and open products every day.
 */
export function createProductWatch({
  supplier: { name: supplier },
  emit,
}: WatchDependencies): (view: CatalogView) => void {
  let last: Look | null = null;
  let unlistedCodes = '';

  /** Says once which products can't be ordered because their codes may be wrong. */
  function warnOfUnlisted({ view, closures }: Look): void {
    const unlisted = soldProducts(view).filter(({ code }) => closures.get(code) === 'unlisted');
    const codes = unlisted.map(supplierCodeOf).join(', ');
    if (codes !== '' && codes !== unlistedCodes)
      emit({
        type: 'warning',
        warning: `The supplier does not list ${unlisted.length} of the active products in the catalogue, so they can't be ordered: ${cut(codes)}`,
      });
    unlistedCodes = codes;
  }

  return (view) => {
    if (last?.view === view && last.counted === view.listing.counts()) return;
    const before = last;
    const now = look(view);
    last = now;
    if (before?.counted && !now.counted)
      emit({
        type: 'warning',
        warning: `The last list of the supplier ${supplier} is over a day old, so it no longer counts: every active product is for sale.`,
      });
    warnOfUnlisted(now);
    if (before)
      for (const changes of changesOf(before, now))
        emit({ type: 'products', changes: { supplier, ...changes } });
  };
}
