import { commonRejections, type Rejection } from '../rejections.ts';

/** What the `status` of an order means. Any other says nothing for certain: the order is asked about by its id. */
export const outcomes: Readonly<Record<string, 'bought' | 'pending' | 'never'>> = {
  success: 'bought',
  waiting: 'pending',
  processing: 'pending',
  error: 'never',
};

/**
 * What the `message` of a rejected order means. None is documented: the first row is from reports of its users. Words that no row knows
 * ask an operator. So does an HTTP status from 400 on, but for those with which a server refuses a request unread.
 */
export const rejections: readonly Rejection[] = [
  {
    says: /\bip\b.*not permitted/i,
    means: 'supplier',
    advice:
      "Allow this server's address at VIP Reseller; when that is an IPv6 address, use IPv4 only (docs/going-live.md).",
  },
  ...commonRejections,
];
