/**
 * Lists of orders by any combination of filters, newest first, as in format 8 of the file store. Servers of format 2 go on; for
 * them, `orders_newest_of_account` stays for one more format. Orders wait while an index is built, so an operator may have built them
 * before (docs/deployment.md).
 */
export const orderLists = /* sql */ `
  CREATE INDEX IF NOT EXISTS orders_open ON orders (payment_status, buy_status, created_at, order_id, account_id, game_id)
    WHERE reserved = 0 AND buy_status IN ('Pending', 'Proses');
  CREATE INDEX IF NOT EXISTS orders_done ON orders (payment_status, buy_status, created_at, order_id)
    WHERE reserved = 0 AND buy_status IN ('Sukses', 'Gagal', 'Batal');
  CREATE INDEX IF NOT EXISTS orders_done_of_account ON orders (account_id, payment_status, buy_status, created_at, order_id)
    WHERE reserved = 0 AND buy_status IN ('Sukses', 'Gagal', 'Batal');
  CREATE INDEX IF NOT EXISTS orders_done_of_game ON orders (game_id, payment_status, buy_status, created_at, order_id)
    WHERE reserved = 0 AND buy_status IN ('Sukses', 'Gagal', 'Batal');
  CREATE INDEX IF NOT EXISTS orders_done_of_account_and_game
    ON orders (account_id, game_id, payment_status, buy_status, created_at, order_id)
    WHERE reserved = 0 AND buy_status IN ('Sukses', 'Gagal', 'Batal');
`;
