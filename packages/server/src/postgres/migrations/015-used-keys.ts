/** Servers of the format before go on: they delete no key whose response is still replayed, and look up no used ones. */
export const usedKeys = /* sql */ `
  -- Idempotency keys whose response is no longer stored. Each belongs to its order as long as the order exists.
  CREATE TABLE used_keys (
    account_id TEXT COLLATE "C" NOT NULL,
    key TEXT COLLATE "C" NOT NULL,
    order_id TEXT COLLATE "C" NOT NULL,
    fingerprint TEXT NOT NULL,
    PRIMARY KEY (account_id, key)
  );

  -- A key expired 24 hours after its order. Its response is replayed for 30 days now.
  UPDATE idempotent_responses SET expires_at = expires_at + 29 * 86400000::BIGINT;

  -- What waits counts in reports with its listed cost now.
  INSERT INTO sales_due SELECT DISTINCT order_id FROM units WHERE state = 'waiting' ON CONFLICT DO NOTHING;
`;
