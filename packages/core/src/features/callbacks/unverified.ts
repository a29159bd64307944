import type { CallbackOutcome, CallbackRequest } from '../../callback/index.ts';
import { clientName, createRateLimiter, type RateLimitResult } from '../../http/index.ts';
import type { MonotonicClock } from '../../platform/index.ts';
import {
  type CallbackStore,
  type StoredCallback,
  type UnverifiedCallback,
  unverifiedOutcomes,
} from './store.ts';

/** Maximum number of unverified callbacks of an address per minute; others are only counted. */
export const maxUnverifiedPerMinute = 30;

/** Maximum number of stored notes per minute and provider about callbacks from addresses without permission. */
const forbiddenPerMinute = 3;

/** Maximum number of clients counted at a time, so that many addresses can't fill the memory. */
const maxWindows = 100_000;

/** Number of callbacks to store at a time. Twice as many may wait, each with its whole body of up to 64 KiB. */
const maxWaiting = 100;

/** Maximum length of a callback's stored headers, names and values together: several times the length of providers' headers. */
const maxHeaders = 4_096;

/** Maximum number to keep of each outcome, for proven senders and for all others. */
export const maxKept = 1_000;

/** Maximum number of a body's stored bytes: several times the size of our providers' callbacks. */
export const maxBody = 6_144;

/** The reason for rejecting a callback by its address. */
export const wrongAddress = 'TOPUP_CALLBACK_ADDRESSES does not include its address.';

type Kind = Pick<StoredCallback, 'provider' | 'outcome' | 'reason' | 'address'>;

/** The kind of a callback: the same client and fault. All callbacks rejected by their addresses are one kind. */
const kindOf = ({ provider, outcome, reason, address }: Kind): string =>
  JSON.stringify([provider, outcome, reason, reason === wrongAddress ? null : clientName(address)]);

/** At most `max` callbacks: the newest of each kind stays before the second of any other. */
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
 * The ids of callbacks to keep. Addresses with a verified callback have their own room, so that no stranger with many addresses displaces
 * a provider's callbacks.
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

/** Interval for reporting callbacks with the same fault again, in milliseconds, and the number of faults to distinguish. */
const reportIntervalMs = 60_000;
const maxFaults = 1_000;

/** The outcome of a callback, including those that are not stored: too many, or from an address without permission. */
export type CountedOutcome = CallbackOutcome | 'limited' | 'forbidden';

/** Callbacks with the same outcome since the last report, without their content. */
export interface CallbackReport {
  /** The newest stored one; null without any. */
  callbackId: string | null;
  provider: string;
  outcome: CountedOutcome;
  reason: string | null;
  orderId: string | null;
  /** The address of the newest one. */
  address: string;
  count: number;
}

export interface CallbackListener {
  /** Called immediately for each callback. */
  count(provider: string, outcome: CountedOutcome): void;
  /**
   * Called for each handled callback, with the error that prevented it, if any. For unverified callbacks with the same fault, called once
   * in a while for all of them.
   */
  report(callbacks: CallbackReport, error: unknown): void;
}

/** An unverified callback and its outcome. */
type Unverified = Pick<
  StoredCallback,
  'callbackId' | 'provider' | 'receivedAt' | 'address' | 'headers' | 'body' | 'outcome' | 'reason'
>;

const tooMany = `Its address sends more than ${maxUnverifiedPerMinute} unverified callbacks a minute.`;

/** Short headers first, up to the maximum length. */
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
  /** Notes a callback to be stored later, unless its client has sent too many. The error is for the report. */
  note(callback: Unverified, error?: unknown): RateLimitResult;
  /** Counts a callback from an address without permission. Only a note is stored, a few times a minute. */
  noteForbidden(note: Pick<Unverified, 'callbackId' | 'provider' | 'receivedAt' | 'address'>): void;
  /** Stores and reports callbacks noted since the last time. */
  flush(options?: { isLast?: boolean }): Promise<void>;
}

interface Tally extends CallbackReport {
  error?: unknown;
  reportedAt: number | null;
}

/**
 * Stores callbacks that anyone can send. Only an operator who looks for the reason of a provider's rejected callbacks needs them, so a
 * flood must be cheap: a request only changes the memory, and one batch stores the rest.
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
  /** Removes a provider's secrets from a callback, of whose body only the first bytes may be kept. */
  conceal: (provider: string, request: CallbackRequest, maxBytes: number) => CallbackRequest;
}): UnverifiedCallbacks {
  const count = createRateLimiter(
    { callbacks: maxUnverifiedPerMinute, forbidden: forbiddenPerMinute },
    { clock: monotonicClock, maxWindows, countServers },
  );
  /** Newest first; each kind's newest first once some were dropped. */
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
    // Not earlier, so that a short failure of the store loses no callback.
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
