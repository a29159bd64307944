import type { CatalogProblem } from '@topup-kit/core/engine';
import type { Catalog, Promo } from '@topup-kit/core/store';
import { exitCodes, Problem, usageProblem } from '../../errors/cli-error.ts';
import type { PromoOptions } from './promo-options.ts';
import { isCode } from './put-promo.ts';

/** A promo as a catalogue file has it, whose defaults are not filled in. */
function promoEntry(options: PromoOptions): object {
  const { percent, amount, maxDiscount } = options;
  if (percent === undefined && amount === undefined)
    throw usageProblem('A promo takes --percent or --amount: how much it takes off.');
  const max_discount = maxDiscount ?? null;
  return {
    code: options.code,
    discount:
      percent === undefined
        ? { type: 'FIXED', value: amount, max_discount }
        : { type: 'PERCENT', basis_points: percent, max_discount },
    starts_at: options.starts ?? null,
    ends_at: options.ends ?? null,
    quota: options.quota ?? null,
    per_customer: options.perCustomer ?? null,
    minimum_purchase: options.minimum ?? 0,
    games: options.game ?? [],
    products: options.product ?? [],
    payment_methods: options.paymentMethod ?? [],
  };
}

const flags: Record<string, string> = {
  code: '--code',
  'discount.basis_points': '--percent',
  'discount.value': '--amount',
  'discount.max_discount': '--max-discount',
  starts_at: '--starts',
  ends_at: '--ends',
  quota: '--quota',
  per_customer: '--per-customer',
  minimum_purchase: '--minimum',
  games: '--game',
  products: '--product',
  payment_methods: '--payment-method',
};

/** `promos[3].games[0]` reads `--game`, and what it names is of the catalogue, not of a file. */
function fieldsOf(problems: readonly CatalogProblem[]): Record<string, string[]> {
  const byFlag = Map.groupBy(problems, ({ path }) => {
    const field = path.replace(/^promos\[\d+\]\.?/, '').replace(/\[\d+\]$/, '');
    return flags[field] ?? path;
  });
  const words = ({ rule }: CatalogProblem): string =>
    rule.replace('of this file', 'of the catalogue').replace('starts_at', '--starts');
  return Object.fromEntries([...byFlag].map(([flag, rules]) => [flag, rules.map(words)]));
}

/** Reads a promo by the rules of catalogue files, as one more of the catalogue it will stand in. */
export async function readPromo(options: PromoOptions, catalog: Catalog): Promise<Promo> {
  const { readCatalogFile } = await import('@topup-kit/core/engine');
  const others = catalog.promos.filter((promo) => !isCode(promo, options.code));
  const entry = promoEntry(options);
  const read = readCatalogFile({ format: 'topup-kit/catalog@1', ...catalog, promos: [...others, entry] });
  const promo = 'catalog' in read ? read.catalog.promos.at(-1) : undefined;
  if (promo) return promo;
  throw new Problem('That is no promo for this catalogue.', {
    code: 'INVALID_PROMO',
    exitCode: exitCodes.usage,
    fields: fieldsOf('problems' in read ? read.problems : []),
  });
}
