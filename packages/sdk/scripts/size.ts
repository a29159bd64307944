import { bundle, gzipped } from './bundle.ts';

/** Size limits of the entries: bytes of `export { createTopupClient }`, minified and gzipped; the first with ky. */
export const sizeBars = { '@topup-kit/sdk': 21_500, '@topup-kit/sdk/light': 11_500 } as const;

export type SizedEntry = keyof typeof sizeBars;

// safe: the keys of a constant
export const sizedEntries = Object.keys(sizeBars) as SizedEntry[];

/** Bytes of an entry's client in a bundle that imports nothing else. */
export const clientSize = async (entry: SizedEntry, folder: string): Promise<number> =>
  gzipped(await bundle(`export { createTopupClient } from '${entry}';`, folder));

/** Bytes of ky itself, for comparison. */
export const kySize = async (): Promise<number> =>
  gzipped(await bundle(`export { default } from 'ky';`, import.meta.dirname));
