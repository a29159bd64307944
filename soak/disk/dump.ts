import { hash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';

/** Whole content of a store. */
export interface Dump {
  /** Hash, which is equal for two stores with the same content. */
  hash: string;
  orders: string[];
}

const asText = (_column: string, value: unknown): unknown =>
  value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;

export function dump(db: DatabaseSync): Dump {
  // If the first commit of a store is lost, the store is created again, with another identity but the same content.
  const tables = db
    .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'store_identity' ORDER BY name`)
    .all();
  const content = new Map(
    tables.map(({ name }) => [String(name), db.prepare(`SELECT * FROM "${name}"`).all()]),
  );
  return {
    hash: hash('sha1', JSON.stringify([...content], asText)),
    orders: (content.get('orders') ?? []).map((row) => String(row.order_id)),
  };
}
