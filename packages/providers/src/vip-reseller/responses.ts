import { commonRejections, type Rejection } from '../rejections.ts';

/** The meaning of an order's `status`. Any other is uncertain: the order is looked up by its id. */
export const outcomes: Readonly<Record<string, 'bought' | 'pending' | 'never'>> = {
  success: 'bought',
  waiting: 'pending',
  processing: 'pending',
  error: 'never',
};

/**
 * The meaning of a rejected order's `message`. None is documented: the first row comes from users' reports. For unknown words an operator
 * decides, and also for an HTTP status from 400 on, except those of a server that rejects a request unread.
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
