import { clientName } from '../http/index.ts';
import type { StoredCallback, UnprovenCallback } from '../store/index.ts';

/** Of each outcome, so many are kept of proven senders, and as many of all others. */
export const maxKept = 1_000;

/** The newest of each kind are kept whole, as far as the bodies of all have no more bytes than this. */
export const maxWholeOfKind = 3;
const maxBytes = 4 * 1024 * 1024;

/** How many bytes are kept of the body of any other. The callbacks of our providers are shorter. */
export const cutTo = 2_048;

/** Why a callback was turned away. */
export const wrongAddress = 'TOPUP_CALLBACK_ADDRESSES does not have its address.';

/** Callbacks of one client with the same fault; all those that were turned away because of their addresses are one kind. */
export const kindOf = ({
  provider,
  outcome,
  reason,
  address,
}: Pick<StoredCallback, 'provider' | 'outcome' | 'reason' | 'address'>): string =>
  JSON.stringify([provider, outcome, reason, reason === wrongAddress ? null : clientName(address)]);

interface Placed extends UnprovenCallback {
  /** How many newer ones there are of its kind. */
  place: number;
}

const newestFirst = (a: UnprovenCallback, b: UnprovenCallback): number =>
  b.receivedAt - a.receivedAt || (a.callbackId < b.callbackId ? 1 : -1);

/** The callbacks with their places in their kinds, by outcome and by whether their senders are proven; newest first. */
function placedInPools(
  callbacks: readonly UnprovenCallback[],
  provenSenders: ReadonlySet<string>,
): Iterable<Placed[]> {
  const counts = new Map<string, number>();
  const pools = new Map<string, Placed[]>();
  for (const callback of callbacks.toSorted(newestFirst)) {
    const kind = kindOf(callback);
    const place = counts.get(kind) ?? 0;
    counts.set(kind, place + 1);
    const name = `${callback.outcome} ${provenSenders.has(callback.address)}`;
    const pool = pools.get(name) ?? [];
    pool.push({ ...callback, place });
    pools.set(name, pool);
  }
  return pools.values();
}

/** Which callbacks stay, and which of them are cut. */
export interface Room {
  drop: ReadonlySet<string>;
  cut: ReadonlySet<string>;
}

/**
 * Decides which unproven callbacks stay when there are too many. All kinds have the same share: the newest of each stays before the
 * second of any other. Addresses from which a proven callback came have room of their own, so that no stranger, however many
 * addresses he has, pushes out what a provider sent.
 */
export function planRoom(callbacks: readonly UnprovenCallback[], provenSenders: ReadonlySet<string>): Room {
  const drop = new Set<string>();
  const cut = new Set<string>();
  for (const pool of placedInPools(callbacks, provenSenders)) {
    const fair = pool.sort((a, b) => a.place - b.place);
    for (const { callbackId } of fair.splice(maxKept)) drop.add(callbackId);
    let bytes = 0;
    // Short ones first, because those of providers are.
    for (const { callbackId, place, keptBytes } of fair.sort(
      (a, b) => a.place - b.place || a.keptBytes - b.keptBytes,
    )) {
      bytes += keptBytes;
      if (keptBytes > cutTo && (place >= maxWholeOfKind || bytes > maxBytes)) cut.add(callbackId);
    }
  }
  return { drop, cut };
}
