import type { DatabaseSync } from 'node:sqlite';
import type { Promo } from '@topup-kit/core/store';
import { integer, json } from './columns.ts';

export interface QuotaBelowUses {
  conflict: 'promo_quota_below_uses';
  code: string;
  uses: number;
}

export interface PromoRows {
  /** The promos of the catalogue in force, in the order they were given. */
  list(): Promo[];
  /** Puts one promo in force beside the others: a new one comes last. */
  put(promo: Promo): QuotaBelowUses | null;
  /** Puts these promos in force, and no others. */
  replace(promos: Promo[]): QuotaBelowUses | null;
}

export function preparePromoRows(db: DatabaseSync): PromoRows {
  const selectAll = db.prepare('SELECT definition FROM promos WHERE position IS NOT NULL ORDER BY position');
  const deleteUnused = db.prepare(`
    DELETE FROM promos WHERE NOT EXISTS (SELECT 1 FROM promo_claims WHERE promo_claims.code = promos.code)`);
  const withdrawAll = db.prepare('UPDATE promos SET position = NULL, definition = NULL, quota = NULL');
  const put = db.prepare(`
    INSERT INTO promos (code, position, definition, quota)
    VALUES (?, (SELECT coalesce(max(position), 0) + 1 FROM promos), ?, ?)
    ON CONFLICT (code) DO UPDATE
      SET position = coalesce(position, excluded.position), definition = excluded.definition,
        quota = excluded.quota
      WHERE excluded.quota IS NULL OR used <= excluded.quota`);
  const selectUses = db.prepare('SELECT used FROM promos WHERE code = ?');

  function putInForce(promo: Promo): QuotaBelowUses | null {
    const { code, quota } = promo;
    if (put.run(code, JSON.stringify(promo), quota).changes > 0) return null;
    return { conflict: 'promo_quota_below_uses', code, uses: integer(selectUses.get(code) ?? {}, 'used') };
  }

  return {
    list: () => selectAll.all().map((row) => json<Promo>(row, 'definition')),
    put: putInForce,
    replace(promos) {
      deleteUnused.run();
      withdrawAll.run();
      for (const promo of promos) {
        const conflict = putInForce(promo);
        if (conflict) return conflict;
      }
      return null;
    },
  };
}
