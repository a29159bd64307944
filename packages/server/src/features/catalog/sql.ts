import {
  type CatalogEdit,
  type Done,
  done,
  type Margin,
  type MarginRule,
  marginScopes,
  type PlannedCatalog,
  type SupplierList,
} from '@topup-kit/core/store';
import { json, oneOf, text as textOf } from '../../rows/columns.ts';
import { supplierListOf } from '../../rows/records.ts';
import { addEdit, putDocument } from '../../sql/catalog.ts';
import { growRevision, growRevisionFrom } from '../../sql/state.ts';
import { all, type Command, change, type ResultOf, type Statement, sql, text } from '../../sql/statement.ts';

const readMargins = (): Command<Margin[]> =>
  all(sql`SELECT scope, key, rule FROM margins ORDER BY scope, key`, (row) => ({
    scope: oneOf(marginScopes, row, 'scope'),
    key: textOf(row, 'key'),
    rule: json<MarginRule>(row, 'rule'),
  }));

const readPricedLists = (): Command<SupplierList[]> =>
  all(sql`SELECT supplier, read_at, products FROM priced_lists ORDER BY read_at DESC`, supplierListOf);

const putList = (
  table: 'supplier_lists' | 'priced_lists',
  { supplier, readAt, products }: SupplierList,
): Statement => sql`
  INSERT INTO ${text(table)} (supplier, read_at, products)
  VALUES (${supplier}, ${readAt}, ${JSON.stringify(products)})
  ON CONFLICT (supplier) DO UPDATE SET read_at = excluded.read_at, products = excluded.products`;

function* editCatalog(
  { revision, catalog, margins, pricedBy }: PlannedCatalog,
  edit: CatalogEdit | null,
): Command<ResultOf<'editCatalog'>> {
  if ((yield* change(growRevisionFrom(revision))) === 0) return { conflict: 'catalog_changed' };
  yield [
    ...(catalog ? [putDocument(catalog)] : []),
    sql`DELETE FROM margins`,
    ...margins.map(
      ({ scope, key, rule }) =>
        sql`INSERT INTO margins (scope, key, rule) VALUES (${scope}, ${key}, ${JSON.stringify(rule)})`,
    ),
    ...(edit ? addEdit(edit) : []),
    ...(pricedBy ? [putList('priced_lists', pricedBy)] : []),
  ];
  return done;
}

function* saveSupplierList(list: SupplierList): Command<Done> {
  yield [putList('supplier_lists', list), growRevision];
  return done;
}

// Each command is named after its store method.
export const reads = { readMargins, readPricedLists };
export const announcedWrites = { editCatalog, saveSupplierList };
