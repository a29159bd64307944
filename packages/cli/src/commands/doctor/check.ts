/** `skipped` where something else must be right first, or where there is nothing to look at. */
export type State = 'ok' | 'warning' | 'failed' | 'skipped';

export interface Check {
  name: string;
  state: State;
  /** What was found, in a sentence. */
  found: string;
  /** What to do about it; null where there is nothing to do. */
  fix: string | null;
}

export const good = (name: string, found: string): Check => ({ name, state: 'ok', found, fix: null });
export const warning = (name: string, found: string, fix: string): Check => ({
  ...{ name, state: 'warning', found, fix },
});
export const failed = (name: string, found: string, fix: string | null): Check => ({
  ...{ name, state: 'failed', found, fix },
});
export const skipped = (name: string, found: string): Check => ({ name, state: 'skipped', found, fix: null });
