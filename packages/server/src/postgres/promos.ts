import {
  type Catalog,
  type Done,
  done,
  keepPromos,
  type Promo,
  type PromoClaim,
  type PromoUses,
  type Store,
} from '@topup-kit/core/store';
import { integer, json, type Row, text } from '../rows/columns.ts';
import type { Connection, Sql, Transaction } from './connection.ts';
import type { pipelined } from './pipeline.ts';
import { growRevision } from './revision.ts';

type Query = Parameters<typeof pipelined>[0][number];
type Replaced = Awaited<ReturnType<Store['replaceCatalog']>>;

// The row of a promo stays locked from the use to the commit, so that the next statement sees every claim before it.

export const addUse = (sql: Transaction, code: string): Query => sql`
  INSERT INTO promos (code, used) VALUES (${code}, 1)
  ON CONFLICT (code) DO UPDATE SET used = promos.used + 1 WHERE promos.quota IS NULL OR promos.used < promos.quota`;

export const insertClaim = (
  sql: Transaction,
  orderId: string,
  { code, customer, perCustomer }: PromoClaim,
): Query => sql`
  INSERT INTO promo_claims (order_id, code, customer) SELECT ${orderId}, ${code}, ${customer}
  WHERE ${perCustomer}::bigint IS NULL
    OR (SELECT count(*) FROM promo_claims WHERE code = ${code} AND customer = ${customer} AND released = 0)
      < ${perCustomer}::bigint`;

/** Releases the use of an order, if it has one. */
export async function releaseUse(sql: Transaction, orderId: string): Promise<void> {
  const [claim] = await sql`
    UPDATE promo_claims SET released = 1 WHERE order_id = ${orderId} AND released = 0 RETURNING code`;
  if (claim) await sql`UPDATE promos SET used = used - 1 WHERE code = ${text(claim, 'code')}`;
}

export const findReleased = (sql: Transaction, orderId: string): Query =>
  sql`SELECT code FROM promo_claims WHERE order_id = ${orderId} AND released = 1`;

/** Claims a use that {@link findReleased} has found again, if the quota allows it. */
export async function reclaimUse(sql: Transaction, orderId: string, claim: Row): Promise<void> {
  if ((await addUse(sql, text(claim, 'code'))).count > 0)
    await sql`UPDATE promo_claims SET released = 0 WHERE order_id = ${orderId}`;
}

export async function countPromoUses(
  { read }: Connection,
  code: string,
  customer: string,
): Promise<PromoUses> {
  const [row = {}] = await read<Row[]>(
    (sql) => sql`
      SELECT coalesce((SELECT used FROM promos WHERE code = ${code}), 0) AS total,
        (SELECT count(*) FROM promo_claims WHERE code = ${code} AND customer = ${customer} AND released = 0) AS by_customer`,
  );
  return { total: integer(row, 'total'), byCustomer: integer(row, 'by_customer') };
}

const promosOf = (rows: readonly Row[]): Promo[] => rows.map((row) => json<Promo>(row, 'definition'));

const selectOperatorPromos = async (sql: Sql | Transaction): Promise<Promo[]> =>
  promosOf(
    await sql`
      SELECT definition FROM promos WHERE origin = 'operator' AND position IS NOT NULL ORDER BY position`,
  );

export const readOperatorPromos = ({ read }: Connection): Promise<Promo[]> => read(selectOperatorPromos);

export function readCatalog({ read }: Connection): Promise<Catalog | null> {
  return read(async (sql) => {
    // In one statement, so that both are of one moment.
    const rows: Row[] = await sql`
      SELECT document, NULL AS definition, 0 AS position FROM catalog
      UNION ALL SELECT NULL, definition, position FROM promos WHERE position IS NOT NULL ORDER BY position`;
    const [first, ...promos] = rows;
    if (!first || first.document === null) return null;
    return { ...json<Omit<Catalog, 'promos'>>(first, 'document'), promos: promosOf(promos) };
  });
}

async function put(sql: Transaction, promo: Promo, origin: 'catalog' | 'operator'): Promise<Replaced> {
  const { code, quota } = promo;
  const { count } = await sql`
    INSERT INTO promos (code, position, definition, quota, origin)
    VALUES (${code}, (SELECT coalesce(max(position), 0) + 1 FROM promos), ${JSON.stringify(promo)}, ${quota}, ${origin})
    ON CONFLICT (code) DO UPDATE
      SET position = coalesce(promos.position, excluded.position), definition = excluded.definition,
        quota = excluded.quota,
        origin = CASE WHEN promos.origin = 'operator' THEN promos.origin ELSE excluded.origin END
      WHERE excluded.quota IS NULL OR promos.used <= excluded.quota`;
  if (count > 0) return done;
  const [row = {}] = await sql<Row[]>`SELECT used FROM promos WHERE code = ${code}`;
  return { conflict: 'promo_quota_below_uses', code, uses: integer(row, 'used') };
}

export const replaceCatalog = ({ write }: Connection, catalog: Catalog): Promise<Replaced> =>
  write(async (sql) => {
    await growRevision(sql);
    return replace(sql, catalog);
  });

export const seedCatalog = ({ write }: Connection, catalog: Catalog): ReturnType<Store['seedCatalog']> =>
  write(async (sql): Promise<Awaited<ReturnType<Store['seedCatalog']>>> => {
    await growRevision(sql);
    const [present] = await sql`SELECT 1 FROM catalog`;
    return present ? { conflict: 'catalog_exists' } : replace(sql, catalog);
  });

async function replace(sql: Transaction, catalog: Catalog): Promise<Replaced> {
  const { promos, ...document } = keepPromos(catalog, await selectOperatorPromos(sql));
  await sql`
      DELETE FROM promos WHERE origin = 'catalog' AND used = 0
        AND NOT EXISTS (SELECT 1 FROM promo_claims WHERE promo_claims.code = promos.code)`;
  await sql`UPDATE promos SET position = NULL, definition = NULL, quota = NULL`;
  for (const promo of promos) {
    const outcome = await put(sql, promo, 'catalog');
    if ('conflict' in outcome) return outcome;
  }
  await sql`
      INSERT INTO catalog (id, document) VALUES (1, ${JSON.stringify(document)})
      ON CONFLICT (id) DO UPDATE SET document = excluded.document`;
  return done;
}

export function putPromo({ write }: Connection, promo: Promo): Promise<Replaced> {
  return write(async (sql): Promise<Replaced | Done> => {
    await growRevision(sql);
    return put(sql, promo, 'operator');
  });
}
