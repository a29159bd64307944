export const orderLists = /* sql */ `
  -- Lists of orders by any combination of filters, newest first. What is open is found by its state; it is little, and the account and
  -- the game in the index let other orders be skipped without reading them. An order that is done hardly changes any more, so that
  -- it enters the other indexes once.
  DROP INDEX orders_newest_of_account;
  CREATE INDEX orders_in_state ON orders (payment_status, buy_status, created_at, order_id, account_id, game_id)
    WHERE reserved = 0;
  CREATE INDEX orders_done_of_account ON orders (account_id, payment_status, buy_status, created_at, order_id)
    WHERE reserved = 0 AND (buy_status = 'Sukses' OR buy_status = 'Gagal' OR buy_status = 'Batal');
  CREATE INDEX orders_done_of_game ON orders (game_id, payment_status, buy_status, created_at, order_id)
    WHERE reserved = 0 AND (buy_status = 'Sukses' OR buy_status = 'Gagal' OR buy_status = 'Batal');
  CREATE INDEX orders_done_of_account_and_game ON orders (account_id, game_id, payment_status, buy_status, created_at, order_id)
    WHERE reserved = 0 AND (buy_status = 'Sukses' OR buy_status = 'Gagal' OR buy_status = 'Batal');
`;
