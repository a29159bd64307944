import { bundle, gzipped } from './bundle.ts';

/** Size limits of the entries: bytes of `export { createTopupClient }`, minified and gzipped; the first with ky. */
export const sizeBars = { '@topup-kit/sdk': 21_500, '@topup-kit/sdk/light': 11_500 } as const;

export type SizedEntry = keyof typeof sizeBars;

// Safe: these are the keys of a constant.
export const sizedEntries = Object.keys(sizeBars) as SizedEntry[];

/** Bytes of an entry's client in a bundle that imports nothing else. */
export const clientSize = async (entry: SizedEntry, folder: string): Promise<number> =>
  gzipped(await bundle(`export { createTopupClient } from '${entry}';`, folder));

/** Size limit of `verifyWebhook`: what it adds to a client in the same bundle. */
export const webhookBar = 1_200;

/** Bytes that `verifyWebhook` adds to an entry's client. */
export async function webhookSize(entry: SizedEntry, folder: string): Promise<number> {
  const both = await bundle(`export { createTopupClient, verifyWebhook } from '${entry}';`, folder);
  return (await gzipped(both)) - (await clientSize(entry, folder));
}

/** Bytes of ky itself, for comparison. */
export const kySize = async (): Promise<number> =>
  gzipped(await bundle(`export { default } from 'ky';`, import.meta.dirname));
