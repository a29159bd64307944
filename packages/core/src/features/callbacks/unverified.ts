import type { CallbackOutcome, CallbackRequest } from '../../callback/index.ts';
import { clientName, createRateLimiter, type RateLimitResult } from '../../http/index.ts';
import type { MonotonicClock } from '../../platform/index.ts';
import {
  type CallbackStore,
  type StoredCallback,
  type UnverifiedCallback,
  unverifiedOutcomes,
} from './store.ts';

/** Maximum number of unverified callbacks per address and minute that are stored; all others are only counted. */
export const maxUnverifiedPerMinute = 30;

/** Maximum number of notes about callbacks from forbidden addresses that are stored per provider and minute. */
const forbiddenPerMinute = 3;

/** Maximum number of counted clients, so that many addresses can't fill the memory. */
const maxWindows = 100_000;

/** Number of callbacks to store in one batch. Twice as many may wait, each with its whole body of up to 64 KiB. */
const maxWaiting = 100;

/** Maximum total length of a callback's stored header names and values: several times the length of providers' headers. */
const maxHeaders = 4_096;

/** Maximum number of callbacks to keep for each outcome. It applies separately to senders of genuine callbacks and to all other senders. */
export const maxKept = 1_000;

/** Maximum number of stored bytes of a body: several times the size of our providers' callbacks. */
export const maxBody = 6_144;

/** The reason for rejecting a callback because of its address. */
export const wrongAddress = 'TOPUP_CALLBACK_ADDRESSES does not include its address.';

type Kind = Pick<StoredCallback, 'provider' | 'outcome' | 'reason' | 'address'>;

/** Returns the kind of a callback: its client and fault. All callbacks rejected because of their addresses are one kind. */
const kindOf = ({ provider, outcome, reason, address }: Kind): string =>
  JSON.stringify([provider, outcome, reason, reason === wrongAddress ? null : clientName(address)]);

/** Selects at most `max` callbacks: first the newest callback of each kind, then the second newest, and so on. */
function fairShare<Callback extends Kind>(newestFirst: readonly Callback[], max: number): Callback[] {
  const counts = new Map<string, number>();
  const placed = newestFirst.map((callback) => {
    const kind = kindOf(callback);
    const place = counts.get(kind) ?? 0;
    counts.set(kind, place + 1);
    return { callback, place };
  });
  const fair = placed.sort((a, b) => a.place - b.place).slice(0, max);
  return fair.map(({ callback }) => callback);
}

/**
 * Selects the ids of callbacks to keep. Addresses with a verified callback have their own share, so that a stranger with many addresses
 * can't displace a provider's callbacks.
 */
export function idsThatStay(
  callbacks: readonly UnverifiedCallback[],
  provenSenders: ReadonlySet<string>,
): ReadonlySet<string> {
  const newestFirst = callbacks.toReversed().sort((a, b) => b.receivedAt - a.receivedAt);
  const shareOf = (outcome: string, isProven: boolean): UnverifiedCallback[] =>
    fairShare(
      newestFirst.filter(
        (callback) => callback.outcome === outcome && provenSenders.has(callback.address) === isProven,
      ),
      maxKept,
    );
  const stay = unverifiedOutcomes.flatMap((outcome) => [
    ...shareOf(outcome, true),
    ...shareOf(outcome, false),
  ]);
  return new Set(stay.map(({ callbackId }) => callbackId));
}

/** Interval after which callbacks with the same fault are reported again, in milliseconds, and the number of faults to distinguish. */
const reportIntervalMs = 60_000;
const maxFaults = 1_000;

/** The outcome of a callback, including callbacks that are not stored: above the limit, or from a forbidden address. */
export type CountedOutcome = CallbackOutcome | 'limited' | 'forbidden';

/** Callbacks with the same outcome since the last report, without their content. */
export interface CallbackReport {
  /** Id of the newest stored callback; null if none is stored. */
  callbackId: string | null;
  provider: string;
  outcome: CountedOutcome;
  reason: string | null;
  orderId: string | null;
  /** Address of the newest callback. */
  address: string;
  count: number;
}

export interface CallbackListener {
  /** Counts a callback. Called immediately for each one. */
  count(provider: string, outcome: CountedOutcome): void;
  /** Reports a handled callback, with its error if it failed. Unverified callbacks with the same fault are reported together. */
  report(callbacks: CallbackReport, error: unknown): void;
}

/** An unverified callback and its outcome. */
type Unverified = Pick<
  StoredCallback,
  'callbackId' | 'provider' | 'receivedAt' | 'address' | 'headers' | 'body' | 'outcome' | 'reason'
>;

const tooMany = `Its address sends more than ${maxUnverifiedPerMinute} unverified callbacks a minute.`;

/** Selects headers up to the maximum length, the shortest first. */
function boundedHeaders(headers: CallbackRequest['headers']): Record<string, string> {
  let length = 0;
  const byLength = Object.entries(headers).toSorted(([, a], [, b]) => a.length - b.length);
  return Object.fromEntries(
    byLength.filter(([name, value]) => {
      length += name.length + value.length;
      return length <= maxHeaders;
    }),
  );
}

interface UnverifiedCallbacks {
  /** Keeps a callback in memory to store it later, unless its client has sent too many. The error is for the report. */
  note(callback: Unverified, error?: unknown): RateLimitResult;
  /** Counts a callback from a forbidden address. Only a few notes per minute are stored. */
  noteForbidden(note: Pick<Unverified, 'callbackId' | 'provider' | 'receivedAt' | 'address'>): void;
  /** Stores and reports the callbacks since the last call. */
  flush(options?: { isLast?: boolean }): Promise<void>;
}

interface Tally extends CallbackReport {
  error?: unknown;
  reportedAt: number | null;
}

/**
 * Creates the storage of unverified callbacks, which anyone can send. Only an operator who examines a provider's rejected callbacks needs
 * them, so a flood of them must cause little work: each request changes only the memory, and callbacks are stored in batches.
 */
export function createUnverifiedCallbacks({
  store,
  monotonicClock,
  countServers,
  conceal,
  ...listener
}: CallbackListener & {
  store: Pick<CallbackStore, 'listUnverified' | 'findProvenSenders' | 'pruneUnverified'>;
  monotonicClock: MonotonicClock;
  countServers: () => number;
  /** Removes a provider's secrets from a callback, and keeps only the first bytes of its body. */
  conceal: (provider: string, request: CallbackRequest, maxBytes: number) => CallbackRequest;
}): UnverifiedCallbacks {
  const count = createRateLimiter(
    { callbacks: maxUnverifiedPerMinute, forbidden: forbiddenPerMinute },
    { clock: monotonicClock, maxWindows, countServers },
  );
  /** Waiting callbacks, newest first; once some were dropped, the newest of each kind comes first. */
  let waiting: Unverified[] = [];
  const tallies = new Map<string, Tally>();
  let flushing = Promise.resolve();

  function tally(
    { callbackId, provider, outcome, reason, address }: Omit<CallbackReport, 'orderId' | 'count'>,
    error?: unknown,
  ): void {
    listener.count(provider, outcome);
    const name = JSON.stringify([provider, outcome, reason]);
    const known = tallies.get(name);
    if (!known && tallies.size === maxFaults) return;
    tallies.set(name, {
      callbackId,
      provider,
      outcome,
      reason,
      orderId: null,
      address,
      count: (known?.count ?? 0) + 1,
      error,
      reportedAt: known?.reportedAt ?? null,
    });
  }

  function wait(callback: Unverified): void {
    waiting.unshift(callback);
    if (waiting.length === 2 * maxWaiting) waiting = fairShare(waiting, maxWaiting);
  }

  function report(isLast: boolean): void {
    const now = monotonicClock();
    for (const [name, { error, reportedAt, ...alike }] of tallies) {
      const isDue = reportedAt === null || now - reportedAt >= reportIntervalMs;
      if (!isDue && !isLast) continue;
      if (alike.count > 0) {
        tallies.set(name, { ...alike, callbackId: null, count: 0, reportedAt: now });
        listener.report(alike, error);
      } else tallies.delete(name);
    }
  }

  function rowOf(callback: Unverified): StoredCallback {
    const { provider, receivedAt, body } = callback;
    const sent = { headers: boundedHeaders(callback.headers), body };
    const kept = conceal(provider, sent, Math.min(body.length, maxBody));
    return {
      ...callback,
      headers: kept.headers,
      body: kept.body,
      sentBytes: body.length > maxBody ? body.length : null,
      orderId: null,
      handledAt: receivedAt,
      attempts: 1,
      replay: false,
    };
  }

  async function storeWaiting(): Promise<void> {
    if (waiting.length === 0) return;
    const waited = new Set(waiting);
    const batch = fairShare(waiting, maxWaiting).toReversed();
    const stored = await store.listUnverified();
    const senders = new Set([...stored, ...batch].map(({ address }) => address));
    const proven = new Set(await store.findProvenSenders([...senders]));
    const stay = idsThatStay([...stored, ...batch], proven);
    await store.pruneUnverified({
      add: batch.filter(({ callbackId }) => stay.has(callbackId)).map(rowOf),
      drop: stored.map(({ callbackId }) => callbackId).filter((id) => !stay.has(id)),
    });
    // Callbacks are removed only now, so that a short failure of the store doesn't lose them.
    waiting = waiting.filter((callback) => !waited.has(callback));
  }

  return {
    note(callback, error) {
      const counted = count('callbacks', clientName(callback.address));
      if (counted.allowed) {
        tally(callback, error);
        wait(callback);
      } else tally({ ...callback, callbackId: null, outcome: 'limited', reason: tooMany });
      return counted;
    },
    noteForbidden(note) {
      const { provider } = note;
      tally({ ...note, callbackId: null, outcome: 'forbidden', reason: wrongAddress });
      if (count('forbidden', provider).allowed)
        wait({ ...note, headers: {}, body: new Uint8Array(), outcome: 'rejected', reason: wrongAddress });
    },
    flush({ isLast = false } = {}) {
      flushing = flushing
        .catch(() => {})
        .then(() => {
          report(isLast);
          return storeWaiting();
        });
      return flushing;
    },
  };
}
