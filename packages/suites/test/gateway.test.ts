import { describe, expect, it } from 'vitest';
import { hurryWaits } from '../../../test/hurry.ts';
import type { CallbackOutcome, CallbackRequest } from '../../core/src/callback/index.ts';
import type { PaymentReport, PaymentRequest, RemoteGateway } from '../../core/src/gateway/index.ts';
import { type FakeGateway, gatewayCases } from '../src/gateway.ts';

hurryWaits();

const start = Date.UTC(2026, 4, 1, 5);
const request: PaymentRequest = {
  orderId: 'INV-1',
  amount: 40_000,
  method: { code: 'QRIS', group: 'QRIS', name: 'QRIS' },
  expiresAt: start + 60_000,
  customer: { phone: '081234567890', email: null, name: null },
  items: [{ sku: 'ML86', name: '86 Diamonds', price: 40_000, quantity: 1 }],
};

/** What an adapter does wrong; by default, nothing. */
interface Mistakes {
  repeats?: boolean;
  sameReference?: boolean;
  noCode?: boolean;
  absentTooEarly?: boolean;
  neverAbsent?: boolean;
  anyAmount?: boolean;
  ignoresSignal?: boolean;
  tellsKey?: boolean;
  rejects?: 'lost' | 'throws' | 'creates';
  report?: (report: PaymentReport) => PaymentReport;
  inventsReports?: boolean;
  skipsSignature?: boolean;
  otherReference?: boolean;
  respond?: (outcome: CallbackOutcome, status: number) => number;
  over?: Partial<RemoteGateway>;
}

/** A gateway in memory. Its callbacks are `reference amount key`. */
function startFake(mistakes: Mistakes): FakeGateway {
  const payments: { orderId: string; reference: string; amount: number; report: PaymentReport }[] = [];
  let fault: string | null = null;
  let callback: CallbackRequest | undefined;
  const show = (reference: string) => (mistakes.noCode ? { reference } : { reference, qrString: '00020101' });

  function add({ orderId, amount }: PaymentRequest): string {
    const reference = mistakes.sameReference ? 'P' : `P${payments.length + 1}`;
    payments.push({ orderId, reference, amount, report: { status: 'open' } });
    return reference;
  }

  const gateway: RemoteGateway = {
    kind: 'remote',
    name: 'memory',
    sandbox: false,
    async createPayment(asked, signal) {
      const now = fault;
      fault = null;
      const error = new Error(mistakes.tellsKey ? 'failed with s3cret' : 'failed');
      if (asked.items.length === 0) {
        if (mistakes.rejects === 'throws') throw error;
        if (mistakes.rejects === 'creates') add(asked);
        return { rejected: error.message };
      }
      if (now === 'error-500' && mistakes.rejects === 'lost') return { rejected: '500' };
      if (now === 'error-500') throw error;
      const reference = add(asked);
      if (now === null) return show(reference);
      if (mistakes.repeats) return show(add(asked));
      if (now === 'no-response' && !mistakes.ignoresSignal)
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
      if (now === 'no-response' && mistakes.ignoresSignal) await new Promise(() => {});
      throw error;
    },
    async findPayment({ orderId, amount, ageMs }) {
      const payment = payments.find((one) => one.orderId === orderId);
      if (!payment && (mistakes.neverAbsent || (ageMs < 60_000 && !mistakes.absentTooEarly)))
        throw new Error('not yet');
      if (!payment) return { state: 'absent' };
      const { reference } = payment;
      if (payment.amount !== amount && !mistakes.anyAmount)
        return { state: 'found', payment: { reference, unusable: 'another amount' } };
      return { state: 'found', payment: show(reference) };
    },
    async checkPayment({ reference }) {
      const payment = payments.find((one) => one.reference === reference);
      if (!payment && mistakes.inventsReports) return { status: 'open' };
      if (!payment) throw new Error('unknown');
      return mistakes.report?.(payment.report) ?? payment.report;
    },
    callbacks: {
      read({ body }) {
        const [reference = '', amount = '', key] = new TextDecoder().decode(body).split(' ');
        if (key !== 's3cret' && !mistakes.skipsSignature)
          return { state: 'rejected', status: 401, reason: 'key' };
        return {
          state: 'event',
          event: {
            reference: mistakes.otherReference ? 'P0' : reference,
            orderId: null,
            report: { status: 'paid', amount: Number(amount), at: start },
            confirm: !mistakes.skipsSignature,
          },
        };
      },
      respond(outcome, status = 400) {
        const statuses: Partial<Record<CallbackOutcome, number>> = { rejected: status, failed: 503 };
        return { status: mistakes.respond?.(outcome, status) ?? statuses[outcome] ?? 200, body: null };
      },
    },
    ...mistakes.over,
  };

  return {
    gateway,
    request,
    rejected: { ...request, items: [] },
    secrets: ['s3cret'],
    fail(next) {
      fault = next;
    },
    settle(status) {
      for (const payment of payments) payment.report = { status, amount: payment.amount, at: start };
      const body = `${payments[0]?.reference} ${payments[0]?.amount} s3cret`;
      callback = { headers: {}, body: new TextEncoder().encode(body) };
    },
    countPayments: () => payments.length,
    readCallback: () => callback,
    close() {},
  };
}

/** What the suite says of an adapter. */
async function failuresOf(start: () => FakeGateway): Promise<string> {
  const outcomes = await Promise.all(
    gatewayCases(start).map(({ name, run }) =>
      run().then(
        () => [],
        (error: Error) => [`${name}: ${error.message}`],
      ),
    ),
  );
  return outcomes.flat().join('\n');
}

const failures = (mistakes: Mistakes): Promise<string> => failuresOf(() => startFake(mistakes));

describe('the suite of gateways', () => {
  it('passes a correct adapter', async () => {
    expect(await failures({})).toBe('');
  });

  it("accepts a gateway that can't show a payment again only if the gateway says so", async () => {
    const unshown = ({ showsAgain, reference }: { showsAgain: boolean; reference?: string }) =>
      failuresOf(() => {
        const fake = startFake({});
        const { findPayment } = fake.gateway;
        const over: Partial<RemoteGateway> = {
          async findPayment(...asked) {
            const found = await findPayment(...asked);
            if (found.state === 'absent') return found;
            return { ...found, payment: { reference: reference ?? found.payment.reference, unusable: 'x' } };
          },
        };
        return { ...fake, showsAgain, gateway: { ...fake.gateway, ...over } };
      });
    expect(await unshown({ showsAgain: false })).toBe('');
    expect(await unshown({ showsAgain: true })).toContain('what findPayment returns');
    expect(await unshown({ showsAgain: false, reference: 'P0' })).toContain('the reference of');
    expect(await failuresOf(() => ({ ...startFake({}), showsAgain: false }))).toContain('must be unusable');
  });

  it('passes an adapter without status requests and callbacks', async () => {
    const withoutBoth = (): FakeGateway => {
      const fake = startFake({});
      const { checkPayment: _check, callbacks: _callbacks, ...gateway } = fake.gateway;
      return { ...fake, gateway };
    };
    expect(await failuresOf(withoutBoth)).toBe('');
  });

  const wrong = (report: PaymentReport, changes: object): PaymentReport =>
    report.status === 'paid' ? { ...report, ...changes } : report;

  const responding =
    (wrongOutcome: CallbackOutcome, wrongStatus: number) => (outcome: CallbackOutcome, status: number) => {
      if (outcome === wrongOutcome) return wrongStatus;
      return outcome === 'rejected' ? status : outcome === 'failed' ? 503 : 200;
    };

  it.concurrent.each<[string, Mistakes, string]>([
    ['has a name that fits into no address', { over: { name: 'My gateway' } }, 'name:'],
    ['does not take the method', { over: { supports: () => false } }, 'supports:'],
    [
      'has limits that nothing meets',
      { over: { expiryLimits: () => ({ min: 2, max: 1 }) } },
      'expiryLimits:',
    ],
    ['repeats a request', { repeats: true }, 'createPayment: it must reject'],
    ['gives two payments one reference', { sameReference: true }, 'reference: two payments'],
    ['gives nothing to pay by', { noCode: true }, "a payment that can't be paid"],
    [
      'says too early that there is no payment',
      { absentTooEarly: true },
      'may still be on its way: it must reject',
    ],
    ['never says that there is no payment', { neverAbsent: true }, 'absent only when'],
    ['shows a payment of another amount', { anyAmount: true }, 'it must return the payment as unusable'],
    ['ignores the signal', { ignoresSignal: true }, 'expected "rejected", got "late"'],
    ['takes a failure for a rejection', { rejects: 'lost' }, 'only when there certainly is no payment'],
    ['throws on a rejection', { rejects: 'throws' }, 'failed'],
    ['has a payment that it rejected', { rejects: 'creates' }, 'after a rejection'],
    ['tells a key in a rejection', { tellsKey: true }, 'rejected: a secret is in it'],
    ['tells a key', { tellsKey: true }, 'secrets[0] is in the error'],
    ['reports no payment as paid', { report: () => ({ status: 'open' }) }, 'expected "paid", got "open"'],
    ['reports another amount', { report: (report) => wrong(report, { amount: 1 }) }, 'the amount of'],
    ['reports seconds', { report: (report) => wrong(report, { at: start * 1000 }) }, 'unix milliseconds'],
    [
      'reports every payment as paid',
      { report: () => ({ status: 'paid', amount: 40_000, at: null }) },
      'new payment',
    ],
    ['invents reports', { inventsReports: true }, 'checkPayment: it must reject'],
    ['believes forged callbacks', { skipsSignature: true }, 'must be rejected, or be confirmed'],
    ['reads another payment from a callback', { otherReference: true }, 'the reference of a callback'],
    ['takes forged callbacks with thanks', { respond: () => 200 }, 'the status of a rejection'],
    ['loses what it could not handle', { respond: responding('failed', 200) }, 'the status of `failed`'],
    [
      'asks for all callbacks again',
      { respond: responding('applied', 500) },
      'the status of applied must be 2xx',
    ],
  ])('fails an adapter that %s', async (_what, mistakes, message) => {
    expect(await failures(mistakes)).toContain(message);
  });

  it('reveals no secret in the suite', async () => {
    expect(await failures({ tellsKey: true })).not.toContain('s3cret');
  });
});
