import {
  type ConsoleLink,
  type ConsoleSession,
  type Done,
  done,
  type LinkConflict,
  loginLinkRetentionMs,
  type Store,
} from '@topup-kit/core/store';
import { integer, integerOrNull, type Row, text } from '../../rows/columns.ts';
import { insertActivities } from '../../sql/activity.ts';
import { all, type Command, change, first, type ResultOf, run, sql } from '../../sql/statement.ts';

const linkOf = (row: Row): ConsoleLink => ({
  hash: text(row, 'hash'),
  operator: text(row, 'operator'),
  createdAt: integer(row, 'created_at'),
  expiresAt: integer(row, 'expires_at'),
  usedAt: integerOrNull(row, 'used_at'),
});

const sessionOf = (row: Row): ConsoleSession => ({
  sessionId: text(row, 'session_id'),
  hash: text(row, 'hash'),
  operator: text(row, 'operator'),
  createdAt: integer(row, 'created_at'),
  expiresAt: integer(row, 'expires_at'),
  lastSeenAt: integer(row, 'last_seen_at'),
});

function* addConsoleLink({ hash, operator, createdAt, expiresAt, usedAt }: ConsoleLink): Command<Done> {
  yield [
    sql`DELETE FROM console_links WHERE expires_at <= ${createdAt - loginLinkRetentionMs}`,
    sql`DELETE FROM console_sessions WHERE expires_at <= ${createdAt}`,
    sql`
      INSERT INTO console_links (hash, operator, created_at, expires_at, used_at)
      VALUES (${hash}, ${operator}, ${createdAt}, ${expiresAt}, ${usedAt})`,
  ];
  return done;
}

const findConsoleLink = (hash: string): Command<ConsoleLink | null> =>
  first(sql`SELECT * FROM console_links WHERE hash = ${hash}`, linkOf);

/** Finds the reason why a link can't open a session. */
function* conflictOf(linkHash: string): Command<LinkConflict> {
  const link = yield* findConsoleLink(linkHash);
  if (!link) return { conflict: 'link_missing' };
  return { conflict: link.usedAt === null ? 'link_expired' : 'link_used' };
}

function* openConsoleSession(
  linkHash: string,
  { sessionId, hash, createdAt, expiresAt }: Parameters<Store['openConsoleSession']>[1],
): Command<ResultOf<'openConsoleSession'>> {
  const operator = yield* first(
    sql`
      UPDATE console_links SET used_at = ${createdAt}
      WHERE hash = ${linkHash} AND used_at IS NULL AND expires_at > ${createdAt} RETURNING operator`,
    (row) => text(row, 'operator'),
  );
  if (operator === null) return yield* conflictOf(linkHash);
  const opened = yield* first(
    sql`
      INSERT INTO console_sessions (session_id, hash, operator, created_at, expires_at, last_seen_at)
      VALUES (${sessionId}, ${hash}, ${operator}, ${createdAt}, ${expiresAt}, ${createdAt})
      ON CONFLICT DO NOTHING RETURNING *`,
    sessionOf,
  );
  if (!opened) return { conflict: 'session_taken' };
  yield insertActivities([
    { at: createdAt, operator, action: 'console.login', subject: sessionId, amount: null },
  ]);
  return opened;
}

const findConsoleSession = (hash: string, now: number): Command<ConsoleSession | null> =>
  first(sql`SELECT * FROM console_sessions WHERE hash = ${hash} AND expires_at > ${now}`, sessionOf);

const listConsoleSessions = (now: number): Command<ConsoleSession[]> =>
  all(
    sql`SELECT * FROM console_sessions WHERE expires_at > ${now} ORDER BY created_at, session_id`,
    sessionOf,
  );

function* noteConsoleVisit(sessionId: string, lastSeenAt: number): Command<Done> {
  yield* run(sql`
    UPDATE console_sessions SET last_seen_at = ${lastSeenAt}
    WHERE session_id = ${sessionId} AND last_seen_at < ${lastSeenAt}`);
  return done;
}

function* endConsoleSession(sessionId: string): Command<ResultOf<'endConsoleSession'>> {
  const ended = yield* change(sql`DELETE FROM console_sessions WHERE session_id = ${sessionId}`);
  return ended > 0 ? done : { conflict: 'session_missing' };
}

function* endConsoleSessions(): Command<Done> {
  yield [sql`DELETE FROM console_links`, sql`DELETE FROM console_sessions`];
  return done;
}

// Each command is named after its store method.
export const reads = { findConsoleLink, findConsoleSession, listConsoleSessions };
export const writes = {
  addConsoleLink,
  openConsoleSession,
  noteConsoleVisit,
  endConsoleSession,
  endConsoleSessions,
};
