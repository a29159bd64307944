import {
  boundedOutcomes,
  type CallbackFilter,
  type CallbackResult,
  type Conflict,
  type Done,
  done,
  maxBoundedCallbacks,
  type StoredCallback,
} from '@topup-kit/core/store';
import type { Row } from '../rows/columns.ts';
import { callbackOf } from '../rows/records.ts';
import type { Connection } from './connection.ts';
import { pipelined } from './pipeline.ts';
import { withoutNul } from './text.ts';

/** Stores and reads callbacks. */
export function createCallbacks({ read, write }: Connection) {
  const all = async (rows: Promise<readonly Row[]>): Promise<StoredCallback[]> =>
    (await rows).map(callbackOf);

  return {
    addCallback(callback: StoredCallback): Promise<Done | Conflict<'callback_taken'>> {
      const { callbackId, provider, receivedAt, address, headers, body, outcome, reason } = callback;
      const bounded = boundedOutcomes.find((one) => one === outcome);
      return write(async (sql): Promise<Done | Conflict<'callback_taken'>> => {
        const insert = sql`
          INSERT INTO callbacks (callback_id, provider, received_at, address, headers, outcome, reason, order_id, handled_at,
            attempts, replay, body)
          VALUES (${callbackId}, ${provider}, ${receivedAt}, ${address}, ${JSON.stringify(headers)}, ${outcome},
            ${withoutNul(reason)}, ${withoutNul(callback.orderId)}, ${callback.handledAt}, ${callback.attempts},
            ${callback.replay ? 1 : 0}, ${body})
          ON CONFLICT DO NOTHING`;
        // One after another, so that each knows what the others added.
        const lock = sql`UPDATE revisions SET value = value + 1 WHERE name = 'bounded_callbacks'`;
        // Its outcome stands in the statement, because the index is of nothing else.
        const dropExcess = sql`
          DELETE FROM callbacks WHERE callback_id IN (
            SELECT callback_id FROM callbacks WHERE outcome = ${sql.unsafe(`'${bounded}'`)} AND attempts = 1
            ORDER BY received_at DESC, callback_id DESC OFFSET ${maxBoundedCallbacks})`;
        const results = await pipelined(bounded ? [lock, insert, dropExcess] : [insert]);
        if (results[bounded ? 1 : 0]?.count === 0) return { conflict: 'callback_taken' };
        return done;
      });
    },
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
