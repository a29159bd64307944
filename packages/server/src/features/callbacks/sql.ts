import { callbackOutcomes } from '@topup-kit/core/callback';
import {
  type CallbackFilter,
  type Conflict,
  type Done,
  done,
  type EraseOrder,
  erasedText,
  hasPhone,
  type PruneUnverifiedCallbacks,
  type ReplayResult,
  type StoredCallback,
  type UnverifiedCallback,
} from '@topup-kit/core/store';
import {
  bytes,
  integer,
  integerOrNull,
  json,
  oneOf,
  type Row,
  text,
  textOrNull,
} from '../../rows/columns.ts';
import type { StoreName } from '../../rows/names.ts';
import { eachOf } from '../../sql/dialect.ts';
import { countErased } from '../../sql/erasures.ts';
import {
  all,
  type Command,
  change,
  first,
  text as plain,
  run,
  type Statement,
  sql,
  type Twin,
  where,
} from '../../sql/statement.ts';

export type { StoredCallback } from '@topup-kit/core/store';

const callbackOf = (row: Row): StoredCallback => ({
  callbackId: text(row, 'callback_id'),
  provider: text(row, 'provider'),
  receivedAt: integer(row, 'received_at'),
  address: text(row, 'address'),
  headers: json<StoredCallback['headers']>(row, 'headers'),
  body: bytes(row, 'body'),
  // A store of an earlier format is read without an upgrade, and lacks this column.
  sentBytes: 'sent_bytes' in row ? integerOrNull(row, 'sent_bytes') : null,
  outcome: oneOf(callbackOutcomes, row, 'outcome'),
  reason: textOrNull(row, 'reason'),
  orderId: textOrNull(row, 'order_id'),
  handledAt: integer(row, 'handled_at'),
  attempts: integer(row, 'attempts'),
  replay: integer(row, 'replay') === 1,
});

const unverifiedColumns = 'callback_id, provider, received_at, address, outcome, reason';

const unverifiedOf = (row: Row): UnverifiedCallback => ({
  callbackId: text(row, 'callback_id'),
  provider: text(row, 'provider'),
  receivedAt: integer(row, 'received_at'),
  address: text(row, 'address'),
  outcome: oneOf(callbackOutcomes, row, 'outcome'),
  reason: textOrNull(row, 'reason'),
});

const insert = (callback: StoredCallback): Statement => sql`
  INSERT INTO callbacks (callback_id, provider, received_at, address, headers, outcome, reason, order_id, handled_at,
    attempts, replay, body, sent_bytes)
  VALUES (${callback.callbackId}, ${callback.provider}, ${callback.receivedAt}, ${callback.address},
    ${JSON.stringify(callback.headers)}, ${callback.outcome}, ${callback.reason}, ${callback.orderId},
    ${callback.handledAt}, ${callback.attempts}, ${callback.replay ? 1 : 0}, ${callback.body}, ${callback.sentBytes})
  ON CONFLICT DO NOTHING`;

/** Empties callbacks, because they may contain a customer's data. */
const emptyCallbacks = (condition: Statement): Statement => sql`
  UPDATE callbacks SET headers = '{}', body = ${new Uint8Array()}, replay = 0,
    sent_bytes = coalesce(sent_bytes, octet_length(body))
  WHERE ${condition}`;

/** True if the customer's data was erased. The cheaper condition comes first. */
const isErased: Twin = {
  sqlite: () => sql`customer IS NULL AND json_extract(details, '$.contact.whatsapp') = ${erasedText}`,
  postgres: () => sql`target_id = ${erasedText}`,
};

/** Discards the content of late callbacks for an erased order. */
const emptyIfErased = (callbackId: string, orderId: string | null): Statement[] =>
  orderId === null
    ? []
    : [
        emptyCallbacks(sql`callback_id = ${callbackId} AND EXISTS (
          SELECT 1 FROM orders WHERE orders.order_id = ${orderId} AND ${isErased})`),
      ];

function* addCallback(callback: StoredCallback): Command<Done | Conflict<'callback_taken'>> {
  const { callbackId, orderId } = callback;
  const [added] = yield [insert(callback), ...emptyIfErased(callbackId, orderId)];
  return added?.count === 0 ? { conflict: 'callback_taken' } : done;
}

const ofOutcome = (outcome: 'rejected' | 'ignored'): Statement =>
  plain(`
    SELECT ${unverifiedColumns} FROM callbacks
    WHERE outcome = '${outcome}' AND attempts = 1 AND replay = 0`);

/** Lists unverified callbacks. An index finds each outcome, so the time doesn't grow with the other callbacks. */
const listUnverified = (): Command<UnverifiedCallback[]> =>
  all(sql`${ofOutcome('rejected')} UNION ALL ${ofOutcome('ignored')}`, unverifiedOf);

const findProvenSenders = (addresses: readonly string[]): Command<string[]> =>
  all(
    sql`
      SELECT sender.value AS address FROM (${eachOf(addresses)}) AS sender
      WHERE EXISTS (
        SELECT 1 FROM callbacks WHERE address = sender.value AND outcome <> 'rejected' AND outcome <> 'ignored')`,
    (row) => text(row, 'address'),
  );

function* pruneUnverified({ add, drop }: PruneUnverifiedCallbacks): Command<Done> {
  yield [
    sql`
      DELETE FROM callbacks
      WHERE callback_id IN (${eachOf(drop)}) AND outcome IN ('rejected', 'ignored') AND attempts = 1 AND replay = 0`,
    ...add.map(insert),
  ];
  return done;
}

const findCallback = (callbackId: string): Command<StoredCallback | null> =>
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

function* requestReplay(callbackId: string): Command<Done | Conflict<'callback_missing'>> {
  const requested = yield* change(sql`UPDATE callbacks SET replay = 1 WHERE callback_id = ${callbackId}`);
  return requested > 0 ? done : { conflict: 'callback_missing' };
}

const findReplays = (limit: number): Command<StoredCallback[]> =>
  all(
    sql`SELECT * FROM callbacks WHERE replay = 1 ORDER BY received_at, callback_id LIMIT ${limit}`,
    callbackOf,
  );

function* finishReplay(result: ReplayResult): Command<Done | Conflict<'no_replay'>> {
  const { callbackId, orderId } = result;
  const finished = yield* change(sql`
    UPDATE callbacks SET outcome = ${result.outcome}, reason = ${result.reason}, order_id = ${orderId},
      handled_at = ${result.handledAt}, attempts = attempts + 1, replay = 0
    WHERE callback_id = ${callbackId} AND replay = 1`);
  if (finished === 0) return { conflict: 'no_replay' };
  yield emptyIfErased(callbackId, orderId);
  return done;
}

function* findStrayCallbacks(digits: string): Command<string[]> {
  const found = yield* all(
    sql`
      SELECT callback_id, body FROM callbacks WHERE order_id IS NULL AND ${{
        sqlite: () => sql`instr(body, CAST(${digits} AS BLOB)) > 0`,
        postgres: () => sql`position(convert_to(${digits}, 'UTF8') IN body) > 0`,
      }}`,
    (row) => ({ id: text(row, 'callback_id'), body: bytes(row, 'body') }),
  );
  return found.filter(({ body }) => hasPhone(body, digits)).map(({ id }) => id);
}

function* eraseCallbacks(callbackIds: readonly string[], erasure: EraseOrder['erasure']): Command<Done> {
  const erased = yield* run(emptyCallbacks(sql`callback_id IN (${eachOf(callbackIds)})`));
  yield [countErased(erasure, { callbacks: erased.count })];
  return done;
}

export function* eraseOrder(orderId: string): Command<{ callbacks: number }> {
  const { count: callbacks } = yield* run(emptyCallbacks(sql`order_id = ${orderId}`));
  return { callbacks };
}

export const tablesOfOrders: readonly string[] = ['callbacks'];

/** Reads the ids of callbacks for command-line completion, newest first. */
export function* readCallbackNames(limit: number): Command<{ callbacks: StoreName[] }> {
  return {
    callbacks: yield* all(
      sql`SELECT callback_id, provider, outcome FROM callbacks
        ORDER BY received_at DESC, callback_id DESC LIMIT ${limit}`,
      (row) => ({
        name: text(row, 'callback_id'),
        about: `${text(row, 'provider')}, ${text(row, 'outcome')}`,
      }),
    ),
  };
}

export const reads = {
  listUnverified,
  findProvenSenders,
  findCallback,
  listCallbacks,
  findReplays,
  findStrayCallbacks,
};

export const writes = {
  addCallback,
  pruneUnverified,
  requestReplay,
  finishReplay,
  eraseCallbacks,
};
