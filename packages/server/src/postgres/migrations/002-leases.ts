/** Which server has which work, and until when, in unix milliseconds of real time. Format 1 knows nothing of it, and needs nothing. */
export const leases = /* sql */ `
  CREATE TABLE claims (
    name TEXT COLLATE "C" PRIMARY KEY,
    claimed_by TEXT NOT NULL,
    claimed_until BIGINT NOT NULL
  );
  CREATE INDEX claims_over ON claims (claimed_until);
`;
