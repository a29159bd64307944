import type { CallbackOutcome } from '../../callback/index.ts';
import type { Conflict, Done, EraseOrder } from '../../store/index.ts';

/** A callback of a gateway or a supplier as it arrived, and what came of it. Moments are unix milliseconds of real time. */
export interface StoredCallback {
  /** Short, for an operator's commands, such as `cb_k3v9x2ma`. */
  callbackId: string;
  /** The name of the gateway or supplier. */
  provider: string;
  receivedAt: number;
  /** The IP address that it came from. */
  address: string;
  /** Values by lower-case name; only those that say what was sent and prove who sent it. */
  headers: Readonly<Record<string, string>>;
  /** The bytes that were sent, with words instead of the provider's secrets; none when it was ignored. */
  body: Uint8Array;
  /** How many bytes were sent, when only the first of them are kept; null otherwise. */
  sentBytes: number | null;
  /** What came of it when it was last handled. */
  outcome: CallbackOutcome;
  /** Why, as a sentence; null when the outcome says it all. */
  reason: string | null;
  /** The order that it is about, if that is known. */
  orderId: string | null;
  handledAt: number;
  /** How often it was handled: 1, and 1 more for each replay. */
  attempts: number;
  /** Whether an operator asked for a replay that wasn't made yet. */
  replay: boolean;
}

/** What comes of callbacks that anybody can send, because nothing shows that they are genuine. */
export const unprovenOutcomes = ['rejected', 'ignored'] as const satisfies readonly CallbackOutcome[];

export const isUnproven = (outcome: CallbackOutcome): boolean =>
  unprovenOutcomes.some((unproven) => unproven === outcome);

/** Its time, its provider and its outcome stay. */
export const erasedCallback = (callback: StoredCallback): StoredCallback => ({
  ...callback,
  headers: {},
  body: new Uint8Array(),
  sentBytes: callback.sentBytes ?? callback.body.length,
  replay: false,
});

/** Whether bytes have a number, given by `phoneCore`, and not only a longer one that it is a part of. */
export const hasPhone = (body: Uint8Array, core: string): boolean =>
  new RegExp(`(?<!\\d)(0|62)?${core}(?!\\d)`).test(new TextDecoder().decode(body));

/** What is looked at of an unproven callback to decide whether it stays. */
export type UnprovenCallback = Pick<
  StoredCallback,
  'callbackId' | 'provider' | 'receivedAt' | 'address' | 'outcome' | 'reason'
>;

/** A change of the unproven callbacks that are kept. */
export interface KeepUnproven {
  add: readonly StoredCallback[];
  /** Ids of those to delete. */
  drop: readonly string[];
}

/** Which callbacks to list, newest first; a filter that is left out matches every callback. */
export interface CallbackFilter {
  provider?: string;
  outcome?: CallbackOutcome;
  /** Only those about this order. */
  orderId?: string;
  /** Only callbacks older than this one, which is the last of the previous page. */
  after?: { receivedAt: number; callbackId: string };
  limit: number;
}

/** What came of a replay. */
export type ReplayResult = Pick<
  StoredCallback,
  'callbackId' | 'outcome' | 'reason' | 'orderId' | 'handledAt'
>;

/** The part of a store that keeps callbacks. */
export interface CallbackStore {
  /** Of an erased order it keeps nothing that the callback says. */
  addCallback(callback: StoredCallback): Promise<Done | Conflict<'callback_taken'>>;
  /** The unproven callbacks that no operator has replayed or asked to replay. */
  listUnproven(): Promise<UnprovenCallback[]>;
  /** Those of the addresses from which a callback came that was proven. */
  findProvenSenders(addresses: readonly string[]): Promise<string[]>;
  /**
   * Adds and deletes unproven callbacks. What {@link CallbackStore.listUnproven} would not list any more stays as it is, and an id
   * that is taken is not added.
   */
  keepUnproven(change: KeepUnproven): Promise<Done>;
  findCallback(callbackId: string): Promise<StoredCallback | null>;
  listCallbacks(filter: CallbackFilter): Promise<StoredCallback[]>;
  /** Asks a running server to handle a callback again; asking twice changes nothing. */
  requestReplay(callbackId: string): Promise<Done | Conflict<'callback_missing'>>;
  /** Callbacks with a requested replay, oldest first. */
  findReplays(limit: number): Promise<StoredCallback[]>;
  /** Stores what came of a requested replay, and counts it; `no_replay` when none is requested (any more). */
  finishReplay(result: ReplayResult): Promise<Done | Conflict<'no_replay'>>;
  /** Ids of the callbacks of no order whose bodies have a number, given by `phoneCore`; it looks at all of them. */
  findStrayCallbacks(digits: string): Promise<string[]>;
  /** Erases what these callbacks say, as a part of an erasure. */
  eraseCallbacks(callbackIds: readonly string[], erasure: EraseOrder['erasure']): Promise<Done>;
}
