export const failureKinds = /* sql */ `
  -- What a failure is to the customer; null of failures before.
  ALTER TABLE units ADD COLUMN failure_kind TEXT;
`;
