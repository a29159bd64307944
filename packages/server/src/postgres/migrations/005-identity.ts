export const identity = /* sql */ `
  -- Tells this store from all others. A copy of the database has the same one.
  CREATE TABLE store_identity (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    identity TEXT NOT NULL
  );
  INSERT INTO store_identity (id, identity) VALUES (1, replace(gen_random_uuid()::text, '-', ''));
`;
