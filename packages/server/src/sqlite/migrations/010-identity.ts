export const identity = /* sql */ `
  -- Tells this store from all others. A backup of it has the same one.
  CREATE TABLE store_identity (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    identity TEXT NOT NULL
  ) STRICT;
  INSERT INTO store_identity (id, identity) VALUES (1, lower(hex(randomblob(16))));
`;
