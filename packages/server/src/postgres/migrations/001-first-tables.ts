/**
 * The tables of the file store, as it was at its format 7. Texts are compared by their bytes (`COLLATE "C"`), as everywhere in the
 * kit. Repeats the values of the contract instead of importing them, because a released migration must never change.
 */
export const firstTables = /* sql */ `
  CREATE TABLE mode (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    mode TEXT NOT NULL CHECK (mode IN ('live', 'sandbox'))
  );

  -- 'bounded_callbacks' is only locked: whoever adds one deletes the oldest.
  CREATE TABLE revisions (
    name TEXT PRIMARY KEY,
    value BIGINT NOT NULL
  );
  INSERT INTO revisions (name, value) VALUES ('catalog_and_keys', 0), ('bounded_callbacks', 0);

  CREATE TABLE display (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    currency TEXT NOT NULL,
    timezone TEXT NOT NULL
  );

  -- The current catalogue, without its promos.
  CREATE TABLE catalog (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    document TEXT NOT NULL
  );

  -- A promo that left the catalogue keeps its row while it has uses; its position, definition and quota are then null.
  CREATE TABLE promos (
    code TEXT COLLATE "C" PRIMARY KEY,
    position INTEGER,
    definition TEXT,
    quota BIGINT,
    used BIGINT NOT NULL DEFAULT 0,
    origin TEXT NOT NULL DEFAULT 'catalog' CHECK (origin IN ('catalog', 'operator')),
    CHECK (used >= 0 AND (quota IS NULL OR used <= quota))
  );

  CREATE TABLE keys (
    hash TEXT PRIMARY KEY,
    key_id TEXT NOT NULL UNIQUE,
    account_id TEXT NOT NULL,
    name TEXT NOT NULL,
    scopes TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT,
    revoked_at BIGINT,
    replaced_by TEXT,
    last_used_at BIGINT,
    sequence BIGINT GENERATED ALWAYS AS IDENTITY
  );

  -- Details is JSON. A value has its own column when it changes, or when a constraint or an index needs it. A reserved
  -- order has no payment yet and is not visible to clients.
  CREATE TABLE orders (
    order_id TEXT COLLATE "C" CONSTRAINT order_id_taken PRIMARY KEY,
    account_id TEXT COLLATE "C" NOT NULL,
    game_id BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    reserved SMALLINT NOT NULL,
    version BIGINT NOT NULL,
    payment_status TEXT NOT NULL CHECK (payment_status IN ('UNPAID', 'PAID', 'EXPIRED', 'FAILED', 'REFUND')),
    buy_status TEXT NOT NULL CHECK (buy_status IN ('Pending', 'Proses', 'Sukses', 'Gagal', 'Batal')),
    payment_method_id BIGINT NOT NULL,
    total_price BIGINT NOT NULL,
    unique_code BIGINT NOT NULL,
    payment_reference TEXT COLLATE "C" CONSTRAINT reference_taken UNIQUE,
    payment_code TEXT,
    payment_url TEXT,
    payment_qr_string TEXT,
    serial_number TEXT,
    target_id TEXT COLLATE "C" NOT NULL,
    gateway TEXT,
    details TEXT NOT NULL,
    CHECK (reserved = CASE WHEN payment_reference IS NULL THEN 1 ELSE 0 END),
    CHECK (reserved = 0 OR payment_status = 'UNPAID')
  );
  CREATE UNIQUE INDEX code_taken ON orders (payment_method_id, total_price)
    WHERE unique_code > 0 AND payment_status = 'UNPAID';
  CREATE INDEX orders_due ON orders (expires_at, order_id) WHERE payment_status = 'UNPAID' AND reserved = 0;
  CREATE INDEX orders_expired ON orders (expires_at, order_id) WHERE payment_status = 'EXPIRED';
  CREATE INDEX orders_reserved ON orders (created_at) WHERE reserved = 1;
  CREATE INDEX orders_newest ON orders (created_at, order_id);
  CREATE INDEX orders_newest_of_account ON orders (account_id, created_at, order_id);
  CREATE INDEX orders_target ON orders (target_id, created_at);
  CREATE INDEX orders_failed ON orders (order_id) WHERE payment_status = 'PAID' AND buy_status = 'Gagal';

  -- A unit that is not delivered yet has the time of the next call to the supplier in next_at.
  CREATE TABLE units (
    order_id TEXT COLLATE "C" NOT NULL REFERENCES orders (order_id),
    unit INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('waiting', 'asked', 'unknown', 'delivered', 'failed')),
    asked_at BIGINT,
    next_at BIGINT,
    supplier TEXT,
    find_by TEXT CHECK (find_by IN ('reference', 'supplierId', 'none')),
    supplier_id TEXT,
    serial_number TEXT,
    reason TEXT,
    contradiction TEXT,
    PRIMARY KEY (order_id, unit)
  );
  CREATE INDEX units_due ON units (next_at) WHERE next_at IS NOT NULL;
  CREATE INDEX units_open ON units (coalesce(asked_at, next_at), order_id) WHERE next_at IS NOT NULL;
  CREATE INDEX units_unknown ON units (order_id) WHERE state = 'unknown';
  CREATE INDEX units_contradicted ON units (order_id) WHERE contradiction IS NOT NULL;
  CREATE INDEX units_supplier_id ON units (supplier_id) WHERE supplier_id IS NOT NULL;

  -- One entry for each change of an order; version is the version after the change.
  CREATE TABLE history (
    order_id TEXT COLLATE "C" NOT NULL REFERENCES orders (order_id),
    version BIGINT NOT NULL,
    entry TEXT NOT NULL,
    PRIMARY KEY (order_id, version)
  );

  -- A released claim stays, so that its order can claim the use again.
  CREATE TABLE promo_claims (
    order_id TEXT COLLATE "C" PRIMARY KEY REFERENCES orders (order_id),
    code TEXT COLLATE "C" NOT NULL REFERENCES promos (code),
    customer TEXT COLLATE "C" NOT NULL,
    released SMALLINT NOT NULL DEFAULT 0 CHECK (released IN (0, 1))
  );
  CREATE INDEX promo_claims_customer ON promo_claims (code, customer, released);

  -- Responses by idempotency key. The body is null while the order is reserved. A response may expire
  -- while its order remains; its key is then free for another order.
  CREATE TABLE idempotent_responses (
    account_id TEXT COLLATE "C" NOT NULL,
    key TEXT COLLATE "C" NOT NULL,
    order_id TEXT COLLATE "C" NOT NULL,
    fingerprint TEXT NOT NULL,
    body TEXT,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (account_id, key)
  );
  CREATE INDEX idempotent_responses_expired ON idempotent_responses (expires_at);
  CREATE INDEX idempotent_responses_in_flight ON idempotent_responses (order_id) WHERE body IS NULL;

  -- No reference to orders, because money is recorded whatever the state of its order.
  CREATE TABLE reconciliations (
    reconciliation_id TEXT COLLATE "C" PRIMARY KEY,
    order_id TEXT COLLATE "C",
    reference TEXT NOT NULL,
    amount BIGINT NOT NULL,
    paid_at BIGINT NOT NULL,
    noticed_at BIGINT NOT NULL,
    reason TEXT NOT NULL CHECK (reason IN ('late', 'amount', 'closed', 'unknown', 'refunded')),
    state TEXT NOT NULL CHECK (state IN ('open', 'settled', 'returned')),
    note TEXT,
    sequence BIGINT GENERATED ALWAYS AS IDENTITY
  );
  CREATE INDEX reconciliations_oldest ON reconciliations (state, noticed_at);

  -- Every callback as it arrived, and what came of it. An operator asks for another attempt by replay = 1.
  CREATE TABLE callbacks (
    callback_id TEXT COLLATE "C" PRIMARY KEY,
    provider TEXT NOT NULL,
    received_at BIGINT NOT NULL,
    address TEXT NOT NULL,
    headers TEXT NOT NULL,
    outcome TEXT NOT NULL,
    reason TEXT,
    order_id TEXT,
    handled_at BIGINT NOT NULL,
    attempts INTEGER NOT NULL,
    replay SMALLINT NOT NULL CHECK (replay IN (0, 1)),
    body BYTEA NOT NULL
  );
  CREATE INDEX callbacks_newest ON callbacks (received_at, callback_id);
  CREATE INDEX callbacks_of_outcome ON callbacks (outcome, received_at, callback_id);
  CREATE INDEX callbacks_of_provider ON callbacks (provider, received_at, callback_id);
  CREATE INDEX callbacks_rejected ON callbacks (received_at, callback_id) WHERE outcome = 'rejected' AND attempts = 1;
  CREATE INDEX callbacks_ignored ON callbacks (received_at, callback_id) WHERE outcome = 'ignored' AND attempts = 1;
  CREATE INDEX callbacks_replay ON callbacks (received_at, callback_id) WHERE replay = 1;

  -- What the supplier's account held when it was last asked, and below which amount an operator is told.
  CREATE TABLE supplier_balance (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    supplier TEXT NOT NULL,
    balance BIGINT NOT NULL,
    alert_below BIGINT NOT NULL,
    read_at BIGINT NOT NULL
  );

  -- Which kinds of requests a provider does not handle at the moment; written by the running servers.
  CREATE TABLE provider_problems (
    provider TEXT COLLATE "C" NOT NULL,
    call TEXT COLLATE "C" NOT NULL,
    problem TEXT NOT NULL,
    since BIGINT NOT NULL,
    PRIMARY KEY (provider, call)
  );

  -- How far world time is ahead of real time, in milliseconds.
  CREATE TABLE world (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    ahead BIGINT NOT NULL
  );
  INSERT INTO world (id, ahead) VALUES (1, 0);

  -- How many orders are in each state, without reserved ones: the sum over all shards, which may be negative one by one.
  -- A connection counts in a shard of its own, because orders would otherwise wait for each other's commits.
  CREATE TABLE order_counts (
    shard INTEGER NOT NULL,
    payment_status TEXT NOT NULL,
    buy_status TEXT NOT NULL,
    count BIGINT NOT NULL,
    PRIMARY KEY (shard, payment_status, buy_status)
  );
  CREATE FUNCTION count_order() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP <> 'DELETE' AND NEW.reserved = 0 THEN
      IF TG_OP = 'UPDATE' AND OLD.reserved = 0 AND OLD.payment_status = NEW.payment_status
        AND OLD.buy_status = NEW.buy_status THEN RETURN NULL; END IF;
      INSERT INTO order_counts VALUES (pg_backend_pid() % 64, NEW.payment_status, NEW.buy_status, 1)
        ON CONFLICT (shard, payment_status, buy_status) DO UPDATE SET count = order_counts.count + 1;
    END IF;
    IF TG_OP <> 'INSERT' AND OLD.reserved = 0 THEN
      INSERT INTO order_counts VALUES (pg_backend_pid() % 64, OLD.payment_status, OLD.buy_status, -1)
        ON CONFLICT (shard, payment_status, buy_status) DO UPDATE SET count = order_counts.count - 1;
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER orders_counted AFTER INSERT OR DELETE OR UPDATE OF reserved, payment_status, buy_status ON orders
    FOR EACH ROW EXECUTE FUNCTION count_order();
`;
