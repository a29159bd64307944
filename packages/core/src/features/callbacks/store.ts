import type { CallbackOutcome } from '../../callback/index.ts';
import type { Conflict, Done, EraseOrder } from '../../store/index.ts';

/** A gateway's or supplier's callback as it arrived, and its result. Times are unix milliseconds of real time. */
export interface StoredCallback {
  /** A short id for operators' commands, such as `cb_k3v9x2ma`. */
  callbackId: string;
  /** The gateway's or supplier's name. */
  provider: string;
  receivedAt: number;
  /** The IP address of its sender. */
  address: string;
  /** Values by lower-case name; only headers that describe the content and prove the sender. */
  headers: Readonly<Record<string, string>>;
  /** The sent bytes, with words instead of the provider's secrets; empty if it was ignored. */
  body: Uint8Array;
  /** The number of sent bytes, if only the first ones are stored; null otherwise. */
  sentBytes: number | null;
  /** The result of its last handling. */
  outcome: CallbackOutcome;
  /** The reason as a sentence; null if the outcome is enough. */
  reason: string | null;
  /** The order concerned, if known. */
  orderId: string | null;
  handledAt: number;
  /** Number of times it was handled: 1, plus 1 for each replay. */
  attempts: number;
  /** Whether an operator's requested replay is still open. */
  replay: boolean;
}

/** Outcomes of callbacks that anyone can send, because nothing proves that they are genuine. */
export const unverifiedOutcomes = ['rejected', 'ignored'] as const satisfies readonly CallbackOutcome[];

export const isUnverified = (outcome: CallbackOutcome): boolean =>
  unverifiedOutcomes.some((unverified) => unverified === outcome);

/** Keeps time, provider and outcome of an erased callback. */
export const erasedCallback = (callback: StoredCallback): StoredCallback => ({
  ...callback,
  headers: {},
  body: new Uint8Array(),
  sentBytes: callback.sentBytes ?? callback.body.length,
  replay: false,
});

/** Tells whether bytes contain a number, given by `phoneCore`, that is not part of a longer one. */
export const hasPhone = (body: Uint8Array, core: string): boolean =>
  new RegExp(`(?<!\\d)(0|62)?${core}(?!\\d)`).test(new TextDecoder().decode(body));

/** The data of an unverified callback that decides whether it stays. */
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
  /** Only callbacks older than this one, the last of the previous page. */
  after?: { receivedAt: number; callbackId: string };
  limit: number;
}

export type ReplayResult = Pick<
  StoredCallback,
  'callbackId' | 'outcome' | 'reason' | 'orderId' | 'handledAt'
>;

/** The part of a store for callbacks. */
export interface CallbackStore {
  /** Stores no content for an erased order. */
  addCallback(callback: StoredCallback): Promise<Done | Conflict<'callback_taken'>>;
  /** Unverified callbacks without a replay or a requested replay. */
  listUnverified(): Promise<UnverifiedCallback[]>;
  /** Those of the addresses that sent a verified callback. */
  findProvenSenders(addresses: readonly string[]): Promise<string[]>;
  /**
   * Adds and deletes unverified callbacks. Callbacks that {@link CallbackStore.listUnverified} would no longer list stay, and a taken id is
   * not added.
   */
  pruneUnverified(change: PruneUnverifiedCallbacks): Promise<Done>;
  findCallback(callbackId: string): Promise<StoredCallback | null>;
  listCallbacks(filter: CallbackFilter): Promise<StoredCallback[]>;
  /** Asks a running server to handle a callback again; repeating this has no effect. */
  requestReplay(callbackId: string): Promise<Done | Conflict<'callback_missing'>>;
  /** Callbacks with a requested replay, oldest first. */
  findReplays(limit: number): Promise<StoredCallback[]>;
  /** Stores the result of a requested replay, and counts it; `no_replay` if none is requested. */
  finishReplay(result: ReplayResult): Promise<Done | Conflict<'no_replay'>>;
  /** Ids of callbacks without an order whose bodies contain a number, given by `phoneCore`; it reads all of them. */
  findStrayCallbacks(digits: string): Promise<string[]>;
  /** Erases the content of these callbacks, as part of an erasure. */
  eraseCallbacks(callbackIds: readonly string[], erasure: EraseOrder['erasure']): Promise<Done>;
}
