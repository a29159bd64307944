import type { PendingQuery, Row, RowList } from 'postgres';

type Query = PendingQuery<Row[]>;

/**
 * Sends the statements of a transaction together, instead of waiting for each response. Resolves with their results when all of
 * them have one; rejects with the error of the first that failed, because PostgreSQL then rejects those after it.
 */
export async function pipelined(queries: readonly Query[]): Promise<RowList<Row[]>[]> {
  const settled = await Promise.allSettled(queries);
  return settled.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  });
}
