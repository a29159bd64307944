import { setTimeout as sleep } from 'node:timers/promises';

/** Maximum wait of a page for optional data, in milliseconds. */
const briefMs = 400;

/**
 * Waits briefly for an optional change of the store, because a store that another program has locked can still be read. Resolves with null
 * after a timeout; the change continues.
 */
export const waitBriefly = <Result>(change: Promise<Result>): Promise<Result | null> =>
  Promise.race([change, sleep(briefMs, null, { ref: false })]);
