export const done = { done: true } as const;
export type Done = typeof done;

/** A command that violated a constraint of the store. It stored nothing. */
export interface Conflict<Name extends string> {
  conflict: Name;
}
