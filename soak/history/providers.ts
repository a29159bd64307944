export const gatewayName = 'history-gateway';
export const supplierName = 'history-supplier';

export const callbackToken = 'a-token-of-the-soak';

/** Time to pay an order by e-wallet, in milliseconds. */
export const walletMs = 2_000;

export const referenceOf = (orderId: string): string => `H-${orderId}`;

const behaviours = ['delivers', 'delivers when asked', 'delivers by callback', 'fails'] as const;

/** Returns the supplier's behaviour for a purchase. Only the reference decides it, so a kill doesn't change it. Second attempts succeed. */
export function behaviourOf(reference: string): (typeof behaviours)[number] {
  if (!reference.endsWith('-1')) return 'delivers';
  const sum = [...reference].reduce((total, letter) => total + letter.charCodeAt(0), 0);
  return behaviours[sum % behaviours.length] ?? 'delivers';
}
