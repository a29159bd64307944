/** Last list of each supplier, as JSON. Servers of earlier formats ignore this table, and request the lists themselves. */
export const supplierLists = /* sql */ `
  CREATE TABLE supplier_lists (
    supplier TEXT COLLATE "C" PRIMARY KEY,
    read_at BIGINT NOT NULL,
    products TEXT NOT NULL
  );
`;
