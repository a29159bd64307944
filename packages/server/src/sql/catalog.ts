import {
  activityOfEdit,
  type Catalog,
  type CatalogEdit,
  done,
  mergeOperatorPromos,
  type Promo,
  type StoredCatalogEdit,
} from '@topup-kit/core/store';
import { integer, json, type Row } from '../rows/columns.ts';
import { insertActivities } from './activity.ts';
import { growRevision } from './state.ts';
import {
  all,
  type Command,
  change,
  exists,
  first,
  type ResultOf,
  run,
  type Statement,
  sql,
} from './statement.ts';

const promoOf = (row: Row): Promo => json<Promo>(row, 'definition');

export function* readCatalog(): Command<Catalog | null> {
  // Reads both values in one statement, so that they are from the same moment.
  const { rows } = yield* run(sql`
    SELECT document, NULL AS definition, 0 AS position FROM catalog
    UNION ALL SELECT NULL, definition, position FROM promos WHERE position IS NOT NULL ORDER BY position`);
  const [document, ...promos] = rows;
  if (!document || document.document === null) return null;
  return { ...json<Omit<Catalog, 'promos'>>(document, 'document'), promos: promos.map(promoOf) };
}

/** Reads the promos of the current catalogue that an operator stored individually. */
export const readOperatorPromos = (): Command<Promo[]> =>
  all(
    sql`SELECT definition FROM promos WHERE origin = 'operator' AND position IS NOT NULL ORDER BY position`,
    promoOf,
  );

/** Adds or replaces one promo. A new promo comes last, and an operator's promo stays the operator's. */
function* put(promo: Promo, origin: 'catalog' | 'operator'): Command<ResultOf<'putPromo'>> {
  const { code, quota } = promo;
  const stored = yield* change(sql`
    INSERT INTO promos (code, position, definition, quota, origin)
    VALUES (${code}, (SELECT coalesce(max(position), 0) + 1 FROM promos), ${JSON.stringify(promo)}, ${quota}, ${origin})
    ON CONFLICT (code) DO UPDATE
      SET position = coalesce(promos.position, excluded.position), definition = excluded.definition,
        quota = excluded.quota,
        origin = CASE WHEN promos.origin = 'operator' THEN promos.origin ELSE excluded.origin END
      WHERE excluded.quota IS NULL OR promos.used <= excluded.quota`);
  if (stored > 0) return done;
  const uses = yield* first(sql`SELECT used FROM promos WHERE code = ${code}`, (row) => integer(row, 'used'));
  return { conflict: 'promo_quota_below_uses', code, uses: uses ?? 0 };
}

/** Adds an edit. Edits wait for each other at the revision, so that each gets its own number. */
export const addEdit = (edit: CatalogEdit): Statement[] => [
  sql`
    INSERT INTO catalog_edits (number, edit)
    VALUES ((SELECT coalesce(max(number), 0) + 1 FROM catalog_edits), ${JSON.stringify(edit)})`,
  ...insertActivities(activityOfEdit(edit)),
];

/** Stores the catalogue without its promos, which have their own table. */
export const putDocument = ({ promos: _apart, ...document }: Catalog) => sql`
  INSERT INTO catalog (id, document) VALUES (1, ${JSON.stringify(document)})
  ON CONFLICT (id) DO UPDATE SET document = excluded.document`;

function* replace(catalog: Catalog, edit?: CatalogEdit): Command<ResultOf<'replaceCatalog'>> {
  const kept = mergeOperatorPromos(catalog, yield* readOperatorPromos());
  yield [
    // A used promo is not deleted, so that an order that claims it in the meantime keeps it.
    sql`
      DELETE FROM promos WHERE origin = 'catalog' AND used = 0
        AND NOT EXISTS (SELECT 1 FROM promo_claims WHERE promo_claims.code = promos.code)`,
    sql`UPDATE promos SET position = NULL, definition = NULL, quota = NULL`,
  ];
  for (const promo of kept.promos) {
    const outcome = yield* put(promo, 'catalog');
    if ('conflict' in outcome) return outcome;
  }
  yield [putDocument(kept), ...(edit ? addEdit(edit) : [])];
  return done;
}

export function* replaceCatalog(catalog: Catalog, edit?: CatalogEdit): Command<ResultOf<'replaceCatalog'>> {
  yield* run(growRevision);
  return yield* replace(catalog, edit);
}

export function* seedCatalog(catalog: Catalog): Command<ResultOf<'seedCatalog'>> {
  yield* run(growRevision);
  if (yield* exists(sql`SELECT 1 FROM catalog`)) return { conflict: 'catalog_exists' };
  return yield* replace(catalog);
}

export function* putPromo(promo: Promo): Command<ResultOf<'putPromo'>> {
  yield* run(growRevision);
  return yield* put(promo, 'operator');
}

export const listCatalogEdits = (limit: number): Command<StoredCatalogEdit[]> =>
  all(sql`SELECT number, edit FROM catalog_edits ORDER BY number DESC LIMIT ${limit}`, (row) => ({
    ...json<CatalogEdit>(row, 'edit'),
    number: integer(row, 'number'),
  }));
