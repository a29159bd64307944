import { createHmac, timingSafeEqual } from 'node:crypto';
import type { PaymentReport, RemoteGateway } from '@topup-kit/server';

/** How this gateway shows a payment. */
interface ShownPayment {
  id: string;
  orderId: string;
  number: string;
  page: string;
  status: string;
  asked: number;
  paid: number;
  changedAt: string;
}

export function createGateway(api: string, key: string): RemoteGateway {
  // With an empty key, anybody could sign a callback.
  if (key === '') throw new Error('The key of the gateway is missing.');
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${key}` };
  // A redirect would send the request to another address.
  const options = { headers, redirect: 'error' } as const;

  /** The JSON of a response. No error repeats its text. */
  async function jsonOf(response: Response): Promise<ShownPayment> {
    if (!response.ok) throw new Error(`The gateway responded with ${response.status}.`);
    return response.json().catch(() => {
      throw new Error('The gateway did not respond with JSON.');
    });
  }

  const paymentOf = ({ id, number, page, asked }: ShownPayment, amount: number) =>
    asked === amount
      ? { reference: id, code: number, url: page }
      : { reference: id, unusable: `It asks for ${asked} instead of ${amount}.` };

  const reportOf = ({ status, asked, paid, changedAt }: ShownPayment): PaymentReport => {
    if (status === 'paid') return { status: 'paid', amount: paid, at: Date.parse(changedAt) };
    return status === 'expired' ? { status, amount: asked, at: Date.parse(changedAt) } : { status: 'open' };
  };

  return {
    kind: 'remote',
    name: 'example-pay',
    sandbox: false,
    // Methods that it doesn't take are shown as closed.
    supports: ({ group }) => group === 'QRIS' || group === 'Virtual Account',
    // This gateway closes a QRIS payment after 10 to 60 minutes.
    expiryLimits: ({ code }) => (code === 'QRIS' ? { min: 10 * 60_000, max: 60 * 60_000 } : {}),
    async checkAccess(signal) {
      const response = await fetch(`${api}/account`, { ...options, signal });
      if (!response.ok) throw new Error(`The gateway responded with ${response.status}.`);
    },
    async createPayment({ orderId, amount, method, expiresAt, customer, items }, signal) {
      const response = await fetch(`${api}/payments`, {
        method: 'POST',
        ...options,
        body: JSON.stringify({ orderId, amount, channel: method.code, expiresAt, customer, items }),
        signal,
      });
      return paymentOf(await jsonOf(response), amount);
    },
    async findPayment({ orderId, amount, ageMs }, signal) {
      const response = await fetch(`${api}/payments/by-order/${orderId}`, { ...options, signal });
      // A request that timed out may still create the payment: this gateway ends every request within a minute.
      if (response.status === 404 && ageMs > 60_000) return { state: 'absent' };
      return { state: 'found', payment: paymentOf(await jsonOf(response), amount) };
    },
    // At most one question about a payment in 30 seconds.
    checkIntervalMs: 30_000,
    async checkPayment({ reference }, signal) {
      const response = await fetch(`${api}/payments/${reference}`, { ...options, signal });
      return reportOf(await jsonOf(response));
    },
    callbacks: {
      read({ headers: sent, body }) {
        // On the bytes that were sent, and in constant time.
        const expected = createHmac('sha256', key).update(body).digest();
        const signature = Buffer.from(sent['x-signature'] ?? '', 'hex');
        if (signature.length !== expected.length || !timingSafeEqual(signature, expected))
          return { state: 'rejected', status: 401, reason: 'The signature is wrong.' };
        const payment: ShownPayment = JSON.parse(new TextDecoder().decode(body));
        const { id: reference, orderId } = payment;
        return { state: 'event', event: { reference, orderId, report: reportOf(payment), confirm: false } };
      },
      respond(outcome, status = 400) {
        if (outcome === 'rejected') return { status, body: { ok: false } };
        return outcome === 'failed'
          ? { status: 503, body: { ok: false } }
          : { status: 200, body: { ok: true } };
      },
    },
  };
}
