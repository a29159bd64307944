/**
 * A place for each change of an order, and the language of responses. Servers of the format before go on: what they store has no
 * place until it is read, and no language.
 */
export const changes = /* sql */ `
  -- The place of a change among those of all orders, from 1; null until the changes are first read.
  ALTER TABLE history ADD COLUMN position BIGINT;
  CREATE UNIQUE INDEX history_positions ON history (position) WHERE position IS NOT NULL;
  CREATE INDEX history_without_position ON history (order_id, version) WHERE position IS NULL;

  -- The last position that was given. It never goes back, also when orders are deleted.
  CREATE TABLE last_change (
    id BIGINT PRIMARY KEY CHECK (id = 1),
    position BIGINT NOT NULL
  );
  INSERT INTO last_change (id, position) VALUES (1, 0);

  -- The language of a response. What stands here was said once by the response's message.
  ALTER TABLE idempotent_responses ADD COLUMN locale TEXT;
  UPDATE idempotent_responses SET locale = CASE
    WHEN body LIKE '%"message":"Pesanan berhasil dibuat."%' THEN 'id'
    WHEN body LIKE '%"message":"The order was created."%' THEN 'en' END;

  CREATE INDEX reconciliations_of_reference ON reconciliations (reference);
  CREATE INDEX reconciliations_of_order ON reconciliations (order_id);
`;
