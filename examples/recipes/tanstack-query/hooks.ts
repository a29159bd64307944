import { useMutation, useQuery } from '@tanstack/react-query';
import { type CreateOrderRequest, isTopupError, type PaymentState, type TopupClient } from '@topup-kit/sdk';
import { createContext, useContext, useState } from 'react';

// The client retries by its own rules, so queries and mutations have `retry: false`.

/** The client of the app: `<Topup value={client}>`. */
export const Topup = createContext<TopupClient | undefined>(undefined);

function useTopup(): TopupClient {
  const client = useContext(Topup);
  if (!client) throw new Error('There is no <Topup value={client}> around this component.');
  return client;
}

export function useGames() {
  const topup = useTopup();
  return useQuery({
    queryKey: ['games'],
    queryFn: async ({ signal }) => (await topup.games.list({ signal })).games,
    staleTime: 60_000,
    retry: false,
  });
}

/** Follows an order until it is delivered, failed or expired. `data` changes with each state, and `isFetching` ends with the order. */
export function useOrder(orderId: string) {
  const topup = useTopup();
  const queryKey = ['order', orderId];
  return useQuery({
    queryKey,
    async queryFn({ signal, client: cache }) {
      // No `refetchInterval`: `waitFor` knows when to poll, and when to stop.
      const { state } = await topup.orders.waitFor(orderId, {
        signal,
        onUpdate: (update) => void cache.setQueryData<PaymentState>(queryKey, update),
      });
      return state;
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
}

/** Places an order. After an unknown outcome, the next call of `mutate` with the same order can't place a second one. */
export function usePlaceOrder() {
  const topup = useTopup();
  const [idempotencyKey, setKey] = useState(() => crypto.randomUUID());
  return useMutation({
    mutationFn: (order: CreateOrderRequest) =>
      topup.orders.create(order, { idempotencyKey, idempotency: 'supported' }),
    onSettled(_, error) {
      if (!isTopupError(error, 'UNKNOWN_OUTCOME')) setKey(crypto.randomUUID());
    },
    retry: false,
  });
}
