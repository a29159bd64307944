/** State of a check: `skipped` if another check must pass first, or if there is nothing to check. */
export type State = 'ok' | 'warning' | 'failed' | 'skipped';

export interface Check {
  name: string;
  state: State;
  /** Finding as a sentence. */
  found: string;
  /** Advice on how to fix it; null if there is nothing to do. */
  fix: string | null;
}

/** Check with the separate items of its finding, so that new items can be recognised. */
export interface Finding extends Check {
  about?: {
    /** Names of the items, which stay the same between runs. */
    names: readonly string[];
    /** Returns the check with only these items. */
    only(names: readonly string[]): Check;
  };
}

export const good = (name: string, found: string): Check => ({ name, state: 'ok', found, fix: null });
export const warning = (name: string, found: string, fix: string): Check => ({
  name,
  state: 'warning',
  found,
  fix,
});
export const failed = (name: string, found: string, fix: string | null): Check => ({
  name,
  state: 'failed',
  found,
  fix,
});
export const skipped = (name: string, found: string): Check => ({ name, state: 'skipped', found, fix: null });
