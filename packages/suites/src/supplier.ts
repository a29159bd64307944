import type { CallbackRequest } from '@topup-kit/core/callback';
import type { FindPurchaseResult, PurchaseRequest, PurchaseResult, Supplier } from '@topup-kit/core/supplier';
import { parseFindPurchaseResult, parsePurchaseResult } from '@topup-kit/core/supplier';
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
 * A failure of the next request for a purchase. `lost-response`: it succeeds, but the connection closes without a response. `error-500`: it
 * fails with a 500. `no-response`: it succeeds, but the response never arrives.
 */
export type SupplierFault = 'lost-response' | 'error-500' | 'no-response';

export const supplierRejections = ['address', 'key', 'balance', 'maintenance', 'limit', 'unknown'] as const;
export type SupplierRejection = (typeof supplierRejections)[number];

/** A fake of a supplier's service, which adapter tests control from outside. */
export interface FakeSupplier {
  /** The adapter, which buys from this fake. */
  supplier: Supplier;
  /** A purchase that the fake accepts. It has no outcome before `settle`. */
  request: PurchaseRequest;
  /** Secrets that no error may contain, such as keys. */
  secrets: readonly string[];
  /** Makes the next request for a purchase fail. */
  fail(fault: SupplierFault): Promise<void> | void;
  /** Gives every purchase this outcome. */
  settle(outcome: 'delivered' | 'failed'): Promise<void> | void;
  /** Counts purchases, whatever their outcome. */
  countPurchases(): Promise<number> | number;
  /** Moves the fake's time ahead by a number of milliseconds. */
  advance(ms: number): Promise<void> | void;
  /**
   * Creates an adapter whose purchases are rejected for a cause, with the supplier's own text: a forbidden address, a wrong key, a low
   * balance, maintenance, too many requests, or an unknown text.
   */
  rejecting?(cause: SupplierRejection): Promise<Supplier> | Supplier;
  /** An adapter whose service can't be reached. */
  unreachable?: Supplier;
  /** Makes the list of products unreadable from now on. Required if purchases need the list. */
  failList?(): Promise<void> | void;
  /** Returns the fake's newest callback. Required if the adapter has `callbacks`. */
  readCallback?(): Promise<CallbackRequest | undefined> | CallbackRequest | undefined;
  close(): Promise<void> | void;
}

/** A required behaviour of every supplier; `run` throws if the adapter behaves differently. */
export type SupplierCase = AdapterCase;

/** Time after which a call is aborted, in milliseconds. */
const abortMs = 1_000;

const submit = async (
  { supplier, request }: FakeSupplier,
  changes: Partial<PurchaseRequest> = {},
): Promise<PurchaseResult> =>
  parsePurchaseResult(await supplier.submit({ ...request, ...changes }, callSignal()));

/** Waits as long as the adapter requires, then looks up the purchase. */
async function find(
  { supplier, request, advance }: FakeSupplier,
  { supplierId = null }: { supplierId?: string | null | undefined } = {},
): Promise<FindPurchaseResult> {
  await advance(supplier.abilities.findIntervalMs);
  const question = { ...request, supplierId };
  return parseFindPurchaseResult(await supplier.find(question, callSignal()));
}

async function assertPurchases(fake: FakeSupplier, count: number, when: string): Promise<void> {
  assertEqual(await fake.countPurchases(), count, `the purchases ${when}`);
}

/** Rules for any adapter. */
const cases: FakeCases<FakeSupplier> = {
  'its name fits into an address, and its abilities make sense': async ({
    supplier: { name, abilities },
  }) => {
    const { findBy, findIntervalMs, referenceLifetimeMs } = abilities;
    assertName(name);
    assert(['reference', 'supplierId', 'none'].includes(findBy), 'findBy: it has no meaning');
    assert(Number.isSafeInteger(findIntervalMs) && findIntervalMs >= 0, 'findIntervalMs: not milliseconds');
    assert(
      referenceLifetimeMs === null || referenceLifetimeMs > findIntervalMs,
      'referenceLifetimeMs: nothing can be looked up when it is not longer than findIntervalMs',
    );
  },
  ...Object.fromEntries(
    (['delivered', 'failed'] as const).map((outcome) => [
      `a purchase is made once, looked up, and ${outcome} in the end`,
      async (fake: FakeSupplier) => {
        const { findBy } = fake.supplier.abilities;
        const submitted = await submit(fake);
        assertEqual(submitted.state, 'pending', 'the state of a purchase without an outcome');
        await assertPurchases(fake, 1, 'after one was submitted');
        if (findBy === 'none') return;
        if (findBy === 'supplierId')
          assert(submitted.supplierId !== undefined, 'submit: it must return the id by which find looks up');
        assertEqual((await find(fake, submitted)).state, 'pending', 'the state that find returns');
        await fake.settle(outcome);
        const found = await find(fake, submitted);
        assertEqual(found.state, outcome, 'the state that find returns in the end');
        if (found.state === 'failed') assert(found.reason !== '', 'reason: an operator needs to know it');
        await assertPurchases(fake, 1, 'after find');
      },
    ]),
  ),
  ...Object.fromEntries(
    (['lost-response', 'error-500'] as const).map((fault) => [
      `a purchase without a readable response rejects, and is never made twice: ${fault}`,
      async (fake: FakeSupplier) => {
        await fake.fail(fault);
        await rejectionOf(submit(fake), 'submit');
        await assertPurchases(fake, fault === 'lost-response' ? 1 : 0, 'after submit');
        if (fake.supplier.abilities.findBy !== 'reference') return;
        // `find` rejects if it is not certain that the purchase was never made.
        const { state } = await find(fake).catch(() => ({ state: 'rejected' }) as const);
        const isMade = state === 'pending' || state === 'delivered';
        await assertPurchases(fake, isMade ? 1 : 0, `when the state that find returns is ${state}`);
      },
    ]),
  ),
  'a question without a response does no harm: the next one finds the purchase': async (fake) => {
    if (fake.supplier.abilities.findBy !== 'reference') return;
    await submit(fake);
    await fake.fail('lost-response');
    // A look-up that doesn't send a purchase request succeeds.
    await find(fake).catch(() => null);
    await fake.settle('delivered');
    assertEqual((await find(fake)).state, 'delivered', 'the state that find returns');
    await assertPurchases(fake, 1, 'after find');
  },
  'a request ends when its signal is aborted': async (fake) => {
    await fake.fail('no-response');
    const call = fake.supplier.submit(fake.request, AbortSignal.timeout(abortMs));
    const outcome = await outcomeWithin(call, 3 * abortMs);
    assert(outcome !== 'late', 'submit: it must reject soon after its signal is aborted');
    if (outcome !== 'rejected') {
      const result = parsePurchaseResult(outcome);
      const isUnbought = result.state === 'failed' || (result.state === 'pending' && result.waitsFor);
      assert(Boolean(isUnbought), `submit: an aborted purchase can't be ${result.state}`);
      await assertPurchases(fake, 0, 'when submit says that nothing was bought');
    }
  },
  ...Object.fromEntries(
    supplierRejections.map((cause) => [
      `a purchase that is rejected does not fail for a cause that passes, and says it: ${cause}`,
      async ({ rejecting, request }: FakeSupplier) => {
        const supplier = await rejecting?.(cause);
        if (!supplier) return;
        const submitted = supplier.submit(request, callSignal());
        if (cause === 'unknown') return void (await rejectionOf(submitted, 'submit'));
        const result = parsePurchaseResult(await submitted);
        assertEqual(result.state, 'pending', 'the state of the purchase');
        if (result.state !== 'pending') return;
        assert(result.waitsFor !== undefined, 'waitsFor: nothing was bought');
        assertEqual(result.waitsFor === 'balance', cause === 'balance', 'whether it waits for the balance');
        assert((result.reason ?? '') !== '', 'reason: an operator needs to know it');
      },
    ]),
  ),
  'a purchase waits while its supplier can not be reached': async ({ unreachable, request }) => {
    if (!unreachable) return;
    const result = parsePurchaseResult(await unreachable.submit(request, callSignal()));
    assertEqual(
      [result.state, result.state === 'pending' && result.waitsFor],
      ['pending', 'supplier'],
      'a purchase that was not sent',
    );
  },
  "a list that can't be read fails no purchase, and the last one serves for minutes": async (fake) => {
    if (!fake.failList) return;
    const { supplier, request } = fake;
    await supplier.readProducts?.(callSignal());
    await fake.failList();
    const waits = (result: PurchaseResult, why: string): void =>
      assert(result.state === 'pending' && result.waitsFor === 'supplier', `waitsFor: ${why}`);
    waits(await submit(fake, { maxPrice: 1 }), 'what is too dear by the last list');
    await assertPurchases(fake, 0, 'above maxPrice');
    assertEqual(await submit(fake).then(({ state }) => state), 'pending', 'the state of a purchase');
    await assertPurchases(fake, 1, 'by the last list');
    await fake.advance(60 * 60_000);
    waits(await submit(fake, { reference: `${request.reference}9` }), 'an old list serves no more');
    await assertPurchases(fake, 1, 'on an old list');
  },
  'nothing is bought above its highest price': async (fake) => {
    const result = await submit(fake, { maxPrice: 1 }).catch(() => null);
    await assertPurchases(fake, 0, 'above maxPrice');
    assert(result === null || result.state === 'failed', 'submit: what is too dear must fail or reject');
  },
  'no error tells a secret': async (fake) => {
    for (const fault of ['error-500', 'lost-response'] as const) {
      await fake.fail(fault);
      const text = loggedText(await rejectionOf(submit(fake), 'submit'));
      assertNoSecret(fake.secrets, text, fault);
      await fake.advance(fake.supplier.abilities.findIntervalMs);
    }
  },
  'products and balance are whole numbers, and the product of the purchase is available': async ({
    supplier,
    request,
  }) => {
    const products = await supplier.readProducts?.(callSignal());
    if (products) {
      const product = products.find(({ code }) => code === request.productCode);
      assert(product?.isAvailable === true, `products: ${request.productCode} must be available`);
      assertEqual(new Set(products.map(({ code }) => code)).size, products.length, 'the different codes');
      for (const { stock, pause } of products) {
        assert(stock === null || (Number.isSafeInteger(stock) && stock >= 0), 'stock: not a whole number');
        assert(pause === null || pause.from < pause.until, 'pause: it ends before it begins');
      }
    }
    const balance = await supplier.readBalance?.(callSignal());
    assert(balance === undefined || Number.isSafeInteger(balance), 'balance: not a whole number');
  },
  'a callback names its purchase, and a forged one proves nothing': async (fake) => {
    const { supplier, request, readCallback } = fake;
    if (!supplier.callbacks) return;
    assert(readCallback !== undefined, 'readCallback: the adapter has callbacks, so the fake needs it');
    const { supplierId } = await submit(fake);
    await fake.settle('delivered');
    await fake.advance(0);
    const callback = await readCallback();
    assert(callback !== undefined, 'readCallback: the fake must send one when a purchase is settled');
    const genuine = supplier.callbacks.read(callback);
    assert(genuine.state === 'event', `a genuine callback must be an event, and is ${genuine.state}`);
    const { event } = genuine;
    assert(
      event.reference === request.reference || (supplierId !== undefined && event.supplierId === supplierId),
      'a callback must name its purchase by reference or supplierId',
    );
    if (event.result)
      assertEqual(parsePurchaseResult(event.result).state, 'delivered', 'the result of a callback');
    const forged = [
      { ...callback, headers: {} },
      { ...callback, body: new Uint8Array([...callback.body, 0x20]) },
    ];
    for (const [index, forgedCallback] of forged.entries()) {
      const reading = supplier.callbacks.read(forgedCallback);
      assert(
        reading.state !== 'event' || reading.event.result === null,
        `a callback ${index === 0 ? 'without headers' : 'with another body'} must prove nothing`,
      );
    }
  },
  'a response to a callback asks for it again only when it could not be handled': async ({
    supplier: { callbacks },
  }) => {
    if (callbacks) assertResponses(callbacks, ['reconciliation', 'unmatched', 'rejected', 'failed']);
  },
};

/**
 * Cases for the behaviour that the engine relies on, for any test runner. Each case starts its own fake.
 *
 * @example
 * for (const { name, run } of supplierCases(startFake)) test(name, run);
 */
export const supplierCases = (start: () => Promise<FakeSupplier> | FakeSupplier): readonly SupplierCase[] =>
  startingEach(cases, start);
