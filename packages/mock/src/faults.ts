import { faultFields } from '@topup-kit/core/contract';
import { type Fault, type FaultInput, readControlInput } from '@topup-kit/core/features/sandbox';
import { inTypeErrors } from './type-errors.ts';
import type { Worlds } from './world/worlds.ts';

/** Simulated failures, as in `topup sandbox faults` and a sandbox's control routes. */
export interface MockFaults {
  /**
   * Adds a fault: its effect (`error`, `delay`, `connection`, `word`, `reason` or `scenario`), the affected calls (`operation`, `account`,
   * `phone`, `game`, `method`, `header`), its frequency (`times`, `every`, `percent`) and its duration (`for`, on the mock's clock). Faults
   * add up. Throws a TypeError that names a wrong parameter.
   *
   * @example
   * mock.faults.add({ connection: 'cut-after', operation: 'createOrder', times: 1 });
   */
  add(fault: FaultInput): Fault;
  /** Lists all faults, oldest first, with their number of strikes (`struck`); includes ended faults. */
  list(): Fault[];
  /** Removes a fault by its id; returns false if it is not found. */
  remove(id: number): boolean;
  /** Removes all faults, but not the scenarios of `mock.scenarios`. */
  clear(): void;
}

export const createMockFaults = (worlds: Worlds): MockFaults => ({
  add: (fault) =>
    inTypeErrors(() => worlds.current().faults.add(readControlInput({ fields: faultFields }, fault))),
  list: () => worlds.current().faults.list(),
  remove: (id) => worlds.current().faults.remove(id),
  clear: () => worlds.current().faults.clear(),
});
