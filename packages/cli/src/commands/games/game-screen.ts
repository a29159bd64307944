import type { CheckoutAnswer, GameDetail, PaymentMethod, Product, TargetField } from '@topup-kit/sdk';
import { money } from '../../output/format.ts';
import type { Look } from '../../output/style.ts';
import { type Column, table } from '../../output/table.ts';
import { printable, wrap } from '../../output/text.ts';

export const productColumns: Column[] = [
  { title: 'PRODUCTS', long: true },
  { title: 'ID', align: 'right' },
  { long: true },
  { title: 'PRICE', align: 'right' },
  { title: 'PROMOTION' },
  {},
];

export const fieldColumns: Column[] = [{ title: 'NEEDED' }, {}, { long: true }];

const methodColumns: Column[] = [
  { title: 'ID', align: 'right' },
  { title: 'WAYS TO PAY', long: true },
  { title: 'FEE', align: 'right' },
  { title: 'FROM', align: 'right', spare: true },
  { title: 'UP TO', align: 'right', spare: true },
  {},
];

/** Products by category, in the order in which the categories come; only the first of each names it. */
export function productRows(products: Product[]): string[][] {
  const categories = Map.groupBy(products, ({ category }) => category?.title ?? 'Other');
  return [...categories].flatMap(([title, members]) =>
    members.map((product, index) => [index === 0 ? title : '', ...productCells(product)]),
  );
}

function productCells({ id, title, selling_price, promo_price, is_promo, status }: Product): string[] {
  const promoPrice = is_promo ? promo_price : null;
  return [
    String(id),
    title,
    money(promoPrice ?? selling_price),
    promoPrice === null ? '' : `was ${money(selling_price)}`,
    status ? '' : 'closed',
  ];
}

export const fieldCells = ({ name, label, required, options = [] }: TargetField): string[] => [
  `--${name}`,
  required ? label : `${label} (optional)`,
  options.length === 0 ? '' : `one of ${options.join(', ')}`,
];

export function feeOf({ fee, fee_percent }: PaymentMethod): string {
  const parts = [...(fee > 0 ? [money(fee)] : []), ...(fee_percent > 0 ? [`${fee_percent} %`] : [])];
  return parts.join(' + ') || 'none';
}

export const methodCells = (method: PaymentMethod): string[] => [
  String(method.id),
  method.name,
  feeOf(method),
  money(method.minimum_amount),
  money(method.maximum_amount),
  method.status ? '' : 'closed',
];

export function heading({ title, slug, developers, category, status }: GameDetail): string {
  const facts = [slug, category.title, developers, ...(status ? [] : ['closed'])];
  return `${printable(title)}\n${printable(facts.join(' · '))}\n`;
}

/** All of a game that somebody needs who is about to order. */
export function gameScreen({ game, paymentMethods }: CheckoutAnswer, look: Look): string {
  return [
    heading(game),
    wrap(game.description, look.columns),
    table(productColumns, productRows(game.products), look),
    table(fieldColumns, game.fields.map(fieldCells), look),
    table(methodColumns, paymentMethods.map(methodCells), look),
  ].join('\n');
}
