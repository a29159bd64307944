import type { Conflict, Done } from '../../store/index.ts';

/** Opens one session of the console, until it expires. Moments are unix milliseconds of real time. */
export interface ConsoleLink {
  /** Of its secret, which is stored nowhere. */
  hash: string;
  /** Who logs in with it. */
  operator: string;
  createdAt: number;
  expiresAt: number;
  /** When it opened its session; null until then. */
  usedAt: number | null;
}

/** An operator who is logged in to the console. Moments are unix milliseconds of real time. */
export interface ConsoleSession {
  /** Such as `cs_k3v9x2ma`. */
  sessionId: string;
  /** Of the secret in the cookie, which is stored nowhere. */
  hash: string;
  operator: string;
  createdAt: number;
  expiresAt: number;
  /** Of its last request, to about a minute. */
  lastSeenAt: number;
}

/** How long a link is known after its end, in milliseconds: whoever opens it is told what became of it. */
export const loginLinkRetentionMs = 24 * 60 * 60_000;

export type LinkConflict = Conflict<'link_missing' | 'link_used' | 'link_expired'>;

/** The part of a store that says who may use the console. */
export interface ConsoleStore {
  /** Adds a link. Sessions that have ended by then are deleted, and links that ended {@link loginLinkRetentionMs} before. */
  addConsoleLink(link: ConsoleLink): Promise<Done>;
  findConsoleLink(hash: string): Promise<ConsoleLink | null>;
  /** Uses a link up, and opens its session, which belongs to the operator of the link. Resolves with the session. */
  openConsoleSession(
    linkHash: string,
    session: Pick<ConsoleSession, 'sessionId' | 'hash' | 'createdAt' | 'expiresAt'>,
  ): Promise<ConsoleSession | LinkConflict | Conflict<'session_taken'>>;
  /** The session of a cookie; null when there is none at `now`. */
  findConsoleSession(hash: string, now: number): Promise<ConsoleSession | null>;
  /** Those that are open at `now`, oldest first. */
  listConsoleSessions(now: number): Promise<ConsoleSession[]>;
  /** Notes a request of a session. */
  noteConsoleVisit(sessionId: string, lastSeenAt: number): Promise<Done>;
  endConsoleSession(sessionId: string): Promise<Done | Conflict<'session_missing'>>;
  /** Ends every session, and deletes every link, so that none opens another. */
  endConsoleSessions(): Promise<Done>;
}
