import {
  type CallbackFilter,
  type CallbackResult,
  type Conflict,
  type Done,
  done,
  erasedText,
  type KeepUnproven,
  type StoredCallback,
  type UnprovenCallback,
} from '@topup-kit/core/store';
import { text } from '../rows/columns.ts';
import { callbackOf, unprovenColumns, unprovenOf } from '../rows/records.ts';
import { eachOf } from './dialect.ts';
import {
  all,
  type Command,
  change,
  first,
  text as plain,
  type Statement,
  sql,
  type Twin,
  where,
} from './statement.ts';

const insert = (callback: StoredCallback): Statement => sql`
  INSERT INTO callbacks (callback_id, provider, received_at, address, headers, outcome, reason, order_id, handled_at,
    attempts, replay, body, sent_bytes)
  VALUES (${callback.callbackId}, ${callback.provider}, ${callback.receivedAt}, ${callback.address},
    ${JSON.stringify(callback.headers)}, ${callback.outcome}, ${callback.reason}, ${callback.orderId},
    ${callback.handledAt}, ${callback.attempts}, ${callback.replay ? 1 : 0}, ${callback.body}, ${callback.sentBytes})
  ON CONFLICT DO NOTHING`;

/** Empties callbacks, because they may name who an order was for. */
export const emptyCallbacks = (condition: Statement): Statement => sql`
  UPDATE callbacks SET headers = '{}', body = ${new Uint8Array()}, replay = 0,
    sent_bytes = coalesce(sent_bytes, octet_length(body))
  WHERE ${condition}`;

/** Whether who an order was for was erased; the first condition costs less. */
const isErased: Twin = {
  sqlite: () => sql`customer IS NULL AND json_extract(details, '$.contact.whatsapp') = ${erasedText}`,
  postgres: () => sql`target_id = ${erasedText}`,
};

/** What comes late of an erased order is not kept. */
const emptyIfErased = (callbackId: string, orderId: string | null): Statement[] =>
  orderId === null
    ? []
    : [
        emptyCallbacks(sql`callback_id = ${callbackId} AND EXISTS (
          SELECT 1 FROM orders WHERE orders.order_id = ${orderId} AND ${isErased})`),
      ];

export function* addCallback(callback: StoredCallback): Command<Done | Conflict<'callback_taken'>> {
  const { callbackId, orderId } = callback;
  const [added] = yield [insert(callback), ...emptyIfErased(callbackId, orderId)];
  return added?.count === 0 ? { conflict: 'callback_taken' } : done;
}

const ofOutcome = (outcome: 'rejected' | 'ignored'): Statement =>
  plain(`
    SELECT ${unprovenColumns} FROM callbacks
    WHERE outcome = '${outcome}' AND attempts = 1 AND replay = 0`);

/** Each outcome is found by an index of nothing else, so the cost doesn't grow with the other callbacks. */
export const listUnproven = (): Command<UnprovenCallback[]> =>
  all(sql`${ofOutcome('rejected')} UNION ALL ${ofOutcome('ignored')}`, unprovenOf);

export const findProvenSenders = (addresses: readonly string[]): Command<string[]> =>
  all(
    sql`
      SELECT sender.value AS address FROM (${eachOf(addresses)}) AS sender
      WHERE EXISTS (
        SELECT 1 FROM callbacks WHERE address = sender.value AND outcome <> 'rejected' AND outcome <> 'ignored')`,
    (row) => text(row, 'address'),
  );

export function* keepUnproven({ add, drop }: KeepUnproven): Command<Done> {
  yield [
    sql`
      DELETE FROM callbacks
      WHERE callback_id IN (${eachOf(drop)}) AND outcome IN ('rejected', 'ignored') AND attempts = 1 AND replay = 0`,
    ...add.map(insert),
  ];
  return done;
}

export const findCallback = (callbackId: string): Command<StoredCallback | null> =>
  first(sql`SELECT * FROM callbacks WHERE callback_id = ${callbackId}`, callbackOf);

export function listCallbacks({
  provider,
  outcome,
  orderId,
  after,
  limit,
}: CallbackFilter): Command<StoredCallback[]> {
  const conditions = where([
    ...(provider === undefined ? [] : [sql`provider = ${provider}`]),
    ...(outcome === undefined ? [] : [sql`outcome = ${outcome}`]),
    ...(orderId === undefined ? [] : [sql`order_id = ${orderId}`]),
    ...(after ? [sql`(received_at, callback_id) < (${after.receivedAt}, ${after.callbackId})`] : []),
  ]);
  return all(
    sql`SELECT * FROM callbacks ${conditions} ORDER BY received_at DESC, callback_id DESC LIMIT ${limit}`,
    callbackOf,
  );
}

export function* requestReplay(callbackId: string): Command<Done | Conflict<'callback_missing'>> {
  const requested = yield* change(sql`UPDATE callbacks SET replay = 1 WHERE callback_id = ${callbackId}`);
  return requested > 0 ? done : { conflict: 'callback_missing' };
}

export const findReplays = (limit: number): Command<StoredCallback[]> =>
  all(
    sql`SELECT * FROM callbacks WHERE replay = 1 ORDER BY received_at, callback_id LIMIT ${limit}`,
    callbackOf,
  );

export function* finishReplay(result: CallbackResult): Command<Done | Conflict<'no_replay'>> {
  const { callbackId, orderId } = result;
  const finished = yield* change(sql`
    UPDATE callbacks SET outcome = ${result.outcome}, reason = ${result.reason}, order_id = ${orderId},
      handled_at = ${result.handledAt}, attempts = attempts + 1, replay = 0
    WHERE callback_id = ${callbackId} AND replay = 1`);
  if (finished === 0) return { conflict: 'no_replay' };
  yield emptyIfErased(callbackId, orderId);
  return done;
}
