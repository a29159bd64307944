import type { FailureReason } from '../contract/index.ts';
import type { Clock } from '../platform/index.ts';
import { readSupplyReference, type Supplier, type SupplyRequest, type SupplyResult } from './supplier.ts';

/** How long a delivery by the simulated supplier takes, in milliseconds of world time. */
const supplyTime = 2_000;

/** How long a `late` delivery takes, in milliseconds of world time. */
const lateTime = 5 * 60_000;

/** Player ids that change how a sandbox delivers, like a payment provider's test cards (docs/sandbox.md). */
export const magicIds = {
  /** Every item fails. */
  fails: '900000001',
  /** Every second item fails. */
  partlyFails: '900000002',
  /** The first request times out; the next one finds the item delivered. */
  timesOutOnce: '900000003',
  /** Delivered after five minutes. */
  late: '900000004',
  /** The supplier knows no such player: every attempt fails, so that only a refund ends the order. */
  unknownPlayer: '900000005',
  /** There is never an outcome, so that the order is stuck. */
  pending: '900000006',
} as const;

interface Behaviour {
  /** Milliseconds from the first request to the outcome. */
  takes: number;
  fails: (unit: number, attempt: number) => boolean;
  /** Why a unit fails. */
  failure: { reason: string; kind: FailureReason };
  /** How long requests time out, in milliseconds from the first request. */
  timesOutFor: number;
}

const usual: Behaviour = {
  takes: supplyTime,
  fails: () => false,
  failure: { reason: 'the product is out of stock', kind: 'product_unavailable' },
  timesOutFor: 0,
};

const behaviours: ReadonlyMap<string, Behaviour> = new Map(
  Object.entries<Behaviour>({
    // An operator's retry succeeds, so that a sandbox can show one.
    [magicIds.fails]: { ...usual, fails: (_unit, attempt) => attempt === 1 },
    [magicIds.partlyFails]: { ...usual, fails: (unit, attempt) => unit % 2 === 0 && attempt === 1 },
    [magicIds.timesOutOnce]: { ...usual, timesOutFor: 1 },
    [magicIds.late]: { ...usual, takes: lateTime },
    [magicIds.unknownPlayer]: {
      ...usual,
      fails: () => true,
      failure: { reason: 'there is no such player', kind: 'account_not_found' },
    },
    [magicIds.pending]: { ...usual, takes: Number.POSITIVE_INFINITY },
  }),
);

function outcomeOf({ reference, askedAt }: SupplyRequest, behaviour: Behaviour, now: number): SupplyResult {
  if (now - askedAt < behaviour.timesOutFor) throw new Error('the simulated supplier does not respond');
  if (now - askedAt < behaviour.takes) return { state: 'pending' };
  const { unit, attempt } = readSupplyReference(reference);
  return behaviour.fails(unit, attempt)
    ? { state: 'failed', ...behaviour.failure }
    : { state: 'delivered', serialNumber: `SN-${reference}` };
}

/**
 * A supplier for the sandbox. The outcome depends only on the player's id, the reference and the time since the first
 * request, so it is the same after a restart.
 */
export function createSimulatedSupplier({ clock }: { clock: Clock }): Supplier {
  const respond = async (request: SupplyRequest): Promise<SupplyResult> =>
    outcomeOf(request, behaviours.get(request.target.id) ?? usual, clock());
  return {
    name: 'simulated',
    sandbox: true,
    abilities: { findBy: 'reference', findIntervalMs: 0, referenceLifetimeMs: null },
    submit: respond,
    find: respond,
    // Named by the last digits, so that two players have two names, and one the same everywhere.
    async findPlayer({ id }) {
      if (id === magicIds.timesOutOnce) throw new Error('the simulated supplier does not respond');
      return id === magicIds.unknownPlayer
        ? { exists: false }
        : { exists: true, nickname: `Player${id.slice(-4)}` };
    },
  };
}
