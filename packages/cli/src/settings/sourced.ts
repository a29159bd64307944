/** Where a setting comes from; each wins over those after it. */
export type Origin = 'flag' | 'environment' | 'profile' | 'default';

/** A setting's value with where it comes from. */
export interface Sourced {
  value: string;
  origin: Origin;
  /** In words: `--base-url`, `TOPUP_BASE_URL`, `profile shop`, `default`. */
  source: string;
}
