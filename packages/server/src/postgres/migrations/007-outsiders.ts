/**
 * What somebody who has no key may guess and send, as in the file store. Servers of the format before go on: the orders that they place
 * have no page reference, and so keep the gateway's.
 */
export const outsiders = /* sql */ `
  ALTER TABLE orders ADD COLUMN page_reference TEXT COLLATE "C";
  CREATE UNIQUE INDEX page_reference_taken ON orders (page_reference) WHERE page_reference IS NOT NULL;

  ALTER TABLE callbacks ADD COLUMN sent_bytes BIGINT;
  CREATE INDEX callbacks_proven ON callbacks (address) WHERE outcome <> 'rejected' AND outcome <> 'ignored';
`;
