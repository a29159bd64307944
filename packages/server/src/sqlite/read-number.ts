import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { integer } from '../rows/columns.ts';

/** Runs a query that returns a single number. */
export function readNumber(db: DatabaseSync, sql: string, ...parameters: SQLInputValue[]): number {
  const [value] = Object.values(db.prepare(sql).get(...parameters) ?? {});
  return integer({ value: value ?? null }, 'value');
}
