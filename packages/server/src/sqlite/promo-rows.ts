import type { DatabaseSync } from 'node:sqlite';
import type { Conflict, Promo, PromoClaim, PromoUses } from '@topup-kit/core/store';
import { integer, json, text } from './columns.ts';

export interface PromoRows {
  /** The promos of the catalogue in force, in the order they were given. */
  list(): Promo[];
  replace(promos: Promo[]): { conflict: 'promo_quota_below_uses'; code: string; uses: number } | null;
  countUses(code: string, customer: string): PromoUses;
  claim(orderId: string, claim: PromoClaim): Conflict<'promo_exhausted' | 'promo_used'> | null;
  /** Gives an order's use back, if it still has one. */
  release(orderId: string): void;
}

export function preparePromoRows(db: DatabaseSync): PromoRows {
  const selectAll = db.prepare('SELECT definition FROM promos WHERE position IS NOT NULL ORDER BY position');
  const deleteUnused = db.prepare('DELETE FROM promos WHERE used = 0');
  const withdrawAll = db.prepare('UPDATE promos SET position = NULL, definition = NULL, quota = NULL');
  const putInForce = db.prepare(`
    INSERT INTO promos (code, position, definition, quota) VALUES (?, ?, ?, ?)
    ON CONFLICT (code) DO UPDATE
      SET position = excluded.position, definition = excluded.definition, quota = excluded.quota
      WHERE excluded.quota IS NULL OR used <= excluded.quota`);
  const selectUses = db.prepare(`
    SELECT coalesce((SELECT used FROM promos WHERE code = ?1), 0) AS total,
      (SELECT count(*) FROM promo_claims WHERE code = ?1 AND customer = ?2) AS by_customer`);
  const addUse = db.prepare(`
    INSERT INTO promos (code, used) VALUES (?, 1)
    ON CONFLICT (code) DO UPDATE SET used = used + 1 WHERE quota IS NULL OR used < quota`);
  const insertClaim = db.prepare(`
    INSERT INTO promo_claims (order_id, code, customer) SELECT ?1, ?2, ?3
    WHERE ?4 IS NULL OR (SELECT count(*) FROM promo_claims WHERE code = ?2 AND customer = ?3) < ?4`);
  const deleteClaim = db.prepare('DELETE FROM promo_claims WHERE order_id = ? RETURNING code');
  const removeUse = db.prepare('UPDATE promos SET used = used - 1 WHERE code = ?');

  function countUses(code: string, customer: string): PromoUses {
    const row = selectUses.get(code, customer) ?? {};
    return { total: integer(row, 'total'), byCustomer: integer(row, 'by_customer') };
  }

  return {
    list: () => selectAll.all().map((row) => json<Promo>(row, 'definition')),
    replace(promos) {
      deleteUnused.run();
      withdrawAll.run();
      for (const [position, promo] of promos.entries()) {
        const { code, quota } = promo;
        if (putInForce.run(code, position, JSON.stringify(promo), quota).changes === 0)
          return { conflict: 'promo_quota_below_uses', code, uses: countUses(code, '').total };
      }
      return null;
    },
    countUses,
    claim(orderId, { code, customer, perCustomer }) {
      if (addUse.run(code).changes === 0) return { conflict: 'promo_exhausted' };
      if (insertClaim.run(orderId, code, customer, perCustomer).changes === 0)
        return { conflict: 'promo_used' };
      return null;
    },
    release(orderId) {
      const claim = deleteClaim.get(orderId);
      if (claim) removeUse.run(text(claim, 'code'));
    },
  };
}
