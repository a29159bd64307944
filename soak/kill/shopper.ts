import { sandboxKey } from '@topup-kit/core/contract';
import { fixtureOrder } from '../../packages/server/test/helpers/sandbox.ts';

/** Order as a client knows it. */
export interface Known {
  idempotencyKey: string;
  /** Received 201 response; null if the server was killed before it was received. */
  created: string | null;
  orderId: string | null;
  /** State of the payment: whether the client sent it, and whether the response said that the order is paid. */
  payment: 'none' | 'sent' | 'acknowledged';
}

/** Error for a response that a request must not get while nothing is broken. */
export class UnexpectedStatus extends Error {
  readonly status: number;
  constructor(what: string, status: number, body: string) {
    super(`${what} got ${status}: ${body}`);
    this.status = status;
  }
}

/** Sends an order. Returns the body of the 201 response. */
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
  if (response.status !== 201) throw new UnexpectedStatus('an order', response.status, text);
  return text;
}

export const orderIdOf = (created: string): string => String(JSON.parse(created).orderId);

/** Pays an order as a customer. */
export async function pay(baseUrl: string, orderId: string): Promise<void> {
  const response = await fetch(new URL(`/sandbox/orders/${orderId}/pay`, baseUrl), { method: 'POST' });
  const text = await response.text();
  if (response.status !== 200) throw new UnexpectedStatus('a payment', response.status, text);
}

/** Tells whether fetch rejected because the server is gone. Any other error is a fault. */
export const isGone = (error: unknown): boolean =>
  error instanceof TypeError && (error.message === 'fetch failed' || error.message === 'terminated');

/** Places orders, and pays every second order of a client. */
export async function shop(baseUrl: string, client: string, count: number, known: Known[]): Promise<void> {
  const idempotencyKey = `${client}-${count}`;
  const one: Known = { idempotencyKey, created: null, orderId: null, payment: 'none' };
  known.push(one);
  one.created = await place(baseUrl, one.idempotencyKey);
  one.orderId = orderIdOf(one.created);
  if (count % 2 === 1) return;
  one.payment = 'sent';
  await pay(baseUrl, one.orderId);
  one.payment = 'acknowledged';
}

/** Places orders one after another until the server is killed. */
export async function shopUntilKilled(baseUrl: string, client: string, known: Known[]): Promise<void> {
  try {
    for (let count = 0; ; count += 1) await shop(baseUrl, client, count, known);
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}
