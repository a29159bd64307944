export const keyLifetime = /* sql */ `
  -- Moments in unix milliseconds of real time. The last use is written about once a minute, and not with each request.
  ALTER TABLE keys ADD COLUMN expires_at INTEGER;
  ALTER TABLE keys ADD COLUMN replaced_by TEXT;
  ALTER TABLE keys ADD COLUMN last_used_at INTEGER;
`;
