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
  type FakeCases,
  outcomeWithin,
  startingEach,
} from './adapter.ts';
import { assert, assertEqual, loggedText, rejectionOf } from './assertions.ts';

/**
 * A failure of the next request for a payment. `lost-response`: it succeeds, but the connection closes without a response. `error-500`: it
 * fails with a 500. `no-response`: it succeeds, but the response never arrives.
 */
export type GatewayFault = 'lost-response' | 'error-500' | 'no-response';

/** A fake of a gateway's service, which adapter tests control from outside. */
export interface FakeGateway {
  /** The adapter, which creates its payments at this fake. */
  gateway: RemoteGateway;
  /** A payment that the fake accepts. Change the order id for a second payment. */
  request: PaymentRequest;
  /** A payment that the fake rejects, if the adapter returns `rejected` for it. */
  rejected?: PaymentRequest;
  /** Secrets that no error may contain, such as keys. */
  secrets: readonly string[];
  /** False if the gateway doesn't return payment data again, so that `findPayment` can only report the payment as unusable. */
  showsAgain?: boolean;
  /** Makes the next request for a payment fail. */
  fail(fault: GatewayFault): Promise<void> | void;
  /** Gives every open payment this outcome. `paid` means paid in full, before its expiry. */
  settle(outcome: 'paid' | 'expired'): Promise<void> | void;
  /** Counts created payments, whatever their outcome. */
  countPayments(): Promise<number> | number;
  /** Returns the fake's newest callback. Required if the adapter has `callbacks`. */
  readCallback?(): Promise<CallbackRequest | undefined> | CallbackRequest | undefined;
  close(): Promise<void> | void;
}

/** A required behaviour of every gateway; `run` throws if the adapter behaves differently. */
export type GatewayTestCase = AdapterCase;

/** Times in milliseconds: until a call is aborted, and for which it may continue after that. */
const abortMs = 200;
const graceMs = 2_000;

/** Age of a new request, and of a request that has certainly ended, in milliseconds. */
const young = 0;
const old = 86_400_000;

async function create(
  { gateway, request }: FakeGateway,
  changes: Partial<PaymentRequest> = {},
): Promise<Payment> {
  const asked = { ...request, ...changes };
  const created = readPayment(await gateway.createPayment(asked, callSignal()), asked.method);
  if (created.state === 'found') return created.payment;
  throw created.error;
}

/** Returns the error of a request that may have succeeded. */
async function createError({ gateway, request }: FakeGateway): Promise<unknown> {
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
  { gateway, request }: FakeGateway,
  { orderId = request.orderId, amount = request.amount, ageMs = young } = {},
): Promise<ReturnType<typeof readFoundPayment>> {
  const payment = await gateway.findPayment({ orderId, amount, ageMs }, callSignal());
  return readFoundPayment(payment, request.method);
}

/** Expects the created payment, as far as the gateway returns its data again. */
function assertFound(
  { showsAgain = true }: FakeGateway,
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

/** Checks a payment; null if the adapter can't check payments. */
async function check(
  { gateway, request: { orderId, amount } }: FakeGateway,
  reference: string,
): Promise<PaymentReport | null> {
  if (!gateway.checkPayment) return null;
  return readPaymentReport(await gateway.checkPayment({ orderId, reference, amount }, callSignal()));
}

async function assertPayments(fake: FakeGateway, count: number, when: string): Promise<void> {
  assertEqual(await fake.countPayments(), count, `the payments ${when}`);
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
const cases: FakeCases<FakeGateway> = {
  'its name fits into an address, and it takes the payment method within limits that make sense': async ({
    gateway,
    request: { method },
  }) => {
    assertName(gateway.name);
    assert(gateway.supports?.(method) !== false, `supports: it must take ${method.code}`);
    const { min = 0, max = Number.POSITIVE_INFINITY } = gateway.expiryLimits?.(method) ?? {};
    assert(min >= 0 && min <= max && max > 0, 'expiryLimits: nothing is between min and max');
  },
  'a payment is created once, can be paid by something, and is found again': async (fake) => {
    const payment = await create(fake);
    assertFound(fake, await find(fake), payment, 'what findPayment returns');
    await assertPayments(fake, 1, 'after createPayment and findPayment');
  },
  'payments of two orders are kept apart': async (fake) => {
    const orderId = fake.request.orderId.replace(/.$/, (last) => (last === 'Z' ? 'Y' : 'Z'));
    const [first, second] = [await create(fake), await create(fake, { orderId })];
    assert(first.reference !== second.reference, 'reference: two payments have the same one');
    assertFound(fake, await find(fake), first, 'the payment of the first order');
    assertFound(fake, await find(fake, { orderId }), second, 'the payment of the second order');
  },
  'a payment whose response is lost exists once, and its reference is found': async (fake) => {
    await fake.fail('lost-response');
    await createError(fake);
    await assertPayments(fake, 1, 'after createPayment');
    const found = await find(fake);
    assert(found.state !== 'absent', 'findPayment: the payment exists');
    const reference = found.state === 'found' ? found.payment.reference : found.reference;
    assert(reference !== null, 'findPayment: it must return the reference');
    await assertPayments(fake, 1, 'after findPayment');
  },
  'a payment is absent only when its request can create it no more': async (fake) => {
    await fake.fail('error-500');
    await createError(fake);
    await assertPayments(fake, 0, 'after createPayment');
    await rejectionOf(find(fake), 'findPayment of a request that may still be on its way');
    assertEqual(
      await find(fake, { ageMs: old }),
      { state: 'absent' },
      'what findPayment returns a day later',
    );
    await assertPayments(fake, 0, 'after findPayment');
  },
  'a payment that is rejected does not exist, and its rejection tells no secret': async (fake) => {
    const { gateway, rejected, secrets } = fake;
    if (!rejected) return;
    const created = readCreatedPayment(await gateway.createPayment(rejected, callSignal()), rejected.method);
    assert(created.state === 'rejected', 'createPayment: it must return `rejected`');
    const text = loggedText(created.error);
    assert(!secrets.some((secret) => text.includes(secret)), 'rejected: a secret is in it');
    await assertPayments(fake, 0, 'after a rejection');
  },
  'a payment of another amount than the order is never returned as one to pay': async (fake) => {
    const { reference } = await create(fake);
    const found = await find(fake, { amount: fake.request.amount + 1 });
    assert(found.state === 'unreadable', 'findPayment: it must return the payment as unusable');
    assertEqual(found.reference, reference, 'the reference of the unusable payment');
  },
  'a request ends when its signal is aborted': async (fake) => {
    await fake.fail('no-response');
    const call = fake.gateway.createPayment(fake.request, AbortSignal.timeout(abortMs));
    const outcome = await outcomeWithin(call, abortMs + graceMs);
    assertEqual(outcome, 'rejected', 'createPayment soon after its signal is aborted');
  },
  ...Object.fromEntries(
    (['paid', 'expired'] as const).map((outcome) => [
      `a payment is open until it is ${outcome}`,
      async (fake: FakeGateway) => {
        const { reference } = await create(fake);
        if (!fake.gateway.checkPayment) return;
        assertEqual(await check(fake, reference), { status: 'open' }, 'the report of a new payment');
        await fake.settle(outcome);
        const report = await check(fake, reference);
        if (report && outcome === 'paid') assertPaid(report, fake.request, 'a paid payment');
        else assertEqual(report?.status, outcome, 'the status of the payment');
      },
    ]),
  ),
  'there is no report of a payment that does not exist': async (fake) => {
    if (!fake.gateway.checkPayment) return;
    await rejectionOf(check(fake, 'no-such-payment'), 'checkPayment');
  },
  'no error tells a secret': async (fake) => {
    for (const fault of ['error-500', 'lost-response'] as const) {
      await fake.fail(fault);
      const text = loggedText(await createError(fake));
      assertNoSecret(fake.secrets, text, fault);
    }
  },
  'a callback names its payment, and a forged one proves nothing': async (fake) => {
    const { gateway, request, readCallback } = fake;
    if (!gateway.callbacks) return;
    assert(readCallback !== undefined, 'readCallback: the adapter has callbacks, so the fake needs it');
    const { reference } = await create(fake);
    await fake.settle('paid');
    const callback = await readCallback();
    assert(callback !== undefined, 'readCallback: the fake must send one when a payment is paid');
    const genuine = gateway.callbacks.read(callback);
    assert(genuine.state === 'event', `a genuine callback must be an event, and is ${genuine.state}`);
    const { event } = genuine;
    assertEqual(event.reference, reference, 'the reference of a callback');
    assert(
      event.orderId === null || event.orderId === request.orderId,
      'the order of a callback is another one',
    );
    assert(!event.confirm || gateway.checkPayment !== undefined, 'confirm: it needs checkPayment');
    assertPaid(readPaymentReport(event.report), request, 'a callback');

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
    for (const [what, callback] of forged) {
      const reading = gateway.callbacks.read(callback);
      assert(
        reading.state !== 'event' || reading.event.confirm,
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
 * for (const { name, run } of gatewayCases(startFake)) test(name, run);
 */
export const gatewayCases = (start: () => Promise<FakeGateway> | FakeGateway): readonly GatewayTestCase[] =>
  startingEach(cases, start);
