import { isTopupError, type OrderRequest, type TopupError } from '@topup-kit/sdk';
import { useState } from 'react';
import { client } from '../client.ts';

const stored = 'kilat:uncertain';

/** An order that ended in a failure, as it was asked for. */
interface Failed {
  request: string;
  idempotencyKey: string;
  /** It may have been made, and sent again it may be made twice. */
  isUncertain: boolean;
}

/** The last order that failed. It lasts as long as the tab: an order may have been made before a reload. */
const lastFailed = {
  read(request: string): Failed | undefined {
    try {
      const failed: Failed | null = JSON.parse(sessionStorage.getItem(stored) ?? 'null');
      return failed?.request === request ? failed : undefined;
    } catch {
      return undefined;
    }
  },
  write: (failed: Failed): void => sessionStorage.setItem(stored, JSON.stringify(failed)),
  clear: (): void => sessionStorage.removeItem(stored),
};

/** Why an order is not sent: the same one may have been made before, and the service may make another of it. */
const mayBeMade = Symbol('may be made');

const isUncertain = (error: unknown): boolean =>
  error === mayBeMade || (isTopupError(error, 'UNKNOWN_OUTCOME') && !error.retryable);

/**
 * Places an order. Asked for the same one again after a failure it sends the same key, so that a service that honours
 * keys makes one order of both; where that isn't known, it sends it again only when told that there is none.
 */
export function useOrderPlacing() {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  async function place(request: OrderRequest, { isKnownNotMade = false } = {}) {
    const text = JSON.stringify(request);
    const before = lastFailed.read(text);
    if (before?.isUncertain && !isKnownNotMade) return void setError(mayBeMade);
    setBusy(true);
    setError(undefined);
    try {
      const answer = await client.orders.create(request, before && { idempotencyKey: before.idempotencyKey });
      lastFailed.clear();
      return answer.data;
    } catch (failure) {
      note(text, failure);
      setError(failure);
      return undefined;
    } finally {
      setBusy(false);
    }
  }
  return { busy, error, isUncertain: isUncertain(error), place };
}

function note(request: string, failure: unknown): void {
  if (!isTopupError(failure)) return;
  const { idempotencyKey }: TopupError = failure;
  if (idempotencyKey) lastFailed.write({ request, idempotencyKey, isUncertain: isUncertain(failure) });
}
