import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
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
import { callbackOf } from '../rows/records.ts';

export interface CallbackRows {
  add(callback: StoredCallback): Done | Conflict<'callback_taken'>;
  find(callbackId: string): StoredCallback | null;
  list(filter: CallbackFilter): StoredCallback[];
  requestReplay(callbackId: string): Done | Conflict<'callback_missing'>;
  findReplays(limit: number): StoredCallback[];
  finishReplay(result: CallbackResult): Done | Conflict<'no_replay'>;
  clear(): void;
}

/** Prepares a statement for each combination of filters when it is first needed. */
function prepareList(db: DatabaseSync): CallbackRows['list'] {
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
      (callback_id, provider, received_at, address, headers, outcome, reason, order_id, handled_at, attempts, replay, body)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT DO NOTHING`);
  // Each found by an index of nothing else, so the cost doesn't grow with the other callbacks.
  const dropExcess = boundedOutcomes.map((bounded) => ({
    bounded,
    statement: db.prepare(`
      DELETE FROM callbacks WHERE callback_id IN (
        SELECT callback_id FROM callbacks WHERE outcome = '${bounded}' AND attempts = 1
        ORDER BY received_at DESC, callback_id DESC LIMIT -1 OFFSET ${maxBoundedCallbacks})`),
  }));
  const select = db.prepare('SELECT * FROM callbacks WHERE callback_id = ?');
  const requestReplay = db.prepare('UPDATE callbacks SET replay = 1 WHERE callback_id = ?');
  const selectReplays = db.prepare(
    'SELECT * FROM callbacks WHERE replay = 1 ORDER BY received_at, callback_id LIMIT ?',
  );
  const finishReplay = db.prepare(`
    UPDATE callbacks SET outcome = ?, reason = ?, order_id = ?, handled_at = ?, attempts = attempts + 1, replay = 0
    WHERE callback_id = ? AND replay = 1`);
  const clear = db.prepare('DELETE FROM callbacks');

  return {
    add({ callbackId, provider, receivedAt, address, headers, body, ...result }) {
      const { outcome, reason, orderId, handledAt, attempts, replay } = result;
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
      );
      if (changes === 0) return { conflict: 'callback_taken' };
      for (const { bounded, statement } of dropExcess) if (outcome === bounded) statement.run();
      return done;
    },
    find(callbackId) {
      const row = select.get(callbackId);
      return row ? callbackOf(row) : null;
    },
    list: prepareList(db),
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
