import type { DatabaseSync } from 'node:sqlite';
import { type Row, text, textOrNull } from '../../rows/columns.ts';
import { readStore } from './read-database.ts';

/** An order that was not over when a backup was made, and may be by now: open, or failed and to be retried or refunded. */
export interface OpenOrder {
  orderId: string;
  /** Its state in the backup, such as `PAID / Proses`. */
  state: string;
  /** Its state in the store that was replaced, and its proofs of delivery there; null when they are not known. */
  replaced: string | null;
  serialNumber: string | null;
}

const unpaid = 'UNPAID / Pending';
const stateOf = (row: Row): string => `${text(row, 'payment_status')} / ${text(row, 'buy_status')}`;

const readOpen = (db: DatabaseSync): Row[] =>
  db
    .prepare(
      `SELECT order_id, payment_status, buy_status FROM orders
       WHERE payment_status = 'UNPAID' OR buy_status = 'Proses' OR payment_status = 'PAID' AND buy_status = 'Gagal'
       ORDER BY order_id`,
    )
    .all();

/**
 * Lists what a restored store holds until it is known what became of it (the server buys nothing of it by itself), with what the store
 * knew that it replaced.
 *
 * @param former where the replaced store is kept; null when there was none
 * @example
 * for (const { orderId, replaced } of await findOpenOrders('./data/topup.db', former)) console.log(orderId, replaced);
 */
export async function findOpenOrders(path: string, former: string | null): Promise<OpenOrder[]> {
  const open = await readStore(path, readOpen);
  const listed = (stateIn: (orderId: string) => Row | undefined): OpenOrder[] =>
    open
      .map((row) => {
        const known = stateIn(text(row, 'order_id'));
        return {
          orderId: text(row, 'order_id'),
          state: stateOf(row),
          replaced: known ? stateOf(known) : null,
          serialNumber: known ? textOrNull(known, 'serial_number') : null,
        };
      })
      // What was not paid, as far as anybody knows, is as always.
      .filter(({ state, replaced }) => state !== unpaid || (replaced ?? unpaid) !== unpaid);
  // What was replaced may be damaged.
  if (former === null) return listed(() => undefined);
  return readStore(former, (db) => {
    const find = db.prepare(
      'SELECT payment_status, buy_status, serial_number FROM orders WHERE order_id = ?',
    );
    return listed((orderId) => find.get(orderId));
  }).catch(() => listed(() => undefined));
}
