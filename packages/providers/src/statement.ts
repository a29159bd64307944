/**
 * How a gateway calls what a statement is compared by: the columns of a CSV file, by the names of its public API. Of several names the
 * first that the file has counts.
 */
export interface StatementColumns {
  /** The gateway's reference, which orders have as that of their payment. */
  reference: readonly string[];
  /** The order. */
  orderId: readonly string[];
  amount: readonly string[];
  status: readonly string[];
  /** The statuses of payments that were made, also of those that were paid back later. Others are left out. */
  paid: readonly string[];
  /** When it was paid; left out, the statement is compared without times. */
  paidAt: readonly string[];
}
