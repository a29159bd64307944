CREATE INDEX CONCURRENTLY orders_open ON orders (payment_status, buy_status, created_at, order_id, account_id, game_id)
  WHERE reserved = 0 AND buy_status IN ('Pending', 'Proses');
CREATE INDEX CONCURRENTLY orders_done ON orders (payment_status, buy_status, created_at, order_id)
  WHERE reserved = 0 AND buy_status IN ('Sukses', 'Gagal', 'Batal');
CREATE INDEX CONCURRENTLY orders_done_of_account ON orders (account_id, payment_status, buy_status, created_at, order_id)
  WHERE reserved = 0 AND buy_status IN ('Sukses', 'Gagal', 'Batal');
CREATE INDEX CONCURRENTLY orders_done_of_game ON orders (game_id, payment_status, buy_status, created_at, order_id)
  WHERE reserved = 0 AND buy_status IN ('Sukses', 'Gagal', 'Batal');
CREATE INDEX CONCURRENTLY orders_done_of_account_and_game ON orders (account_id, game_id, payment_status, buy_status, created_at, order_id)
  WHERE reserved = 0 AND buy_status IN ('Sukses', 'Gagal', 'Batal');
