/**
 * Which servers run, and which one has which work, each until a moment in unix milliseconds of real time. Servers of format 1 know
 * nothing of it, and go on.
 */
export const leases = /* sql */ `
  CREATE TABLE claims (
    name TEXT COLLATE "C" PRIMARY KEY,
    claimed_by TEXT NOT NULL,
    claimed_until BIGINT NOT NULL
  );
  CREATE TABLE servers (
    server_id TEXT COLLATE "C" PRIMARY KEY,
    address TEXT NOT NULL,
    seen_until BIGINT NOT NULL
  );
  CREATE INDEX claims_over ON claims (claimed_until);
`;
