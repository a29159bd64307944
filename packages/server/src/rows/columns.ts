import type { SQLOutputValue } from 'node:sqlite';

export type Row = Record<string, SQLOutputValue>;

/** Error for a row with a value that the store never wrote. The message doesn't contain the value, because the value may be customer data. */
export class DamagedRowError extends Error {
  override readonly name = 'DamagedRowError';
}

const unexpectedValue = (column: string, value: SQLOutputValue | undefined): DamagedRowError =>
  new DamagedRowError(`column ${column} holds an unexpected ${value === null ? 'null' : typeof value}`);

export function text(row: Row, column: string): string {
  const value = row[column];
  if (typeof value !== 'string') throw unexpectedValue(column, value);
  return value;
}

export function integer(row: Row, column: string): number {
  const value = row[column];
  if (typeof value !== 'number') throw unexpectedValue(column, value);
  return value;
}

export function bytes(row: Row, column: string): Uint8Array {
  const value = row[column];
  if (!(value instanceof Uint8Array)) throw unexpectedValue(column, value);
  return value;
}

export const textOrNull = (row: Row, column: string): string | null =>
  row[column] === null ? null : text(row, column);

export const integerOrNull = (row: Row, column: string): number | null =>
  row[column] === null ? null : integer(row, column);

/** Reads a string that must be one of `values`. */
export function oneOf<Value extends string>(values: readonly Value[], row: Row, column: string): Value {
  const value = text(row, column);
  const known = values.find((candidate) => candidate === value);
  if (known === undefined) throw new DamagedRowError(`column ${column} holds an unknown value`);
  return known;
}

/** Reads a JSON document that the store wrote. */
export function json<Document>(row: Row, column: string): Document {
  const document = text(row, column);
  try {
    // Safe: only the store writes these columns, each from a value of this type.
    return JSON.parse(document) as Document;
  } catch {
    throw new DamagedRowError(`column ${column} holds no JSON`);
  }
}
