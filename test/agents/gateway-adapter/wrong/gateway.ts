// Says that there is no payment while its request may still be on its way.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { PaymentReport, RemoteGateway } from '@topup-kit/server';

interface Invoice {
  invoice_no: string;
  external_id: string;
  amount: string;
  va_number: string;
  pay_page: string;
  state: string;
  paid_amount: string | null;
  changed_at: number | null;
}

export function createGateway(api: string, key: string): RemoteGateway {
  const headers = { 'Content-Type': 'application/json', 'X-Kasir-Key': key };

  const paymentOf = ({ invoice_no, amount, va_number, pay_page }: Invoice, wanted: number) =>
    Number(amount) === wanted
      ? { reference: invoice_no, code: va_number, url: pay_page }
      : { reference: invoice_no, unusable: `It asks for ${amount} instead of ${wanted}.` };

  const reportOf = ({ state, amount, paid_amount, changed_at }: Invoice): PaymentReport => {
    const at = (changed_at ?? 0) * 1000;
    if (state === 'SETTLED') return { status: 'paid', amount: Number(paid_amount), at };
    if (state === 'LAPSED') return { status: 'expired', amount: Number(amount), at };
    if (state === 'WAITING') return { status: 'open' };
    throw new Error(`Kasir has the unknown state ${state}.`);
  };

  async function read(path: string, signal: AbortSignal) {
    const response = await fetch(`${api}/v2/invoices${path}`, { headers, signal });
    if (!response.ok) throw new Error(`Kasir responded with ${response.status}.`);
    return response.json();
  }

  return {
    kind: 'remote',
    name: 'kasir',
    sandbox: false,
    supports: ({ group }) => group === 'Virtual Account',
    async createPayment({ orderId, amount, method, expiresAt }, signal) {
      const response = await fetch(`${api}/v2/invoices`, {
        method: 'POST',
        headers,
        body: JSON.stringify({
          external_id: orderId,
          amount: `${amount}.00`,
          channel: method.code,
          expires: Math.floor(expiresAt / 1000),
        }),
        signal,
      });
      if (response.status === 422) return { rejected: String((await response.json()).reason) };
      if (!response.ok) throw new Error(`Kasir responded with ${response.status}.`);
      return paymentOf(await response.json(), amount);
    },
    async findPayment({ orderId, amount }, signal) {
      const { invoices } = await read(`?external_id=${encodeURIComponent(orderId)}`, signal);
      const [invoice] = invoices;
      if (invoice) return { state: 'found', payment: paymentOf(invoice, amount) };
      return { state: 'absent' };
    },
    async checkPayment({ reference }, signal) {
      return reportOf(await read(`/${encodeURIComponent(reference)}`, signal));
    },
    callbacks: {
      read({ headers: sent, body }) {
        const expected = createHmac('sha256', key).update(body).digest();
        const signature = Buffer.from((sent['x-kasir-signature'] ?? '').replace(/^sha256=/, ''), 'hex');
        if (signature.length !== expected.length || !timingSafeEqual(signature, expected))
          return { state: 'rejected', status: 401, reason: 'The signature is wrong.' };
        const invoice: Invoice = JSON.parse(new TextDecoder().decode(body));
        const { invoice_no: reference, external_id: orderId } = invoice;
        return { state: 'event', event: { reference, orderId, report: reportOf(invoice), confirm: false } };
      },
      respond(outcome, status = 400) {
        if (outcome === 'rejected') return { status, body: { received: false } };
        return outcome === 'failed'
          ? { status: 503, body: { received: false } }
          : { status: 200, body: { received: true } };
      },
    },
  };
}
