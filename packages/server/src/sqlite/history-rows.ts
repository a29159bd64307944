import type { DatabaseSync } from 'node:sqlite';
import type { HistoryEntry } from '@topup-kit/core/store';
import { json } from './columns.ts';

export interface HistoryRows {
  /** Adds the line of the change that led to this version of an order. */
  add(orderId: string, version: number, entry: HistoryEntry): void;
  find(orderId: string): HistoryEntry[];
  clear(): void;
}

export function prepareHistoryRows(db: DatabaseSync): HistoryRows {
  const insert = db.prepare('INSERT INTO history (order_id, version, entry) VALUES (?, ?, ?)');
  const select = db.prepare('SELECT entry FROM history WHERE order_id = ? ORDER BY version');
  const clear = db.prepare('DELETE FROM history');

  return {
    add: (orderId, version, entry) => void insert.run(orderId, version, JSON.stringify(entry)),
    find: (orderId) => select.all(orderId).map((row) => json<HistoryEntry>(row, 'entry')),
    clear: () => void clear.run(),
  };
}
