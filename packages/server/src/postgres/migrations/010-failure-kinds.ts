/** Why a delivery failed, for the customer. Servers of the format before go on, and leave it null. */
export const failureKinds = /* sql */ `
  -- What a failure is to the customer; null of failures before.
  ALTER TABLE units ADD COLUMN failure_kind TEXT;
`;
