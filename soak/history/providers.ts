export const gatewayName = 'history-gateway';
export const supplierName = 'history-supplier';

export const callbackToken = 'a-token-of-the-soak';

/** How long an order waits for a payment by e-wallet, in milliseconds. */
export const walletMs = 2_000;

export const referenceOf = (orderId: string): string => `H-${orderId}`;

const behaviours = ['delivers', 'delivers when asked', 'delivers by callback', 'fails'] as const;

/** What the supplier does with a purchase: it follows from the reference alone, so that it is the same after a kill. A second attempt succeeds. */
export function behaviourOf(reference: string): (typeof behaviours)[number] {
  if (!reference.endsWith('-1')) return 'delivers';
  const sum = [...reference].reduce((total, letter) => total + letter.charCodeAt(0), 0);
  return behaviours[sum % behaviours.length] ?? 'delivers';
}
