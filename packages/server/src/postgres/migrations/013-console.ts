/** Who may use the console, and indexes for its pages. Servers of the format before go on: they have no console. */
export const consoleTables = /* sql */ `
  -- What opens one session of the console, by the hash of its secret; kept for a day after its end.
  CREATE TABLE console_links (
    hash TEXT COLLATE "C" PRIMARY KEY,
    operator TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    used_at BIGINT
  );

  -- Operators who are logged in, by the hash of the secret in their cookie.
  CREATE TABLE console_sessions (
    session_id TEXT COLLATE "C" PRIMARY KEY,
    hash TEXT COLLATE "C" NOT NULL UNIQUE,
    operator TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    last_seen_at BIGINT NOT NULL
  );

  -- What an order's page of the console shows besides the order.
  CREATE INDEX callbacks_of_order ON callbacks (order_id, received_at, callback_id) WHERE order_id IS NOT NULL;
  CREATE INDEX webhook_deliveries_of_order ON webhook_deliveries (order_id, place DESC, endpoint_id)
    WHERE order_id IS NOT NULL;
`;
