export const orderLists = /* sql */ `
  -- Lists of orders by any combination of filters, newest first. Orders in progress are few: they are found by their state, and those of
  -- other accounts and games are skipped in the index. Orders that are done enter an index for each combination of account and game,
  -- once, because hardly any of them changes again.
  DROP INDEX orders_newest_of_account;
  CREATE INDEX orders_open ON orders (payment_status, buy_status, created_at, order_id, account_id, game_id)
    WHERE reserved = 0 AND (buy_status = 'Pending' OR buy_status = 'Proses');
  CREATE INDEX orders_done ON orders (payment_status, buy_status, created_at, order_id)
    WHERE reserved = 0 AND (buy_status = 'Sukses' OR buy_status = 'Gagal' OR buy_status = 'Batal');
  CREATE INDEX orders_done_of_account ON orders (account_id, payment_status, buy_status, created_at, order_id)
    WHERE reserved = 0 AND (buy_status = 'Sukses' OR buy_status = 'Gagal' OR buy_status = 'Batal');
  CREATE INDEX orders_done_of_game ON orders (game_id, payment_status, buy_status, created_at, order_id)
    WHERE reserved = 0 AND (buy_status = 'Sukses' OR buy_status = 'Gagal' OR buy_status = 'Batal');
  CREATE INDEX orders_done_of_account_and_game ON orders (account_id, game_id, payment_status, buy_status, created_at, order_id)
    WHERE reserved = 0 AND (buy_status = 'Sukses' OR buy_status = 'Gagal' OR buy_status = 'Batal');
`;
