import { commonRejections, type Rejection } from '../rejections.ts';

/**
 * Meaning of a transaction's `status`. An operator decides about any other status. According to the documentation, a purchase is pending
 * after any HTTP error and timeout.
 */
export const outcomes: Readonly<Record<string, 'bought' | 'pending' | 'never'>> = {
  sukses: 'bought',
  pending: 'pending',
  gagal: 'never',
};

const credentialsAdvice = 'Check the member code, the keys and the allowed addresses.';

/** Returns advice after a rejected look-up. */
export const adviceFor = (said: string): string =>
  /not found|tidak (di)?temukan/i.test(said)
    ? "Tokovoucher knows no purchase with this reference. If its dashboard doesn't show the purchase either, mark the item as failed and retry it."
    : credentialsAdvice;

/** Meaning of an `error_msg`, the documented messages first. An operator decides about unknown words. */
export const rejections: readonly Rejection[] = [
  {
    says: /^ip not allow$/i,
    means: 'supplier',
    advice:
      "Allow this server's address in the member area. If it is an IPv6 address, use IPv4 only (docs/going-live.md).",
  },
  {
    says: /^signature invalid$/i,
    means: 'supplier',
    advice: credentialsAdvice,
  },
  ...commonRejections,
];
