import type { Clock } from '../platform/index.ts';
import type { Supplier, SupplyAnswer, SupplyRequest } from './supplier.ts';

/** How long the simulated supplier takes, in milliseconds of world time. */
export const supplyTime = 2_000;

/** How late `late` is, in milliseconds of world time. */
const lateTime = 5 * 60_000;

/**
 * Player ids that make a sandbox's delivery go otherwise, as test cards do for payments. Documented in
 * docs/sandbox.md.
 */
export const magicIds = {
  /** Every item fails. */
  fails: '900000001',
  /** Every second item fails. */
  partlyFails: '900000002',
  /** The first question times out; asked again, the item is there. */
  timesOutOnce: '900000003',
  /** Delivered after five minutes. */
  late: '900000004',
} as const;

interface Behaviour {
  /** Milliseconds from the first question to the answer. */
  takes: number;
  fails: (unit: number, attempt: number) => boolean;
  /** For how long questions time out, in milliseconds from the first. */
  silent: number;
}

const usual: Behaviour = { takes: supplyTime, fails: () => false, silent: 0 };

const behaviours: Record<string, Behaviour> = {
  // An operator's retry goes through, so that there is something to see.
  [magicIds.fails]: { ...usual, fails: (_unit, attempt) => attempt === 1 },
  [magicIds.partlyFails]: { ...usual, fails: (unit, attempt) => unit % 2 === 0 && attempt === 1 },
  [magicIds.timesOutOnce]: { ...usual, silent: 1 },
  [magicIds.late]: { ...usual, takes: lateTime },
};

function unitOf(reference: string): { unit: number; attempt: number } {
  const [, unit = '1', attempt = '1'] = /-(\d+)-(\d+)$/.exec(reference) ?? [];
  return { unit: Number(unit), attempt: Number(attempt) };
}

function answerTo({ reference, askedAt }: SupplyRequest, behaviour: Behaviour, now: number): SupplyAnswer {
  if (now - askedAt < behaviour.silent) throw new Error('the simulated supplier does not answer');
  if (now - askedAt < behaviour.takes) return { state: 'pending' };
  const { unit, attempt } = unitOf(reference);
  return behaviour.fails(unit, attempt)
    ? { state: 'failed', reason: 'the account does not exist' }
    : { state: 'delivered', serialNumber: `SN-${reference}` };
}

/**
 * A supplier that only plays. How a delivery goes follows from the player's id, the reference and the time since it was
 * first asked for, so it needs no memory and says the same after any restart.
 */
export const createSimulatedSupplier = ({ clock }: { clock: Clock }): Supplier => ({
  name: 'simulated',
  sandbox: true,
  supply: async (request) => answerTo(request, behaviours[request.target.id] ?? usual, clock()),
});
