import type { DatabaseSync } from 'node:sqlite';
import type { DueMoment, DueUnit, OpenWork, StoredUnit } from '@topup-kit/core/store';
import { integerOrNull, type Row, textOrNull } from '../rows/columns.ts';
import { nameOf, unitOf } from '../rows/records.ts';

export interface UnitRows {
  /** Adds a unit, or replaces it. */
  put(orderId: string, unit: StoredUnit): void;
  find(orderId: string): StoredUnit[];
  findDue(at: DueMoment, limit: number): DueUnit[];
  findBySupplierId(supplierId: string): DueUnit[];
  clear(): void;
}

export function prepareUnitRows(db: DatabaseSync): UnitRows {
  const put = db.prepare(`
    INSERT OR REPLACE INTO units
      (order_id, unit, attempt, state, asked_at, next_at, supplier_id, serial_number, reason,
        contradiction, supplier, find_by, waits_for)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const select = db.prepare('SELECT * FROM units WHERE order_id = ? ORDER BY unit');
  const selectDue = db.prepare(
    'SELECT order_id, unit FROM units WHERE next_at <= ? ORDER BY next_at LIMIT ?',
  );
  const selectLater = db.prepare(
    'SELECT order_id, unit FROM units WHERE next_at > ? ORDER BY next_at LIMIT ?',
  );
  const selectBySupplierId = db.prepare('SELECT order_id, unit FROM units WHERE supplier_id = ?');
  const clear = db.prepare('DELETE FROM units');

  return {
    put: (orderId, unit) =>
      void put.run(
        orderId,
        unit.unit,
        unit.attempt,
        unit.state,
        unit.askedAt,
        unit.nextAt,
        unit.supplierId,
        unit.serialNumber,
        unit.reason,
        unit.contradiction,
        unit.supplier,
        unit.findBy,
        unit.waitsFor,
      ),
    find: (orderId) => select.all(orderId).map(unitOf),
    findDue({ now, latest }, limit) {
      const due = selectDue.all(now, limit);
      return [...due, ...selectLater.all(latest, limit - due.length)].map(nameOf);
    },
    findBySupplierId: (supplierId) => selectBySupplierId.all(supplierId).map(nameOf),
    clear: () => void clear.run(),
  };
}

export interface OpenWorkRows {
  count(): OpenWork;
}

/** Reads only indexes of what is open, so the cost doesn't grow with the number of orders. */
export function prepareOpenWorkRows(db: DatabaseSync): OpenWorkRows {
  const gateway = `SELECT json_extract(details, '$.gateway') AS name FROM orders`;
  const unpaid = db.prepare(`${gateway} WHERE payment_status = 'UNPAID' AND reserved = 0`);
  const reserved = db.prepare(`${gateway} WHERE reserved = 1`);
  const deliveries = db.prepare(
    `SELECT supplier AS name FROM units WHERE next_at IS NOT NULL AND state <> 'waiting'`,
  );

  function countsOf(...results: Iterable<Row>[]): Map<string, number> {
    const counts = new Map<string, number>();
    for (const rows of results)
      for (const row of rows) {
        const name = textOrNull(row, 'name');
        if (name !== null) counts.set(name, (counts.get(name) ?? 0) + 1);
      }
    return counts;
  }

  return {
    count: () => ({
      payments: countsOf(unpaid.iterate(), reserved.iterate()),
      deliveries: countsOf(deliveries.iterate()),
    }),
  };
}

export interface DueRows {
  /** The earliest time at which an unpaid order expires or the supplier is called for a unit; null when nothing is due. */
  next(): number | null;
}

/** Reads only the first entry of two indexes, so the cost doesn't grow with the number of orders. */
export function prepareDueRows(db: DatabaseSync): DueRows {
  const select = db.prepare(`
    SELECT min(due_at) AS due_at FROM (
      SELECT * FROM (
        SELECT expires_at AS due_at FROM orders
        WHERE payment_status = 'UNPAID' AND reserved = 0 ORDER BY expires_at LIMIT 1)
      UNION ALL
      SELECT * FROM (SELECT next_at FROM units WHERE next_at IS NOT NULL ORDER BY next_at LIMIT 1)
    )`);

  return {
    next: () => integerOrNull(select.get() ?? { due_at: null }, 'due_at'),
  };
}
