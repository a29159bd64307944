import { commonRejections, type Rejection } from '../rejections.ts';

/** Meaning of an order's `status`. Any other status is uncertain, so the order is looked up by its id. */
export const outcomes: Readonly<Record<string, 'bought' | 'pending' | 'never'>> = {
  success: 'bought',
  waiting: 'pending',
  processing: 'pending',
  error: 'never',
};

/**
 * Meaning of a rejected order's `message`. No message is documented; the first row comes from users' reports. An operator decides about
 * unknown words, and about an HTTP status from 400 on, unless a server in front of the service rejected the request.
 */
export const rejections: readonly Rejection[] = [
  {
    says: /\bip\b.*not permitted/i,
    means: 'supplier',
    advice:
      "Allow this server's address at VIP Reseller. If it is an IPv6 address, use IPv4 only (docs/going-live.md).",
  },
  ...commonRejections,
];
