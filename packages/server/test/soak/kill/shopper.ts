import { sandboxKey } from '@topup-kit/core/engine';
import { fixtureOrder } from '../../helpers/sandbox.ts';

/** An order as a client knows it. */
export interface Known {
  idempotencyKey: string;
  /** The 201 as it was received; null when the server was killed before it came. */
  created: string | null;
  orderId: string | null;
  /** Whether the client sent a payment, and whether it was told that the order is paid. */
  payment: 'none' | 'sent' | 'acknowledged';
}

/** Sends an order; gives the body of the 201. */
export async function place(baseUrl: string, idempotencyKey: string): Promise<string> {
  const response = await fetch(`${baseUrl}/order`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'X-API-KEY': sandboxKey,
      'Idempotency-Key': idempotencyKey,
    },
    body: JSON.stringify({ ...fixtureOrder, promo_code: undefined, id: idempotencyKey }),
  });
  const text = await response.text();
  if (response.status !== 201) throw new Error(`an order got ${response.status}: ${text}`);
  return text;
}

export const orderIdOf = (created: string): string => String(JSON.parse(created).orderId);

/** Pays an order as its customer. */
export async function pay(baseUrl: string, orderId: string): Promise<void> {
  const response = await fetch(new URL(`/sandbox/orders/${orderId}/pay`, baseUrl), { method: 'POST' });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`a payment got ${response.status}: ${text}`);
}

/** What fetch rejects with when the server is gone. Anything else is a fault. */
export const isGone = (error: unknown): boolean =>
  error instanceof TypeError && (error.message === 'fetch failed' || error.message === 'terminated');

/** Places orders one after another until the server is killed, and pays every second one. */
export async function shopUntilKilled(baseUrl: string, name: string, known: Known[]): Promise<void> {
  for (let count = 0; ; count += 1) {
    const one: Known = { idempotencyKey: `${name}-${count}`, created: null, orderId: null, payment: 'none' };
    known.push(one);
    try {
      one.created = await place(baseUrl, one.idempotencyKey);
      one.orderId = orderIdOf(one.created);
      if (count % 2 === 1) continue;
      one.payment = 'sent';
      await pay(baseUrl, one.orderId);
      one.payment = 'acknowledged';
    } catch (error) {
      if (isGone(error)) return;
      throw error;
    }
  }
}
