import { done } from '../../store/index.ts';
import { addActivity, type MemoryPart, type MemoryState } from '../../store/memory/state.ts';
import { type ConsoleLink, type ConsoleSession, type ConsoleStore, loginLinkRetentionMs } from './store.ts';

const tables = () => ({
  /** Links by the hash of their secret. */
  consoleLinks: new Map<string, ConsoleLink>(),
  consoleSessions: new Map<string, ConsoleSession>(),
});

const isOpen = ({ expiresAt }: ConsoleSession, now: number): boolean => expiresAt > now;

const commands = (state: MemoryState & ReturnType<typeof tables>): ConsoleStore => ({
  async addConsoleLink(link) {
    const { createdAt: now } = link;
    for (const [hash, { expiresAt }] of state.consoleLinks)
      if (expiresAt <= now - loginLinkRetentionMs) state.consoleLinks.delete(hash);
    for (const [hash, session] of state.consoleSessions)
      if (!isOpen(session, now)) state.consoleSessions.delete(hash);
    state.consoleLinks.set(link.hash, link);
    return done;
  },
  findConsoleLink: async (hash) => state.consoleLinks.get(hash) ?? null,
  async openConsoleSession(linkHash, { sessionId, hash, createdAt, expiresAt }) {
    const link = state.consoleLinks.get(linkHash);
    if (!link) return { conflict: 'link_missing' };
    if (link.usedAt !== null) return { conflict: 'link_used' };
    if (link.expiresAt <= createdAt) return { conflict: 'link_expired' };
    const isTaken = [...state.consoleSessions.values()].some((other) => other.sessionId === sessionId);
    if (isTaken || state.consoleSessions.has(hash)) return { conflict: 'session_taken' };
    const { operator } = link;
    const session = { sessionId, hash, operator, createdAt, expiresAt, lastSeenAt: createdAt };
    state.consoleLinks.set(linkHash, { ...link, usedAt: createdAt });
    state.consoleSessions.set(hash, session);
    addActivity(state, [
      { at: createdAt, operator, action: 'console.login', subject: sessionId, amount: null },
    ]);
    return session;
  },
  async findConsoleSession(hash, now) {
    const session = state.consoleSessions.get(hash);
    return session && isOpen(session, now) ? session : null;
  },
  listConsoleSessions: async (now) =>
    [...state.consoleSessions.values()]
      .filter((session) => isOpen(session, now))
      .sort((a, b) => a.createdAt - b.createdAt || (a.sessionId < b.sessionId ? -1 : 1)),
  async noteConsoleVisit(sessionId, lastSeenAt) {
    for (const [hash, session] of state.consoleSessions)
      if (session.sessionId === sessionId && session.lastSeenAt < lastSeenAt)
        state.consoleSessions.set(hash, { ...session, lastSeenAt });
    return done;
  },
  async endConsoleSession(sessionId) {
    for (const [hash, session] of state.consoleSessions)
      if (session.sessionId === sessionId) {
        state.consoleSessions.delete(hash);
        return done;
      }
    return { conflict: 'session_missing' };
  },
  async endConsoleSessions() {
    state.consoleLinks.clear();
    state.consoleSessions.clear();
    return done;
  },
});

/** Commands of a memory store for access to the console. */
export const consoleInMemory: MemoryPart<ReturnType<typeof tables>, ConsoleStore> = {
  tables,
  commands,
};
