/** What each supplier listed when it was last asked, as JSON. Servers of earlier formats know nothing of it, and ask by themselves. */
export const supplierLists = /* sql */ `
  CREATE TABLE supplier_lists (
    supplier TEXT COLLATE "C" PRIMARY KEY,
    read_at BIGINT NOT NULL,
    products TEXT NOT NULL
  );
`;
