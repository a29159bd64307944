import { faultFields } from '@topup-kit/core/contract';
import { type Fault, type FaultInput, readControlInput } from '@topup-kit/core/features/sandbox';
import { inTypeErrors } from './type-errors.ts';
import type { Worlds } from './world/worlds.ts';

/** Deliberate failures, like `topup sandbox faults` and a sandbox's control routes. */
export interface MockFaults {
  /**
   * Adds a fault: what happens (`error`, `delay`, `connection`, `word`, `reason` or `scenario`), to which calls (`operation`,
   * `account`, `phone`, `game`, `method`, `header`), how often (`times`, `every`, `percent`) and how long (`for`, on the mock's
   * clock). Faults add up. Throws a TypeError that names a wrong parameter.
   *
   * @example
   * mock.faults.add({ connection: 'cut-after', operation: 'createOrder', times: 1 });
   */
  add(fault: FaultInput): Fault;
  /** All faults, oldest first, with their number of strikes (`struck`); includes those that have ended. */
  list(): Fault[];
  /** Removes a fault by its id; false if there is none. */
  remove(id: number): boolean;
  /** Removes all faults. Scenarios of `mock.scenarios` stay. */
  clear(): void;
}

export const createMockFaults = (worlds: Worlds): MockFaults => ({
  add: (fault) =>
    inTypeErrors(() => worlds.current().faults.add(readControlInput({ fields: faultFields }, fault))),
  list: () => worlds.current().faults.list(),
  remove: (id) => worlds.current().faults.remove(id),
  clear: () => worlds.current().faults.clear(),
});
