import type { DatabaseSync } from 'node:sqlite';
import { type Row, text, textOrNull } from '../../rows/columns.ts';
import { readStore } from './read-database.ts';

/** Order that was open when a backup was made, and may have ended since: not finished, or failed and waiting for a retry or refund. */
export interface OpenOrder {
  orderId: string;
  /** State of the order in the backup, such as `PAID / Proses`. */
  state: string;
  /** State and proofs of delivery in the replaced store; null if unknown. */
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
 * Lists the orders that a restored store holds back until their state is known, with the replaced store's data. The server buys nothing for
 * them automatically.
 *
 * @param former path of the replaced store; null if there is none
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
      // Orders that were unpaid in both stores need no attention.
      .filter(({ state, replaced }) => state !== unpaid || (replaced ?? unpaid) !== unpaid);
  // The replaced store may be damaged.
  if (former === null) return listed(() => undefined);
  return readStore(former, (db) => {
    const find = db.prepare(
      'SELECT payment_status, buy_status, serial_number FROM orders WHERE order_id = ?',
    );
    return listed((orderId) => find.get(orderId));
  }).catch(() => listed(() => undefined));
}
