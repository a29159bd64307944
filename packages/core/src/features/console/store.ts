import type { Conflict, Done } from '../../store/index.ts';

/** A link that opens one session of the console before it expires. Times are unix milliseconds of real time. */
export interface ConsoleLink {
  /** Hash of its secret. The secret itself is not stored. */
  hash: string;
  /** Name of the operator who logs in with it. */
  operator: string;
  createdAt: number;
  expiresAt: number;
  /** Time at which it opened its session; null until then. */
  usedAt: number | null;
}

/** A session of an operator who is logged in to the console. Times are unix milliseconds of real time. */
export interface ConsoleSession {
  /** Id of the session, such as `cs_k3v9x2ma`. */
  sessionId: string;
  /** Hash of the secret in the cookie. The secret itself is not stored. */
  hash: string;
  operator: string;
  createdAt: number;
  expiresAt: number;
  /** Time of its last request, accurate to about a minute. */
  lastSeenAt: number;
}

/** Time for which the store keeps a link after its end, in milliseconds, so that the console can explain why the link no longer works. */
export const loginLinkRetentionMs = 24 * 60 * 60_000;

export type LinkConflict = Conflict<'link_missing' | 'link_used' | 'link_expired'>;

/** The part of a store for access to the console. */
export interface ConsoleStore {
  /** Adds a link. Deletes ended sessions, and links that ended at least {@link loginLinkRetentionMs} earlier. */
  addConsoleLink(link: ConsoleLink): Promise<Done>;
  findConsoleLink(hash: string): Promise<ConsoleLink | null>;
  /** Uses a link up, and opens a session for its operator. Resolves with the session. */
  openConsoleSession(
    linkHash: string,
    session: Pick<ConsoleSession, 'sessionId' | 'hash' | 'createdAt' | 'expiresAt'>,
  ): Promise<ConsoleSession | LinkConflict | Conflict<'session_taken'>>;
  /** Finds the session of a cookie; null if no such session is open at `now`. */
  findConsoleSession(hash: string, now: number): Promise<ConsoleSession | null>;
  /** Lists the sessions that are open at `now`, oldest first. */
  listConsoleSessions(now: number): Promise<ConsoleSession[]>;
  /** Records a request of a session. */
  noteConsoleVisit(sessionId: string, lastSeenAt: number): Promise<Done>;
  endConsoleSession(sessionId: string): Promise<Done | Conflict<'session_missing'>>;
  /** Ends all sessions, and deletes all links, so that nobody can open a new session with them. */
  endConsoleSessions(): Promise<Done>;
}
