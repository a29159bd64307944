export const done = { done: true } as const;
export type Done = typeof done;

/** The result of a command that violated a constraint of the store. It stored nothing. */
export interface Conflict<Name extends string> {
  conflict: Name;
}
