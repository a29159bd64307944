/** What somebody who has no key may guess and send. */
export const outsiders = /* sql */ `
  -- A payment page has an address of its own, because gateways may number their references one after the other. Orders without one
  -- keep the gateway's.
  ALTER TABLE orders ADD COLUMN page_reference TEXT;
  CREATE UNIQUE INDEX orders_page ON orders (page_reference) WHERE page_reference IS NOT NULL;

  -- How many bytes a callback had of which only the first are kept.
  ALTER TABLE callbacks ADD COLUMN sent_bytes INTEGER;
  -- From which addresses genuine callbacks came.
  CREATE INDEX callbacks_proven ON callbacks (address) WHERE outcome <> 'rejected' AND outcome <> 'ignored';
`;
