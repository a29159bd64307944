import { clientName } from '../http/index.ts';
import { type StoredCallback, type UnprovenCallback, unprovenOutcomes } from '../store/index.ts';

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
export function fairShare<Callback extends Kind>(newestFirst: readonly Callback[], max: number): Callback[] {
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
