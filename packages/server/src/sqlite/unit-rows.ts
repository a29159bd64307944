import type { DatabaseSync } from 'node:sqlite';
import type { DueUnit, StoredUnit } from '@topup-kit/core/store';
import { unitStates } from '@topup-kit/core/store';
import type { Row } from './columns.ts';
import { integer, integerOrNull, oneOf, text, textOrNull } from './columns.ts';

export interface UnitRows {
  /** Stores a unit whole, whether or not it was there. */
  put(orderId: string, unit: StoredUnit): void;
  find(orderId: string): StoredUnit[];
  findDue(now: number, limit: number): DueUnit[];
  clear(): void;
}

const unitOf = (row: Row): StoredUnit => ({
  unit: integer(row, 'unit'),
  attempt: integer(row, 'attempt'),
  state: oneOf(unitStates, row, 'state'),
  askedAt: integerOrNull(row, 'asked_at'),
  nextAt: integerOrNull(row, 'next_at'),
  serialNumber: textOrNull(row, 'serial_number'),
  reason: textOrNull(row, 'reason'),
});

export function prepareUnitRows(db: DatabaseSync): UnitRows {
  const put = db.prepare(`
    INSERT OR REPLACE INTO units
      (order_id, unit, attempt, state, asked_at, next_at, serial_number, reason)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)`);
  const select = db.prepare('SELECT * FROM units WHERE order_id = ? ORDER BY unit');
  const selectDue = db.prepare(
    'SELECT order_id, unit FROM units WHERE next_at <= ? ORDER BY next_at LIMIT ?',
  );
  const clear = db.prepare('DELETE FROM units');

  return {
    put: (orderId, { unit, attempt, state, askedAt, nextAt, serialNumber, reason }) =>
      void put.run(orderId, unit, attempt, state, askedAt, nextAt, serialNumber, reason),
    find: (orderId) => select.all(orderId).map(unitOf),
    findDue: (now, limit) =>
      selectDue
        .all(now, limit)
        .map((row) => ({ orderId: text(row, 'order_id'), unit: integer(row, 'unit') })),
    clear: () => void clear.run(),
  };
}
