import { hash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';

/** The whole content of a store. */
export interface Dump {
  /** The same for two stores with the same content. */
  hash: string;
  orders: string[];
}

const asText = (_column: string, value: unknown): unknown =>
  value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;

export function dump(db: DatabaseSync): Dump {
  // A store whose first commit is gone is made anew, and is another store with the same content.
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
