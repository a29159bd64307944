import type { CatalogChange, FieldChange } from '@topup-kit/core/engine';
import type { Look } from '../../output/style.ts';
import { type Column, table } from '../../output/table.ts';

const columns: Column[] = [
  { title: 'CHANGE' },
  { title: 'WHAT' },
  { title: 'ID', align: 'right' },
  { title: 'TITLE', long: true },
  { title: 'FIELD' },
  { title: 'FROM → TO', long: true },
];

const kinds: Record<CatalogChange['kind'], string> = {
  catalog: 'lists',
  category: 'category',
  game: 'game',
  product: 'product',
  payment_method: 'method',
  promo: 'promo',
};

function valueWords(value: unknown): string {
  if (value === null) return 'none';
  if (typeof value === 'string') return value === '' ? '""' : value;
  return JSON.stringify(value);
}

/** Lists of the same members, of which only the order is another. */
const isReordered = (from: unknown, to: unknown): boolean =>
  Array.isArray(from) &&
  Array.isArray(to) &&
  from.length === to.length &&
  from.every((one) => to.includes(one));

const fieldCells = ({ field, from, to }: FieldChange): string[] => [
  field,
  isReordered(from, to) ? 'in another order' : `${valueWords(from)} → ${valueWords(to)}`,
];

/** One line for each field; only the first names what it belongs to. */
function rowsOf({ change, kind, key, title, fields }: CatalogChange): string[][] {
  const head = [change, kinds[kind], kind === 'promo' ? '' : String(key ?? ''), title];
  const [first, ...rest] = fields.map(fieldCells);
  return [[...head, ...(first ?? [])], ...rest.map((cells) => ['', '', '', '', ...cells])];
}

export const diffScreen = (changes: readonly CatalogChange[], look: Look): string =>
  changes.length === 0 ? '' : table(columns, changes.flatMap(rowsOf), look);

/** `1 added, 2 changed`; what there is none of is not said. */
export function diffSummary(changes: readonly CatalogChange[]): string {
  const counts = Map.groupBy(changes, ({ change }) => change);
  return (['added', 'changed', 'removed'] as const)
    .flatMap((change) => {
      const count = counts.get(change)?.length ?? 0;
      return count === 0 ? [] : [`${count} ${change}`];
    })
    .join(', ');
}
