import { createSignal } from './signal.ts';

const reachable = createSignal(true);

/** Called with each answer, and with each request that got none. */
export const noteReach = reachable.set;

/** Whether the last request got an answer. */
export const useReach = reachable.use;
