import type { CallbackRequest } from '@topup-kit/core/callback';
import type { PaymentReport, PaymentRequest, RemoteGateway } from '@topup-kit/core/gateway';
import {
  readCreatedPayment,
  readFoundPayment,
  readPayment,
  readPaymentReport,
} from '@topup-kit/core/gateway';
import type { Payment } from '@topup-kit/core/store';
import {
  type AdapterCase,
  assertName,
  assertNoSecret,
  assertResponses,
  callSignal,
  type DoubleCases,
  outcomeWithin,
  startingEach,
} from './adapter.ts';
import { assert, assertEqual, loggedText, rejectionOf } from './assertions.ts';

/**
 * A failure of the next request for a payment. `lost-response`: it succeeds, and its connection closes without a response. `error-500`:
 * it fails with a 500. `no-response`: it succeeds, and its response never comes.
 */
export type GatewayFault = 'lost-response' | 'error-500' | 'no-response';

/** A fake of a gateway's service, which adapter tests control from outside. */
export interface GatewayDouble {
  /** The adapter, which creates its payments at this fake. */
  gateway: RemoteGateway;
  /** A payment that the fake accepts. A second payment gets another order id. */
  request: PaymentRequest;
  /** A payment that the fake rejects, if the adapter returns `rejected` for it. */
  rejected?: PaymentRequest;
  /** Secrets that no error may contain, such as keys. */
  secrets: readonly string[];
  /** False for a gateway that doesn't repeat payment data, so that `findPayment` can only call the payment unusable. */
  showsAgain?: boolean;
  /** Makes the next request for a payment fail. */
  fail(fault: GatewayFault): Promise<void> | void;
  /** Gives every open payment this outcome; `paid` in full, before it expires. */
  settle(outcome: 'paid' | 'expired'): Promise<void> | void;
  /** Counts created payments, whatever their outcome. */
  countPayments(): Promise<number> | number;
  /** The fake's newest callback. Required if the adapter has `callbacks`. */
  readCallback?(): Promise<CallbackRequest | undefined> | CallbackRequest | undefined;
  close(): Promise<void> | void;
}

/** A behaviour of every gateway; `run` throws if the adapter behaves differently. */
export type GatewayCase = AdapterCase;

/** When a call is aborted, and how long it may continue after that, in milliseconds. */
const abortMs = 200;
const graceMs = 2_000;

/** The age of a new request, and of one that has certainly ended, in milliseconds. */
const young = 0;
const old = 86_400_000;

async function create(
  { gateway, request }: GatewayDouble,
  changes: Partial<PaymentRequest> = {},
): Promise<Payment> {
  const asked = { ...request, ...changes };
  const created = readPayment(await gateway.createPayment(asked, callSignal()), asked.method);
  if (created.state === 'found') return created.payment;
  throw created.error;
}

/** The error of a request that may have succeeded. */
async function createError({ gateway, request }: GatewayDouble): Promise<unknown> {
  const call = gateway.createPayment(request, callSignal());
  const outcome = await call.then(
    (created) => readCreatedPayment(created, request.method),
    (error: unknown) => ({ state: 'failed' as const, error }),
  );
  assert(
    outcome.state !== 'rejected',
    'createPayment: it may return `rejected` only when there certainly is no payment',
  );
  assert(outcome.state !== 'found', 'createPayment: it must reject');
  return outcome.error;
}

async function find(
  { gateway, request }: GatewayDouble,
  { orderId = request.orderId, amount = request.amount, ageMs = young } = {},
): Promise<ReturnType<typeof readFoundPayment>> {
  const payment = await gateway.findPayment({ orderId, amount, ageMs }, callSignal());
  return readFoundPayment(payment, request.method);
}

/** Expects the created payment, as far as its gateway repeats its data. */
function assertFound(
  { showsAgain = true }: GatewayDouble,
  found: Awaited<ReturnType<typeof find>>,
  payment: Payment,
  what: string,
): void {
  if (showsAgain) {
    assertEqual(found, { state: 'found', payment }, what);
    return;
  }
  assert(
    found.state === 'unreadable',
    `${what}: it must be unusable, because its gateway does not show it again`,
  );
  assertEqual(found.reference, payment.reference, `the reference of ${what}`);
}

/** Null if the adapter can't check payments. */
async function check(
  { gateway, request: { orderId, amount } }: GatewayDouble,
  reference: string,
): Promise<PaymentReport | null> {
  if (!gateway.checkPayment) return null;
  return readPaymentReport(await gateway.checkPayment({ orderId, reference, amount }, callSignal()));
}

async function assertPayments(double: GatewayDouble, count: number, when: string): Promise<void> {
  assertEqual(await double.countPayments(), count, `the payments ${when}`);
}

function assertPaid(report: PaymentReport, { amount, expiresAt }: PaymentRequest, what: string): void {
  assertEqual(report.status, 'paid', `the status of ${what}`);
  if (report.status === 'open') return;
  assertEqual(report.amount, amount, `the amount of ${what}`);
  assert(
    report.at === null || (report.at > 0 && report.at < expiresAt),
    `at: ${what} must be before its expiry, in unix milliseconds`,
  );
}

/** Rules for any adapter. */
const cases: DoubleCases<GatewayDouble> = {
  'its name fits into an address, and it takes the payment method within limits that make sense': async ({
    gateway,
    request: { method },
  }) => {
    assertName(gateway.name);
    assert(gateway.supports?.(method) !== false, `supports: it must take ${method.code}`);
    const { min = 0, max = Number.POSITIVE_INFINITY } = gateway.expiryLimits?.(method) ?? {};
    assert(min >= 0 && min <= max && max > 0, 'expiryLimits: nothing is between min and max');
  },
  'a payment is created once, can be paid by something, and is found again': async (double) => {
    const payment = await create(double);
    assertFound(double, await find(double), payment, 'what findPayment returns');
    await assertPayments(double, 1, 'after createPayment and findPayment');
  },
  'payments of two orders are kept apart': async (double) => {
    const orderId = double.request.orderId.replace(/.$/, (last) => (last === 'Z' ? 'Y' : 'Z'));
    const [first, second] = [await create(double), await create(double, { orderId })];
    assert(first.reference !== second.reference, 'reference: two payments have the same one');
    assertFound(double, await find(double), first, 'the payment of the first order');
    assertFound(double, await find(double, { orderId }), second, 'the payment of the second order');
  },
  'a payment whose response is lost exists once, and its reference is found': async (double) => {
    await double.fail('lost-response');
    await createError(double);
    await assertPayments(double, 1, 'after createPayment');
    const found = await find(double);
    assert(found.state !== 'absent', 'findPayment: the payment exists');
    const reference = found.state === 'found' ? found.payment.reference : found.reference;
    assert(reference !== null, 'findPayment: it must return the reference');
    await assertPayments(double, 1, 'after findPayment');
  },
  'a payment is absent only when its request can create it no more': async (double) => {
    await double.fail('error-500');
    await createError(double);
    await assertPayments(double, 0, 'after createPayment');
    await rejectionOf(find(double), 'findPayment of a request that may still be on its way');
    assertEqual(
      await find(double, { ageMs: old }),
      { state: 'absent' },
      'what findPayment returns a day later',
    );
    await assertPayments(double, 0, 'after findPayment');
  },
  'a payment that is rejected does not exist, and its rejection tells no secret': async (double) => {
    const { gateway, rejected, secrets } = double;
    if (!rejected) return;
    const created = readCreatedPayment(await gateway.createPayment(rejected, callSignal()), rejected.method);
    assert(created.state === 'rejected', 'createPayment: it must return `rejected`');
    const text = loggedText(created.error);
    assert(!secrets.some((secret) => text.includes(secret)), 'rejected: a secret is in it');
    await assertPayments(double, 0, 'after a rejection');
  },
  'a payment of another amount than the order is never returned as one to pay': async (double) => {
    const { reference } = await create(double);
    const found = await find(double, { amount: double.request.amount + 1 });
    assert(found.state === 'unreadable', 'findPayment: it must return the payment as unusable');
    assertEqual(found.reference, reference, 'the reference of the unusable payment');
  },
  'a request ends when its signal is aborted': async (double) => {
    await double.fail('no-response');
    const call = double.gateway.createPayment(double.request, AbortSignal.timeout(abortMs));
    const outcome = await outcomeWithin(call, abortMs + graceMs);
    assertEqual(outcome, 'rejected', 'createPayment soon after its signal is aborted');
  },
  ...Object.fromEntries(
    (['paid', 'expired'] as const).map((outcome) => [
      `a payment is open until it is ${outcome}`,
      async (double: GatewayDouble) => {
        const { reference } = await create(double);
        if (!double.gateway.checkPayment) return;
        assertEqual(await check(double, reference), { status: 'open' }, 'the report of a new payment');
        await double.settle(outcome);
        const report = await check(double, reference);
        if (report && outcome === 'paid') assertPaid(report, double.request, 'a paid payment');
        else assertEqual(report?.status, outcome, 'the status of the payment');
      },
    ]),
  ),
  'there is no report of a payment that does not exist': async (double) => {
    if (!double.gateway.checkPayment) return;
    await rejectionOf(check(double, 'no-such-payment'), 'checkPayment');
  },
  'no error tells a secret': async (double) => {
    for (const fault of ['error-500', 'lost-response'] as const) {
      await double.fail(fault);
      const text = loggedText(await createError(double));
      assertNoSecret(double.secrets, text, fault);
    }
  },
  'a callback names its payment, and a forged one proves nothing': async (double) => {
    const { gateway, request, readCallback } = double;
    if (!gateway.callbacks) return;
    assert(readCallback !== undefined, 'readCallback: the adapter has callbacks, so the double needs it');
    const { reference } = await create(double);
    await double.settle('paid');
    const callback = await readCallback();
    assert(callback !== undefined, 'readCallback: the double must send one when a payment is paid');
    const genuine = gateway.callbacks.read(callback);
    assert(genuine.state === 'news', `a genuine callback must be news, and is ${genuine.state}`);
    const { news } = genuine;
    assertEqual(news.reference, reference, 'the reference of a callback');
    assert(
      news.orderId === null || news.orderId === request.orderId,
      'the order of a callback is another one',
    );
    assert(!news.confirm || gateway.checkPayment !== undefined, 'confirm: it needs checkPayment');
    assertPaid(readPaymentReport(news.report), request, 'a callback');

    const text = new TextDecoder().decode(callback.body);
    const forgedAmount = text.replaceAll(String(request.amount), String(request.amount + 1));
    const forged: [string, CallbackRequest][] = [
      ['without headers', { ...callback, headers: {} }],
      ['with another amount', { ...callback, body: new TextEncoder().encode(forgedAmount) }],
      ['with a longer body', { ...callback, body: new Uint8Array([...callback.body, 0x20]) }],
      ...['', 'null', '[]', 'reference=1'].map((body): [string, CallbackRequest] => [
        `with the body "${body}"`,
        { ...callback, body: new TextEncoder().encode(body) },
      ]),
    ];
    for (const [what, one] of forged) {
      const reading = gateway.callbacks.read(one);
      assert(
        reading.state !== 'news' || reading.news.confirm,
        `a callback ${what} must be rejected, or be confirmed by checkPayment`,
      );
    }
  },
  'a response to a callback asks for it again only when it could not be handled': async ({
    gateway: { callbacks },
  }) => {
    if (callbacks) assertResponses(callbacks, ['unmatched', 'rejected', 'failed']);
  },
};

/**
 * Cases for the behaviour of a gateway's adapter that the engine relies on, for any test runner. Each case starts its own fake.
 *
 * @example
 * for (const { name, run } of gatewayCases(startDouble)) test(name, run);
 */
export const gatewayCases = (start: () => Promise<GatewayDouble> | GatewayDouble): readonly GatewayCase[] =>
  startingEach(cases, start);
