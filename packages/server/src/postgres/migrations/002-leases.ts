/**
 * Running servers, and the work that each of them has claimed, each until a time in unix milliseconds of real time. Servers of format 1
 * ignore these tables, and keep working.
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
