/** Where events are sent, and what came of it. Servers of the format before go on: what they place is no event. */
export const webhooks = /* sql */ `
  -- Orders that were placed since the changes of orders were read: each is then the first change in its history.
  CREATE TABLE placed_orders (
    sequence BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    order_id TEXT COLLATE "C" NOT NULL
  );

  -- Where events are sent; types is a JSON list. A secret is sealed where the server has a key for that.
  CREATE TABLE webhook_endpoints (
    endpoint_id TEXT COLLATE "C" PRIMARY KEY,
    account_id TEXT COLLATE "C",
    url TEXT NOT NULL,
    types TEXT NOT NULL,
    description TEXT NOT NULL,
    secret TEXT NOT NULL,
    previous_secret TEXT,
    previous_until BIGINT,
    disabled TEXT CHECK (disabled IN ('operator', 'gone', 'failing')),
    created_at BIGINT NOT NULL,
    failing_since BIGINT,
    version BIGINT NOT NULL
  );

  -- What is sent, for thirty days.
  CREATE TABLE webhook_events (
    event_id TEXT COLLATE "C" PRIMARY KEY,
    place BIGINT NOT NULL,
    type TEXT COLLATE "C" NOT NULL,
    account_id TEXT COLLATE "C",
    order_id TEXT COLLATE "C",
    created_at BIGINT NOT NULL,
    body TEXT NOT NULL
  );
  CREATE INDEX webhook_events_by_time ON webhook_events (created_at, event_id);

  CREATE TABLE webhook_deliveries (
    endpoint_id TEXT COLLATE "C" NOT NULL,
    event_id TEXT COLLATE "C" NOT NULL,
    place BIGINT NOT NULL,
    order_id TEXT COLLATE "C",
    state TEXT COLLATE "C" NOT NULL CHECK (state IN ('pending', 'delivered', 'failed')),
    attempts BIGINT NOT NULL,
    step BIGINT NOT NULL,
    next_at BIGINT,
    log TEXT NOT NULL,
    PRIMARY KEY (endpoint_id, event_id)
  );
  CREATE INDEX webhook_deliveries_due ON webhook_deliveries (endpoint_id, next_at, place) WHERE state = 'pending';
  CREATE INDEX webhook_deliveries_unsent ON webhook_deliveries (endpoint_id, order_id, place)
    WHERE state = 'pending' AND attempts = 0;
  CREATE INDEX webhook_deliveries_newest ON webhook_deliveries (place);
  CREATE INDEX webhook_deliveries_of_event ON webhook_deliveries (event_id);

  -- Up to where changes of orders and of the catalogue were made events, and the last place of an event.
  CREATE TABLE event_progress (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    position BIGINT NOT NULL,
    edit BIGINT NOT NULL,
    place BIGINT NOT NULL
  );
  INSERT INTO event_progress (id, position, edit, place)
    SELECT 1, (SELECT position FROM last_change), (SELECT coalesce(max(number), 0) FROM catalog_edits), 0;

  -- The alerts of which operators were told, as a JSON list.
  CREATE TABLE raised_alerts (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    version BIGINT NOT NULL,
    alerts TEXT NOT NULL
  );
  INSERT INTO raised_alerts (id, version, alerts) VALUES (1, 0, '[]');
`;
