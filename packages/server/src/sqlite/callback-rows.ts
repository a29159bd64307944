import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
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
import { callbackOf, unprovenColumns, unprovenOf } from '../rows/records.ts';

export interface CallbackRows {
  add(callback: StoredCallback): Done | Conflict<'callback_taken'>;
  listUnproven(): UnprovenCallback[];
  findProvenSenders(addresses: readonly string[]): string[];
  keepUnproven(change: KeepUnproven): Done;
  find(callbackId: string): StoredCallback | null;
  list(filter: CallbackFilter): StoredCallback[];
  requestReplay(callbackId: string): Done | Conflict<'callback_missing'>;
  findReplays(limit: number): StoredCallback[];
  finishReplay(result: CallbackResult): Done | Conflict<'no_replay'>;
  clear(): void;
}

/** Lists callbacks. Prepares a statement for each combination of filters when it is first needed. */
export function prepareCallbackList(db: DatabaseSync): CallbackRows['list'] {
  const prepared = new Map<string, StatementSync>();

  function statementOf(condition: string): StatementSync {
    const known = prepared.get(condition);
    if (known) return known;
    const statement = db.prepare(
      `SELECT * FROM callbacks ${condition} ORDER BY received_at DESC, callback_id DESC LIMIT ?`,
    );
    prepared.set(condition, statement);
    return statement;
  }

  return ({ provider, outcome, after, limit }) => {
    const conditions: [sql: string, ...values: SQLInputValue[]][] = [];
    if (provider !== undefined) conditions.push(['provider = ?', provider]);
    if (outcome !== undefined) conditions.push(['outcome = ?', outcome]);
    if (after) conditions.push(['(received_at, callback_id) < (?, ?)', after.receivedAt, after.callbackId]);
    const where = conditions.length === 0 ? '' : `WHERE ${conditions.map(([sql]) => sql).join(' AND ')}`;
    const values = conditions.flatMap(([, ...given]) => given);
    return statementOf(where)
      .all(...values, limit)
      .map(callbackOf);
  };
}

export function prepareCallbackRows(db: DatabaseSync): CallbackRows {
  const insert = db.prepare(`
    INSERT INTO callbacks
      (callback_id, provider, received_at, address, headers, outcome, reason, order_id, handled_at, attempts, replay, body,
        sent_bytes)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT DO NOTHING`);
  // Each found by an index of nothing else, so the cost doesn't grow with the other callbacks.
  const selectUnproven = ['rejected', 'ignored'].map((outcome) =>
    db.prepare(`
      SELECT ${unprovenColumns}, length(body) AS kept_bytes FROM callbacks
      WHERE outcome = '${outcome}' AND attempts = 1 AND replay = 0`),
  );
  const selectProven = db.prepare(
    `SELECT 1 FROM callbacks WHERE address = ? AND outcome <> 'rejected' AND outcome <> 'ignored' LIMIT 1`,
  );
  const disposable = `outcome IN ('rejected', 'ignored') AND attempts = 1 AND replay = 0`;
  const drop = db.prepare(`DELETE FROM callbacks WHERE callback_id = ?1 AND ${disposable}`);
  const cut = db.prepare(`
    UPDATE callbacks SET sent_bytes = coalesce(sent_bytes, length(body)), body = substr(body, 1, ?1)
    WHERE callback_id = ?2 AND length(body) > ?1 AND ${disposable}`);
  const select = db.prepare('SELECT * FROM callbacks WHERE callback_id = ?');
  const requestReplay = db.prepare('UPDATE callbacks SET replay = 1 WHERE callback_id = ?');
  const selectReplays = db.prepare(
    'SELECT * FROM callbacks WHERE replay = 1 ORDER BY received_at, callback_id LIMIT ?',
  );
  const finishReplay = db.prepare(`
    UPDATE callbacks SET outcome = ?, reason = ?, order_id = ?, handled_at = ?, attempts = attempts + 1, replay = 0
    WHERE callback_id = ? AND replay = 1`);
  const clear = db.prepare('DELETE FROM callbacks');

  function add({
    callbackId,
    provider,
    receivedAt,
    address,
    headers,
    body,
    ...result
  }: StoredCallback): Done | Conflict<'callback_taken'> {
    const { outcome, reason, orderId, handledAt, attempts, replay, sentBytes } = result;
    const { changes } = insert.run(
      callbackId,
      provider,
      receivedAt,
      address,
      JSON.stringify(headers),
      outcome,
      reason,
      orderId,
      handledAt,
      attempts,
      replay ? 1 : 0,
      body,
      sentBytes,
    );
    return changes === 0 ? { conflict: 'callback_taken' } : done;
  }

  return {
    add,
    listUnproven: () => selectUnproven.flatMap((statement) => statement.all()).map(unprovenOf),
    findProvenSenders: (addresses) => addresses.filter((address) => selectProven.get(address)),
    keepUnproven(change) {
      for (const callbackId of change.drop) drop.run(callbackId);
      for (const callbackId of change.cut) cut.run(change.cutTo, callbackId);
      for (const callback of change.add) add(callback);
      return done;
    },
    find(callbackId) {
      const row = select.get(callbackId);
      return row ? callbackOf(row) : null;
    },
    list: prepareCallbackList(db),
    requestReplay: (callbackId) =>
      requestReplay.run(callbackId).changes > 0 ? done : { conflict: 'callback_missing' },
    findReplays: (limit) => selectReplays.all(limit).map(callbackOf),
    finishReplay: ({ callbackId, outcome, reason, orderId, handledAt }) =>
      finishReplay.run(outcome, reason, orderId, handledAt, callbackId).changes > 0
        ? done
        : { conflict: 'no_replay' },
    clear: () => void clear.run(),
  };
}
