import { type Clock, type Hash, type RandomBytes, randomText } from '../../platform/index.ts';
import type { ConsoleLink, ConsoleSession, ConsoleStore, LinkConflict } from './store.ts';

export interface ConsoleLoginDependencies {
  store: ConsoleStore;
  random: RandomBytes;
  hash: Hash;
  realClock: Clock;
}

/** How long a link to the console opens a session, and how long that is open, in milliseconds of real time. */
const linkMs = 10 * 60_000;
export const consoleSessionMs = 12 * 60 * 60_000;

/** Between two visits of a session that are noted, in milliseconds. */
const visitMs = 60_000;

const secretAlphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** More than 256 bits. */
const secretLength = 43;

/** Without what is easily mistaken for something else. */
const idAlphabet = 'abcdefghjkmnpqrstuvwxyz23456789';

/** Whether a text can be the secret of a link or a session. */
export const isConsoleSecret = (text: string): boolean => /^[\w-]{43}$/.test(text);

/** Stores a link by which an operator logs in to the console once, and returns it with its secret. */
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

/** The link of a secret, or why it opens no session. */
export async function findConsoleLink(
  { store, hash, realClock }: Omit<ConsoleLoginDependencies, 'random'>,
  secret: string,
): Promise<ConsoleLink | LinkConflict> {
  const link = isConsoleSecret(secret) ? await store.findConsoleLink(hash(secret)) : null;
  if (!link) return { conflict: 'link_missing' };
  if (link.usedAt !== null) return { conflict: 'link_used' };
  return link.expiresAt > realClock() ? link : { conflict: 'link_expired' };
}

/** Uses a link up. Returns the session that it opens, with a new secret for its cookie, or why it opens none. */
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

/** The session of a secret, which is noted as visited now; null when there is none, or it has ended. */
export async function visitConsole(
  { store, hash, realClock }: Omit<ConsoleLoginDependencies, 'random'>,
  secret: string,
): Promise<ConsoleSession | null> {
  const now = realClock();
  const session = isConsoleSecret(secret) ? await store.findConsoleSession(hash(secret), now) : null;
  if (session && now - session.lastSeenAt >= visitMs)
    // Not waited for: a store that accepts no writes can still be looked at.
    void store.noteConsoleVisit(session.sessionId, now).catch(() => {});
  return session;
}
