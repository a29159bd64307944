import type { Catalog, Merged } from '@topup-kit/core/store';
import { json, type Row, text } from '../rows/columns.ts';
import type { StoreName } from '../rows/names.ts';
import { all, type Command, sql } from '../sql/statement.ts';
import { readCallbackNames } from './callbacks/sql.ts';
import { readWebhookNames } from './webhooks/inspect.ts';

interface HouseNames {
  /** At most 100 orders, the newest first. */
  orders: StoreName[];
  promos: StoreName[];
  /** Only keys that are not revoked. */
  keys: StoreName[];
  /** Null before the first import of a catalogue. */
  catalog: Omit<Catalog, 'promos'> | null;
}

/** Names that each room adds. */
const rooms = {
  callbacks: readCallbackNames,
  webhooks: readWebhookNames,
};
type Room = (typeof rooms)[keyof typeof rooms];
type NamesOf<Read> = Read extends (limit: number) => Command<infer Names> ? Names : never;

/** Names in a store, by kind. */
export type StoreNames = HouseNames & Merged<NamesOf<Room>>;

const maxNames = 100;

/** Reads the names in a store, each with a short description. */
export function* readNames(): Command<StoreNames> {
  const named =
    (name: string, about: (row: Row) => string) =>
    (row: Row): StoreName => ({ name: text(row, name), about: about(row) });
  const orders = yield* all(
    sql`
      SELECT order_id, payment_status, buy_status FROM orders WHERE reserved = 0
      ORDER BY created_at DESC, order_id DESC LIMIT ${maxNames}`,
    named('order_id', (row) => `${text(row, 'payment_status')} / ${text(row, 'buy_status')}`),
  );
  const promos = yield* all(
    sql`SELECT code FROM promos WHERE position IS NOT NULL ORDER BY position`,
    named('code', () => ''),
  );
  const keys = yield* all(
    sql`SELECT key_id, name FROM keys WHERE revoked_at IS NULL ORDER BY created_at`,
    named('key_id', (row) => text(row, 'name')),
  );
  const [catalog = null] = yield* all(sql`SELECT document FROM catalog`, (row) =>
    json<Omit<Catalog, 'promos'>>(row, 'document'),
  );
  const ofRooms: object[] = [];
  for (const read of Object.values<(limit: number) => Command<object>>(rooms))
    ofRooms.push(yield* read(maxNames));
  // Safe: `Merged` is the type of all rooms' parts together.
  const more = Object.assign({}, ...ofRooms) as Merged<NamesOf<Room>>;
  return { orders, promos, keys, catalog, ...more };
}
