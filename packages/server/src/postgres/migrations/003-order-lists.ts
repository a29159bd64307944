/**
 * Lists of orders by any combination of filters, newest first, as in format 8 of the file store. Servers of format 2 go on; for
 * them, `orders_newest_of_account` stays for one more format.
 */
export const orderLists = /* sql */ `
  CREATE INDEX orders_in_state ON orders (payment_status, buy_status, created_at, order_id, account_id, game_id)
    WHERE reserved = 0;
  CREATE INDEX orders_done_of_account ON orders (account_id, payment_status, buy_status, created_at, order_id)
    WHERE reserved = 0 AND buy_status IN ('Sukses', 'Gagal', 'Batal');
  CREATE INDEX orders_done_of_game ON orders (game_id, payment_status, buy_status, created_at, order_id)
    WHERE reserved = 0 AND buy_status IN ('Sukses', 'Gagal', 'Batal');
  CREATE INDEX orders_done_of_account_and_game ON orders (account_id, game_id, payment_status, buy_status, created_at, order_id)
    WHERE reserved = 0 AND buy_status IN ('Sukses', 'Gagal', 'Batal');
`;
