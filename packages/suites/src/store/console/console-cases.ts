import { type ConsoleLink, loginLinkRetentionMs, type Store } from '@topup-kit/core/store';
import { assertEqual } from '../../assertions.ts';
import { listedActivity, ok } from '../fixtures.ts';
import type { StoreCases } from '../store-case.ts';

const link = (letter: string, changes: Partial<ConsoleLink> = {}): ConsoleLink => ({
  hash: `link-${letter}`,
  operator: 'Made Örn',
  createdAt: 1_000,
  expiresAt: 2_000,
  usedAt: null,
  ...changes,
});

const opening = (letter: string, createdAt = 1_500) => ({
  sessionId: `cs_${letter}`,
  hash: `session-${letter}`,
  createdAt,
  expiresAt: createdAt + 10_000,
});

const session = (letter: string, createdAt = 1_500) => ({
  ...opening(letter, createdAt),
  operator: 'Made Örn',
  lastSeenAt: createdAt,
});

async function logIn(store: Store, letter: string, at?: number): Promise<void> {
  await store.addConsoleLink(link(letter));
  assertEqual(
    await store.openConsoleSession(`link-${letter}`, opening(letter, at)),
    session(letter, at),
    'log in',
  );
}

export const consoleCases: StoreCases = {
  'a link opens one session of the console, for its operator': async (store) => {
    assertEqual(await store.addConsoleLink(link('a')), ok, 'add');
    assertEqual(await store.findConsoleLink('link-a'), link('a'), 'find');
    assertEqual(await store.findConsoleLink('link-b'), null, 'find none');
    assertEqual(await store.openConsoleSession('link-a', opening('a')), session('a'), 'open');
    assertEqual(await store.findConsoleLink('link-a'), link('a', { usedAt: 1_500 }), 'used');
    assertEqual(
      await store.openConsoleSession('link-a', opening('b')),
      { conflict: 'link_used' },
      'open again',
    );
    assertEqual(await store.listConsoleSessions(1_500), [session('a')], 'sessions');
  },
  'a login to the console is an activity, and a link that opens no session is none': async (store) => {
    await logIn(store, 'a');
    await store.openConsoleSession('link-a', opening('b'));
    assertEqual(
      await listedActivity(store),
      [{ at: 1_500, operator: 'Made Örn', action: 'console.login', subject: 'cs_a', amount: null }],
      'activity',
    );
  },
  'of several at once, one uses a link of the console': async (store) => {
    await store.addConsoleLink(link('a'));
    const results = await Promise.all(
      [...'abcd'].map((letter) => store.openConsoleSession('link-a', opening(letter))),
    );
    assertEqual(results.filter((result) => !('conflict' in result)).length, 1, 'opened');
    assertEqual((await store.listConsoleSessions(1_500)).length, 1, 'sessions');
  },
  'a link of the console that is unknown or expired opens nothing': async (store) => {
    await store.addConsoleLink(link('a'));
    assertEqual(
      await store.openConsoleSession('link-b', opening('b')),
      { conflict: 'link_missing' },
      'unknown',
    );
    assertEqual(
      await store.openConsoleSession('link-a', opening('a', 2_000)),
      { conflict: 'link_expired' },
      'expired',
    );
    assertEqual(await store.findConsoleLink('link-a'), link('a'), 'unused');
    assertEqual(await store.openConsoleSession('link-a', opening('a', 1_999)), session('a', 1_999), 'before');
  },
  'a session of the console has an id and a secret of its own': async (store) => {
    await logIn(store, 'a');
    await store.addConsoleLink(link('b'));
    const sameId = { ...opening('b'), sessionId: 'cs_a' };
    const sameSecret = { ...opening('b'), hash: 'session-a' };
    for (const taken of [sameId, sameSecret])
      assertEqual(await store.openConsoleSession('link-b', taken), { conflict: 'session_taken' }, 'taken');
    assertEqual(await store.openConsoleSession('link-b', opening('b')), session('b'), 'the link still works');
  },
  'a session of the console is found by its secret until it expires': async (store) => {
    await logIn(store, 'b', 1_600);
    await logIn(store, 'a', 1_500);
    await logIn(store, 'c', 1_500);
    assertEqual(await store.findConsoleSession('session-a', 11_499), session('a'), 'open');
    assertEqual(await store.findConsoleSession('session-a', 11_500), null, 'expired');
    assertEqual(await store.findConsoleSession('session-x', 1_500), null, 'unknown');
    const listed = [session('a'), session('c'), session('b', 1_600)];
    assertEqual(await store.listConsoleSessions(11_499), listed, 'oldest first');
    assertEqual(await store.listConsoleSessions(11_500), [session('b', 1_600)], 'without expired ones');
  },
  'visits of the console are noted, the latest one counts': async (store) => {
    await logIn(store, 'a');
    await logIn(store, 'b');
    for (const at of [3_000, 2_000]) assertEqual(await store.noteConsoleVisit('cs_a', at), ok, 'note');
    const noted = [{ ...session('a'), lastSeenAt: 3_000 }, session('b')];
    assertEqual(await store.listConsoleSessions(3_000), noted, 'noted');
  },
  'sessions of the console end one by one, or all with their links': async (store) => {
    for (const letter of 'abc') await logIn(store, letter);
    assertEqual(await store.endConsoleSession('cs_b'), ok, 'end');
    assertEqual(await store.endConsoleSession('cs_b'), { conflict: 'session_missing' }, 'again');
    assertEqual(await store.findConsoleSession('session-b', 1_500), null, 'ended');
    assertEqual(await store.listConsoleSessions(1_500), [session('a'), session('c')], 'left');
    await store.addConsoleLink(link('d'));
    assertEqual(await store.endConsoleSessions(), ok, 'end all');
    assertEqual(await store.listConsoleSessions(1_500), [], 'none');
    assertEqual(
      await store.openConsoleSession('link-d', opening('d')),
      { conflict: 'link_missing' },
      'a link from before',
    );
  },
  'a new link of the console deletes what has ended': async (store) => {
    await logIn(store, 'a');
    await store.addConsoleLink(link('b', { createdAt: 11_500, expiresAt: 12_500 }));
    assertEqual(await store.endConsoleSession('cs_a'), { conflict: 'session_missing' }, 'session');
    assertEqual(await store.findConsoleLink('link-a'), link('a', { usedAt: 1_500 }), 'link');
    const later = 2_000 + loginLinkRetentionMs;
    await store.addConsoleLink(link('c', { createdAt: later, expiresAt: later + 1_000 }));
    assertEqual(await store.findConsoleLink('link-a'), null, 'link a day later');
    assertEqual((await store.findConsoleLink('link-b'))?.hash, 'link-b', 'a later link');
  },
  'clearing a store keeps the sessions of the console': async (store) => {
    await logIn(store, 'a');
    await store.clearOrders();
    assertEqual(await store.findConsoleSession('session-a', 1_500), session('a'), 'session');
  },
};
