import { type Clock, type Hash, type RandomBytes, randomText } from '../../platform/index.ts';
import type { ConsoleLink, ConsoleSession, ConsoleStore, LinkConflict } from './store.ts';

export interface ConsoleLoginDependencies {
  store: ConsoleStore;
  random: RandomBytes;
  hash: Hash;
  realClock: Clock;
}

/** Lifetimes of a link to the console and of the session that it opens, in milliseconds of real time. */
const linkMs = 10 * 60_000;
export const consoleSessionMs = 12 * 60 * 60_000;

/** Minimum time between two stored visits of a session, in milliseconds. */
const visitMs = 60_000;

const secretAlphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Length of a secret with more than 256 bits. */
const secretLength = 43;

/** Letters and digits without characters that look alike. */
const idAlphabet = 'abcdefghjkmnpqrstuvwxyz23456789';

/** Tells whether a string can be the secret of a link or a session. */
export const isConsoleSecret = (text: string): boolean => /^[\w-]{43}$/.test(text);

/** Stores a link with which an operator can log in to the console once, and returns it with its secret. */
export async function createConsoleLink(
  { store, random, hash, realClock }: ConsoleLoginDependencies,
  operator: string,
): Promise<{ link: ConsoleLink; secret: string }> {
  const secret = randomText(random, secretAlphabet, secretLength);
  const createdAt = realClock();
  const link = { hash: hash(secret), operator, createdAt, expiresAt: createdAt + linkMs, usedAt: null };
  await store.addConsoleLink(link);
  return { link, secret };
}

/** Finds the link with a secret, or returns the reason why the secret opens no session. */
export async function findConsoleLink(
  { store, hash, realClock }: Omit<ConsoleLoginDependencies, 'random'>,
  secret: string,
): Promise<ConsoleLink | LinkConflict> {
  const link = isConsoleSecret(secret) ? await store.findConsoleLink(hash(secret)) : null;
  if (!link) return { conflict: 'link_missing' };
  if (link.usedAt !== null) return { conflict: 'link_used' };
  return link.expiresAt > realClock() ? link : { conflict: 'link_expired' };
}

/** Uses a link up. Returns the new session with a secret for its cookie, or the reason why no session was opened. */
export async function openConsoleSession(
  { store, random, hash, realClock }: ConsoleLoginDependencies,
  linkSecret: string,
): Promise<{ session: ConsoleSession; secret: string } | LinkConflict> {
  for (;;) {
    const secret = randomText(random, secretAlphabet, secretLength);
    const createdAt = realClock();
    const opened = await store.openConsoleSession(hash(linkSecret), {
      sessionId: `cs_${randomText(random, idAlphabet, 8)}`,
      hash: hash(secret),
      createdAt,
      expiresAt: createdAt + consoleSessionMs,
    });
    if (!('conflict' in opened)) return { session: opened, secret };
    const { conflict } = opened;
    if (conflict !== 'session_taken') return { conflict };
  }
}

/** Finds the session with a secret, and records the visit; null if there is no such session, or it has ended. */
export async function visitConsole(
  { store, hash, realClock }: Omit<ConsoleLoginDependencies, 'random'>,
  secret: string,
): Promise<ConsoleSession | null> {
  const now = realClock();
  const session = isConsoleSecret(secret) ? await store.findConsoleSession(hash(secret), now) : null;
  if (session && now - session.lastSeenAt >= visitMs)
    // This is not awaited, so that operators can still read a store that rejects writes.
    void store.noteConsoleVisit(session.sessionId, now).catch(() => {});
  return session;
}
