import type { FailureReason } from '../contract/index.ts';
import type { Clock } from '../platform/index.ts';
import { type PurchaseRequest, type PurchaseResult, readSupplyReference, type Supplier } from './supplier.ts';

/** Duration of a delivery by the simulated supplier, in milliseconds of world time. */
const supplyTime = 2_000;

/** Duration of a `late` delivery, in milliseconds of world time. */
const lateTime = 5 * 60_000;

/** Player ids that determine the delivery in a sandbox, like the test cards of a payment provider (docs/sandbox.md). */
export const magicIds = {
  /** Every unit fails. */
  fails: '900000001',
  /** Every second unit fails. */
  partlyFails: '900000002',
  /** The first request times out. The next one finds the unit delivered. */
  timesOutOnce: '900000003',
  /** Every unit is delivered after five minutes. */
  late: '900000004',
  /** The supplier has no such player. Every attempt fails, so only a refund ends the order. */
  unknownPlayer: '900000005',
  /** No unit ever has an outcome, so the order gets stuck. */
  pending: '900000006',
} as const;

interface Behaviour {
  /** Milliseconds from the first request to the outcome. */
  takes: number;
  fails: (unit: number, attempt: number) => boolean;
  /** The reason for a failure. */
  failure: { reason: string; kind: FailureReason };
  /** Time during which requests time out, in milliseconds from the first request. */
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

function outcomeOf(
  { reference, askedAt }: PurchaseRequest,
  behaviour: Behaviour,
  now: number,
): PurchaseResult {
  if (now - askedAt < behaviour.timesOutFor) throw new Error('the simulated supplier does not respond');
  if (now - askedAt < behaviour.takes) return { state: 'pending' };
  const { unit, attempt } = readSupplyReference(reference);
  return behaviour.fails(unit, attempt)
    ? { state: 'failed', ...behaviour.failure }
    : { state: 'delivered', serialNumber: `SN-${reference}` };
}

/**
 * Creates a supplier for the sandbox. The outcome depends only on the player's id, the reference and the time since the first request, so
 * that it survives a restart.
 */
export function createSimulatedSupplier({ clock }: { clock: Clock }): Supplier {
  const respond = async (request: PurchaseRequest): Promise<PurchaseResult> =>
    outcomeOf(request, behaviours.get(request.target.id) ?? usual, clock());
  return {
    name: 'simulated',
    sandbox: true,
    abilities: { findBy: 'reference', findIntervalMs: 0, referenceLifetimeMs: null },
    submit: respond,
    find: respond,
    // The last digits determine the name, so that each player has one name everywhere.
    async findPlayer({ id }) {
      if (id === magicIds.timesOutOnce) throw new Error('the simulated supplier does not respond');
      return id === magicIds.unknownPlayer
        ? { exists: false }
        : { exists: true, nickname: `Player${id.slice(-4)}` };
    },
  };
}
