import type { CallbackOutcome, CallbackRequest } from '../../callback/index.ts';
import { type Counted, clientName, createRateLimiter } from '../../http/index.ts';
import type { MonotonicClock } from '../../platform/index.ts';
import { type CallbackStore, type StoredCallback, type UnprovenCallback, unprovenOutcomes } from './store.ts';

/** How many callbacks that prove nothing an address may send in a minute: those above are only counted. */
export const unprovenPerMinute = 30;

/** How many notes a minute are kept of callbacks from addresses that may send none, for each provider. */
const forbiddenPerMinute = 3;

/** How many clients are counted at a time, so that many addresses don't fill the memory. */
const maxWindows = 100_000;

/** How many are stored at a time. Twice as many may wait, each with its whole body of up to 64 KiB. */
const maxWaiting = 100;

/** How long the kept headers of one may be together, names and values: several times as long as those of providers. */
const maxHeaders = 4_096;

/** Of each outcome, so many are kept of proven senders, and as many of all others. */
export const maxKept = 1_000;

/** How many bytes of a body are kept: several times as many as the callbacks of our providers have. */
export const maxBody = 6_144;

/** Why a callback was turned away. */
export const wrongAddress = 'TOPUP_CALLBACK_ADDRESSES does not have its address.';

type Kind = Pick<StoredCallback, 'provider' | 'outcome' | 'reason' | 'address'>;

/** Callbacks of one client with the same fault; all those that were turned away because of their addresses are one kind. */
const kindOf = ({ provider, outcome, reason, address }: Kind): string =>
  JSON.stringify([provider, outcome, reason, reason === wrongAddress ? null : clientName(address)]);

/** At most `max`: the newest of each kind stays before the second of any other. */
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
 * The ids of the callbacks that stay. Addresses from which a proven callback came have room of their own, so that no stranger, however many
 * addresses he has, pushes out what a provider sent.
 */
export function idsThatStay(
  callbacks: readonly UnprovenCallback[],
  provenSenders: ReadonlySet<string>,
): ReadonlySet<string> {
  const newestFirst = callbacks.toReversed().sort((a, b) => b.receivedAt - a.receivedAt);
  const shareOf = (outcome: string, isProven: boolean): UnprovenCallback[] =>
    fairShare(
      newestFirst.filter((one) => one.outcome === outcome && provenSenders.has(one.address) === isProven),
      maxKept,
    );
  const stay = unprovenOutcomes.flatMap((outcome) => [...shareOf(outcome, true), ...shareOf(outcome, false)]);
  return new Set(stay.map(({ callbackId }) => callbackId));
}

/** How often callbacks with the same fault are reported again, in milliseconds, and how many faults are told apart. */
const reportIntervalMs = 60_000;
const maxFaults = 1_000;

/** What came of a callback: beside what may be stored, that it was too many, or from an address that may send none. */
export type CountedOutcome = CallbackOutcome | 'limited' | 'forbidden';

/** Callbacks that came to the same, since the last report. Nothing of what they say is in it. */
export interface CallbackReport {
  /** The newest of them that is stored; null when none is. */
  callbackId: string | null;
  provider: string;
  outcome: CountedOutcome;
  reason: string | null;
  orderId: string | null;
  /** The newest one's. */
  address: string;
  count: number;
}

/** What is told of callbacks. */
export interface CallbackListener {
  /** Called at once for each callback. */
  count(provider: string, outcome: CountedOutcome): void;
  /**
   * Called for each callback that was handled, with the error that prevented it, if there was one; for those that prove nothing once in a
   * while, for all with the same fault.
   */
  report(callbacks: CallbackReport, error: unknown): void;
}

/** A callback that proves nothing, with what came of it. */
type Unproven = Pick<
  StoredCallback,
  'callbackId' | 'provider' | 'receivedAt' | 'address' | 'headers' | 'body' | 'outcome' | 'reason'
>;

const tooMany = `Its address sends more than ${unprovenPerMinute} a minute that prove nothing.`;

/** The short ones first, until they would be too long. */
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

interface UnprovenCallbacks {
  /** Notes a callback, to be stored later, if its client has not sent too many. The error is for the report. */
  note(callback: Unproven, error?: unknown): Counted;
  /** Counts a callback from an address that may send none. Nothing of it is kept but a note, a few times a minute. */
  noteForbidden(note: Pick<Unproven, 'callbackId' | 'provider' | 'receivedAt' | 'address'>): void;
  /** Stores and reports what was noted since the last time. */
  flush(options?: { isLast?: boolean }): Promise<void>;
}

interface Tally extends CallbackReport {
  error?: unknown;
  reportedAt: number | null;
}

/**
 * Keeps what anybody can send. Nothing of it is needed, except by an operator who looks for the reason why a provider's callbacks are
 * rejected, so a flood must cost little: a request only changes the memory, and what is kept is stored in one batch.
 */
export function createUnprovenCallbacks({
  store,
  monotonicClock,
  countServers,
  conceal,
  ...listener
}: CallbackListener & {
  store: Pick<CallbackStore, 'listUnproven' | 'findProvenSenders' | 'keepUnproven'>;
  monotonicClock: MonotonicClock;
  countServers: () => number;
  /** Takes the secrets of a provider out of a callback, of whose body only the first bytes may be kept. */
  conceal: (provider: string, request: CallbackRequest, maxBytes: number) => CallbackRequest;
}): UnprovenCallbacks {
  const count = createRateLimiter(
    { callbacks: unprovenPerMinute, forbidden: forbiddenPerMinute },
    { clock: monotonicClock, maxWindows, countServers },
  );
  /** The newest first; each kind's are, once some had to go. */
  let waiting: Unproven[] = [];
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

  function wait(callback: Unproven): void {
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

  function rowOf(callback: Unproven): StoredCallback {
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
    const stored = await store.listUnproven();
    const senders = new Set([...stored, ...batch].map(({ address }) => address));
    const proven = new Set(await store.findProvenSenders([...senders]));
    const stay = idsThatStay([...stored, ...batch], proven);
    await store.keepUnproven({
      add: batch.filter(({ callbackId }) => stay.has(callbackId)).map(rowOf),
      drop: stored.map(({ callbackId }) => callbackId).filter((id) => !stay.has(id)),
    });
    // Until then, so that a store that fails for a moment loses none.
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
