import type { CallbackOutcome } from '../../callback/index.ts';
import type { Conflict, Done, EraseOrder } from '../../store/index.ts';

/** A gateway's or supplier's callback as it arrived, and its result. Times are unix milliseconds of real time. */
export interface StoredCallback {
  /** A short id for operators' commands, such as `cb_k3v9x2ma`. */
  callbackId: string;
  /** The gateway's or supplier's name. */
  provider: string;
  receivedAt: number;
  /** IP address of the sender. */
  address: string;
  /** Header values by lower-case name, for headers that describe the content or prove the sender. */
  headers: Readonly<Record<string, string>>;
  /** The sent bytes, with placeholders for the provider's secrets; empty if the callback was ignored. */
  body: Uint8Array;
  /** The number of sent bytes if only the first bytes are stored; otherwise null. */
  sentBytes: number | null;
  /** Outcome when it was last handled. */
  outcome: CallbackOutcome;
  /** The reason as a sentence; null if the outcome needs none. */
  reason: string | null;
  /** Id of the order, if known. */
  orderId: string | null;
  handledAt: number;
  /** Number of times that it was handled: 1, plus 1 for each replay. */
  attempts: number;
  /** True if an operator has requested a replay that is still open. */
  replay: boolean;
}

/** Outcomes of unverified callbacks, which anyone can send. */
export const unverifiedOutcomes = ['rejected', 'ignored'] as const satisfies readonly CallbackOutcome[];

export const isUnverified = (outcome: CallbackOutcome): boolean =>
  unverifiedOutcomes.some((unverified) => unverified === outcome);

/** Erases a callback, except for its time, provider and outcome. */
export const erasedCallback = (callback: StoredCallback): StoredCallback => ({
  ...callback,
  headers: {},
  body: new Uint8Array(),
  sentBytes: callback.sentBytes ?? callback.body.length,
  replay: false,
});

/** Tells whether bytes contain a phone number, given by `phoneCore`, that is not part of a longer number. */
export const hasPhone = (body: Uint8Array, core: string): boolean =>
  new RegExp(`(?<!\\d)(0|62)?${core}(?!\\d)`).test(new TextDecoder().decode(body));

/** The data of an unverified callback that determines whether it is kept. */
export type UnverifiedCallback = Pick<
  StoredCallback,
  'callbackId' | 'provider' | 'receivedAt' | 'address' | 'outcome' | 'reason'
>;

/** A change of the stored unverified callbacks. */
export interface PruneUnverifiedCallbacks {
  add: readonly StoredCallback[];
  /** Ids to delete. */
  drop: readonly string[];
}

/** Selects callbacks, newest first; a filter that is left out matches every callback. */
export interface CallbackFilter {
  provider?: string;
  outcome?: CallbackOutcome;
  orderId?: string;
  /** Selects only callbacks older than this one, the last of the previous page. */
  after?: { receivedAt: number; callbackId: string };
  limit: number;
}

export type ReplayResult = Pick<
  StoredCallback,
  'callbackId' | 'outcome' | 'reason' | 'orderId' | 'handledAt'
>;

/** The part of a store for callbacks. */
export interface CallbackStore {
  /** Adds a callback; for an erased order, without its content. */
  addCallback(callback: StoredCallback): Promise<Done | Conflict<'callback_taken'>>;
  /** Lists the unverified callbacks without a replay or a requested replay. */
  listUnverified(): Promise<UnverifiedCallback[]>;
  /** Returns those of the given addresses that have sent a verified callback. */
  findProvenSenders(addresses: readonly string[]): Promise<string[]>;
  /**
   * Adds and deletes unverified callbacks. Callbacks that {@link CallbackStore.listUnverified} no longer lists are not deleted, and a
   * callback with a taken id is not added.
   */
  pruneUnverified(change: PruneUnverifiedCallbacks): Promise<Done>;
  findCallback(callbackId: string): Promise<StoredCallback | null>;
  listCallbacks(filter: CallbackFilter): Promise<StoredCallback[]>;
  /** Asks a running server to handle a callback again; repeating this has no effect. */
  requestReplay(callbackId: string): Promise<Done | Conflict<'callback_missing'>>;
  /** Finds callbacks with a requested replay, oldest first. */
  findReplays(limit: number): Promise<StoredCallback[]>;
  /** Stores the result of a requested replay, and counts it; `no_replay` if none is requested. */
  finishReplay(result: ReplayResult): Promise<Done | Conflict<'no_replay'>>;
  /** Finds the ids of callbacks without an order whose bodies contain a phone number, given by `phoneCore`. It reads all such callbacks. */
  findStrayCallbacks(digits: string): Promise<string[]>;
  /** Erases the content of these callbacks, as part of an erasure. */
  eraseCallbacks(callbackIds: readonly string[], erasure: EraseOrder['erasure']): Promise<Done>;
}
