import type { CopyProgress } from '@topup-kit/server';

/** How far it is, in words. */
export const copyWords = (progress: CopyProgress): string =>
  progress.step === 'verifying'
    ? 'Verifying'
    : `Copying, ${Math.floor((100 * progress.done) / progress.total)} % of it`;
