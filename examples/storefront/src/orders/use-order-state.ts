import { isTopupError, type PaymentState } from '@topup-kit/sdk';
import { useEffect, useState } from 'react';
import { client } from '../client.ts';
import { useWakes } from '../wake.ts';

/** No payment may take longer (milliseconds). */
const longest = 48 * 60 * 60_000;

/** The order's state, kept up to date for as long as something can change. */
export function useOrderState(orderId: string) {
  const [seen, setSeen] = useState<{ orderId: string; state?: PaymentState; error?: unknown }>({ orderId });
  const wakes = useWakes();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a wake asks anew
  useEffect(() => {
    const leave = new AbortController();
    client.orders
      .waitFor(orderId, {
        timeout: longest,
        signal: leave.signal,
        onUpdate: (state) => setSeen({ orderId, state }),
      })
      .catch((error: unknown) => {
        if (!isTopupError(error, 'ABORTED'))
          setSeen(({ state }) => ({ orderId, ...(state && { state }), error }));
      });
    return () => leave.abort();
  }, [orderId, wakes]);
  return seen.orderId === orderId ? seen : { orderId };
}
