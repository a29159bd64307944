import type { DatabaseSync } from 'node:sqlite';
import type { Conflict, Promo, PromoClaim, PromoUses } from '@topup-kit/core/store';
import { integer, json, text } from '../rows/columns.ts';

export interface QuotaBelowUses {
  conflict: 'promo_quota_below_uses';
  code: string;
  uses: number;
}

export interface PromoRows {
  /** The promos of the current catalogue, in their original order. */
  list(): Promo[];
  /** Those of them that an operator stored one by one. */
  listOfOperator(): Promo[];
  /** Adds or replaces one promo, which is the operator's from then on. A new one comes last. */
  put(promo: Promo): QuotaBelowUses | null;
  /** Replaces all promos of the current catalogue. Those of the operator stay the operator's. */
  replace(promos: Promo[]): QuotaBelowUses | null;
}

export function preparePromoRows(db: DatabaseSync): PromoRows {
  const selectAll = db.prepare('SELECT definition FROM promos WHERE position IS NOT NULL ORDER BY position');
  const selectOfOperator = db.prepare(
    "SELECT definition FROM promos WHERE origin = 'operator' AND position IS NOT NULL ORDER BY position",
  );
  const deleteUnused = db.prepare(`
    DELETE FROM promos WHERE origin = 'catalog' AND NOT EXISTS (SELECT 1 FROM promo_claims WHERE promo_claims.code = promos.code)`);
  const withdrawAll = db.prepare('UPDATE promos SET position = NULL, definition = NULL, quota = NULL');
  const put = db.prepare(`
    INSERT INTO promos (code, position, definition, quota, origin)
    VALUES (?, (SELECT coalesce(max(position), 0) + 1 FROM promos), ?, ?, ?)
    ON CONFLICT (code) DO UPDATE
      SET position = coalesce(position, excluded.position), definition = excluded.definition,
        quota = excluded.quota, origin = iif(origin = 'operator', origin, excluded.origin)
      WHERE excluded.quota IS NULL OR used <= excluded.quota`);
  const selectUses = db.prepare('SELECT used FROM promos WHERE code = ?');

  function putPromo(promo: Promo, origin: 'catalog' | 'operator'): QuotaBelowUses | null {
    const { code, quota } = promo;
    if (put.run(code, JSON.stringify(promo), quota, origin).changes > 0) return null;
    return { conflict: 'promo_quota_below_uses', code, uses: integer(selectUses.get(code) ?? {}, 'used') };
  }

  return {
    list: () => selectAll.all().map((row) => json<Promo>(row, 'definition')),
    listOfOperator: () => selectOfOperator.all().map((row) => json<Promo>(row, 'definition')),
    put: (promo) => putPromo(promo, 'operator'),
    replace(promos) {
      deleteUnused.run();
      withdrawAll.run();
      for (const promo of promos) {
        const conflict = putPromo(promo, 'catalog');
        if (conflict) return conflict;
      }
      return null;
    },
  };
}

/** The uses of promos. Each belongs to an order, and the promo's row has the total. */
export interface PromoClaimRows {
  countUses(code: string, customer: string): PromoUses;
  claim(orderId: string, claim: PromoClaim): Conflict<'promo_exhausted' | 'promo_used'> | null;
  /** Releases the use of an order, if it has one. */
  release(orderId: string): void;
  /** Claims the released use of an order again, if the quota allows it. */
  reclaim(orderId: string): void;
  /** Releases the use of an order and deletes its claim. */
  delete(orderId: string): void;
  clear(): void;
}

export function preparePromoClaimRows(db: DatabaseSync): PromoClaimRows {
  const selectUses = db.prepare(`
    SELECT coalesce((SELECT used FROM promos WHERE code = ?1), 0) AS total,
      (SELECT count(*) FROM promo_claims WHERE code = ?1 AND customer = ?2 AND released = 0) AS by_customer`);
  const addUse = db.prepare(`
    INSERT INTO promos (code, used) VALUES (?, 1)
    ON CONFLICT (code) DO UPDATE SET used = used + 1 WHERE quota IS NULL OR used < quota`);
  const removeUse = db.prepare('UPDATE promos SET used = used - 1 WHERE code = ?');
  const insert = db.prepare(`
    INSERT INTO promo_claims (order_id, code, customer) SELECT ?1, ?2, ?3
    WHERE ?4 IS NULL
      OR (SELECT count(*) FROM promo_claims WHERE code = ?2 AND customer = ?3 AND released = 0) < ?4`);
  const markReleased = db.prepare(
    'UPDATE promo_claims SET released = 1 WHERE order_id = ? AND released = 0 RETURNING code',
  );
  const selectReleased = db.prepare('SELECT code FROM promo_claims WHERE order_id = ? AND released = 1');
  const markReclaimed = db.prepare('UPDATE promo_claims SET released = 0 WHERE order_id = ?');
  const deleteClaim = db.prepare('DELETE FROM promo_claims WHERE order_id = ?');
  const deleteAll = db.prepare('DELETE FROM promo_claims');
  const removeAllUses = db.prepare('UPDATE promos SET used = 0');

  const addUseOf = (code: string): boolean => addUse.run(code).changes > 0;

  function release(orderId: string): void {
    const claim = markReleased.get(orderId);
    if (claim) removeUse.run(text(claim, 'code'));
  }

  return {
    countUses(code, customer) {
      const row = selectUses.get(code, customer) ?? {};
      return { total: integer(row, 'total'), byCustomer: integer(row, 'by_customer') };
    },
    claim(orderId, { code, customer, perCustomer }) {
      if (!addUseOf(code)) return { conflict: 'promo_exhausted' };
      if (insert.run(orderId, code, customer, perCustomer).changes === 0) return { conflict: 'promo_used' };
      return null;
    },
    release,
    reclaim(orderId) {
      const claim = selectReleased.get(orderId);
      if (claim && addUseOf(text(claim, 'code'))) markReclaimed.run(orderId);
    },
    delete(orderId) {
      release(orderId);
      deleteClaim.run(orderId);
    },
    clear() {
      deleteAll.run();
      removeAllUses.run();
    },
  };
}
