import { type CreateOrderRequest, isTopupError, type TopupError } from '@topup-kit/sdk';
import { useState } from 'react';
import { client } from '../client.ts';

const storageKey = 'kilat:uncertain';

/** Order request that failed. */
interface FailedOrder {
  request: string;
  idempotencyKey: string;
  /** True if the order may exist, so that sending it again may create a second one. */
  isUncertain: boolean;
}

/** Last failed order. It is kept for the life of the tab, because the order may exist even after a reload. */
const lastFailedOrder = {
  read(request: string): FailedOrder | undefined {
    try {
      const failed: FailedOrder | null = JSON.parse(sessionStorage.getItem(storageKey) ?? 'null');
      return failed?.request === request ? failed : undefined;
    } catch {
      return undefined;
    }
  },
  write: (failed: FailedOrder): void => sessionStorage.setItem(storageKey, JSON.stringify(failed)),
  clear: (): void => sessionStorage.removeItem(storageKey),
};

/** Error for an order that is not sent because the same order may already exist. */
const mayAlreadyExist = Symbol('the order may already exist');

const isUncertain = (error: unknown): boolean =>
  error === mayAlreadyExist || (isTopupError(error, 'UNKNOWN_OUTCOME') && !error.retryable);

/**
 * Places an order. After a failure, the same order is sent with the same idempotency key, so that a service that honours keys creates only
 * one order. If the service may not honour them, the order is sent again only with `isConfirmedNotPlaced`.
 */
export function usePlaceOrder() {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  async function place(request: CreateOrderRequest, { isConfirmedNotPlaced = false } = {}) {
    const text = JSON.stringify(request);
    const before = lastFailedOrder.read(text);
    if (before?.isUncertain && !isConfirmedNotPlaced) return void setError(mayAlreadyExist);
    setBusy(true);
    setError(undefined);
    try {
      const response = await client.orders.create(
        request,
        before && { idempotencyKey: before.idempotencyKey },
      );
      lastFailedOrder.clear();
      return response.data;
    } catch (failure) {
      saveFailure(text, failure);
      setError(failure);
      return undefined;
    } finally {
      setBusy(false);
    }
  }
  return { busy, error, isUncertain: isUncertain(error), place };
}

function saveFailure(request: string, failure: unknown): void {
  if (!isTopupError(failure)) return;
  const { idempotencyKey }: TopupError = failure;
  if (idempotencyKey) lastFailedOrder.write({ request, idempotencyKey, isUncertain: isUncertain(failure) });
}
