/** The faults of a simulator, each of which can occur several times. */
export const faults = {
  'lost-response': 'A request is carried out, then the connection closes without a response.',
  'error-500': 'A request is not carried out; the response is 500.',
  slow: 'A request is carried out; its response is sent 30 seconds later.',
  'lost-callback': 'A callback and its retries are never sent.',
  'late-callback': 'A callback is sent 10 minutes late.',
  'duplicate-callback': 'A callback is sent twice.',
  'out-of-order': 'A callback is sent after the next one of its transaction, or after 10 minutes.',
  'bad-signature': 'The first attempt of a callback has a wrong signature.',
  'wrong-amount': 'A payment is booked with 1 rupiah less; a purchase costs 1 rupiah more than listed.',
  'customer-fees': 'The customer pays the fees of the next payment, if the gateway can charge them.',
} as const satisfies Record<string, string>;

export type FaultName = keyof typeof faults;

export const faultNames = Object.keys(faults) as FaultName[]; // Safe: these are the keys of a literal.

/** A planned fault. */
export interface PlannedFault {
  provider: string;
  fault: FaultName;
  /** Remaining number of times that it occurs. */
  times: number;
  /** The affected operation, such as `create`; null for any. */
  on: string | null;
}

export interface FaultPlan {
  plan(fault: PlannedFault): void;
  list(): readonly PlannedFault[];
  clear(): void;
  /** Tells whether a fault occurs now. If so, counts it. */
  take(provider: string, fault: FaultName, operation?: string): boolean;
}

export function createFaultPlan(): FaultPlan {
  let planned: PlannedFault[] = [];
  return {
    plan: (fault) => void planned.push({ ...fault }),
    list: () => planned,
    clear() {
      planned = [];
    },
    take(provider, fault, operation) {
      const match = planned.find(
        (plannedFault) =>
          plannedFault.provider === provider &&
          plannedFault.fault === fault &&
          (plannedFault.on === null || plannedFault.on === operation),
      );
      if (!match) return false;
      match.times -= 1;
      planned = planned.filter(({ times }) => times > 0);
      return true;
    },
  };
}
