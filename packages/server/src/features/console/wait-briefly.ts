import { setTimeout as sleep } from 'node:timers/promises';

/** How long a page waits for what it can do without, in milliseconds. */
const briefMs = 400;

/**
 * Waits for a change of the store that a page can do without: a store that another program has locked can still be read. Resolves with null
 * when it takes too long; the change goes on.
 */
export const waitBriefly = <Result>(change: Promise<Result>): Promise<Result | null> =>
  Promise.race([change, sleep(briefMs, null, { ref: false })]);
