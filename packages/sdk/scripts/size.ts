import { bundle, gzipped } from './bundle.ts';

/** The entries that have a bar, in bytes of `export { createTopupClient }`, minified and gzipped (ky included). */
export const sizeBars = { '@topup-kit/sdk': 16_000, '@topup-kit/sdk/light': 11_500 } as const;

export type SizedEntry = keyof typeof sizeBars;

// safe: the keys of a constant
export const sizedEntries = Object.keys(sizeBars) as SizedEntry[];

/** Bytes of the client of an entry, as a page that bundles nothing else of it would load them. */
export const clientSize = async (entry: SizedEntry, folder: string): Promise<number> =>
  gzipped(await bundle(`export { createTopupClient } from '${entry}';`, folder));

/** Bytes of ky alone, the floor that both stand on. */
export const kySize = async (folder: string): Promise<number> =>
  gzipped(await bundle(`export { default } from 'ky';`, folder));
