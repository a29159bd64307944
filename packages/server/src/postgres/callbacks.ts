import {
  type CallbackFilter,
  type CallbackResult,
  type Conflict,
  type Done,
  done,
  type KeepUnproven,
  type StoredCallback,
  type UnprovenCallback,
} from '@topup-kit/core/store';
import { type Row, text } from '../rows/columns.ts';
import { callbackOf, unprovenColumns, unprovenOf } from '../rows/records.ts';
import type { Connection, Transaction } from './connection.ts';
import { pipelined } from './pipeline.ts';
import { withoutNul } from './text.ts';

const insert = (sql: Transaction, callback: StoredCallback) => sql`
  INSERT INTO callbacks (callback_id, provider, received_at, address, headers, outcome, reason, order_id, handled_at,
    attempts, replay, body, sent_bytes)
  VALUES (${callback.callbackId}, ${callback.provider}, ${callback.receivedAt}, ${callback.address},
    ${JSON.stringify(callback.headers)}, ${callback.outcome}, ${withoutNul(callback.reason)},
    ${withoutNul(callback.orderId)}, ${callback.handledAt}, ${callback.attempts}, ${callback.replay ? 1 : 0},
    ${callback.body}, ${callback.sentBytes})
  ON CONFLICT DO NOTHING`;

/** Stores and reads callbacks. */
export function createCallbacks({ read, write }: Connection) {
  const all = async (rows: Promise<readonly Row[]>): Promise<StoredCallback[]> =>
    (await rows).map(callbackOf);

  return {
    addCallback: (callback: StoredCallback): Promise<Done | Conflict<'callback_taken'>> =>
      write(async (sql) => {
        const { count } = await insert(sql, callback);
        return count > 0 ? done : { conflict: 'callback_taken' };
      }),
    async listUnproven(): Promise<UnprovenCallback[]> {
      // Each outcome stands in the statement, because its index is of nothing else.
      const rows = await read(
        (sql) => sql<Row[]>`
          SELECT ${sql.unsafe(unprovenColumns)}, octet_length(body) AS kept_bytes FROM callbacks
          WHERE outcome = 'rejected' AND attempts = 1 AND replay = 0
          UNION ALL
          SELECT ${sql.unsafe(unprovenColumns)}, octet_length(body) FROM callbacks
          WHERE outcome = 'ignored' AND attempts = 1 AND replay = 0`,
      );
      return rows.map(unprovenOf);
    },
    async findProvenSenders(addresses: readonly string[]): Promise<string[]> {
      const rows = await read(
        (sql) => sql<Row[]>`
          SELECT address FROM json_array_elements_text(${JSON.stringify(addresses)}::text::json) AS sender (address)
          WHERE EXISTS (
            SELECT FROM callbacks WHERE callbacks.address = sender.address AND outcome <> 'rejected' AND outcome <> 'ignored')`,
      );
      return rows.map((row) => text(row, 'address'));
    },
    keepUnproven: ({ add, drop, cut, cutTo }: KeepUnproven): Promise<Done> =>
      write(async (sql) => {
        const idsIn = (ids: readonly string[]) =>
          sql`(SELECT json_array_elements_text(${JSON.stringify(ids)}::text::json))`;
        const disposable = sql`outcome IN ('rejected', 'ignored') AND attempts = 1 AND replay = 0`;
        await pipelined([
          sql`DELETE FROM callbacks WHERE callback_id IN ${idsIn(drop)} AND ${disposable}`,
          sql`
            UPDATE callbacks
            SET sent_bytes = coalesce(sent_bytes, octet_length(body)), body = substring(body FROM 1 FOR ${cutTo})
            WHERE callback_id IN ${idsIn(cut)} AND octet_length(body) > ${cutTo} AND ${disposable}`,
          ...add.map((callback) => insert(sql, callback)),
        ]);
        return done;
      }),
    async findCallback(callbackId: string): Promise<StoredCallback | null> {
      const [callback] = await all(
        read((sql) => sql`SELECT * FROM callbacks WHERE callback_id = ${callbackId}`),
      );
      return callback ?? null;
    },
    listCallbacks: ({ provider, outcome, after, limit }: CallbackFilter): Promise<StoredCallback[]> =>
      all(
        read(
          (sql) => sql`
            SELECT * FROM callbacks WHERE true
            ${provider === undefined ? sql`` : sql`AND provider = ${provider}`}
            ${outcome === undefined ? sql`` : sql`AND outcome = ${outcome}`}
            ${after ? sql`AND (received_at, callback_id) < (${after.receivedAt}, ${after.callbackId})` : sql``}
            ORDER BY received_at DESC, callback_id DESC LIMIT ${limit}`,
        ),
      ),
    requestReplay: (callbackId: string): Promise<Done | Conflict<'callback_missing'>> =>
      write(async (sql) => {
        const { count } = await sql`UPDATE callbacks SET replay = 1 WHERE callback_id = ${callbackId}`;
        return count > 0 ? done : { conflict: 'callback_missing' };
      }),
    findReplays: (limit: number): Promise<StoredCallback[]> =>
      all(
        read(
          (sql) =>
            sql`SELECT * FROM callbacks WHERE replay = 1 ORDER BY received_at, callback_id LIMIT ${limit}`,
        ),
      ),
    finishReplay: ({
      callbackId,
      outcome,
      reason,
      orderId,
      handledAt,
    }: CallbackResult): Promise<Done | Conflict<'no_replay'>> =>
      write(async (sql) => {
        const { count } = await sql`
          UPDATE callbacks SET outcome = ${outcome}, reason = ${withoutNul(reason)}, order_id = ${withoutNul(orderId)},
            handled_at = ${handledAt}, attempts = attempts + 1, replay = 0
          WHERE callback_id = ${callbackId} AND replay = 1`;
        return count > 0 ? done : { conflict: 'no_replay' };
      }),
  };
}
