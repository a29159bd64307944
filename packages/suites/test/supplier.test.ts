import { describe, expect, it } from 'vitest';
import { hurryWaits } from '../../../test/hurry.ts';
import type { CallbackRequest } from '../../core/src/callback/index.ts';
import type {
  FindPurchaseRequest,
  PurchaseRequest,
  PurchaseResult,
  Supplier,
} from '../../core/src/supplier/index.ts';
import { type FakeSupplier, type SupplierFault, supplierCases } from '../src/supplier.ts';

hurryWaits();

const secret = 's3cret';
const textOf = (body: Uint8Array): string => new TextDecoder().decode(body);

/** A service in memory that knows purchases by their references, and a faithful adapter of it. */
function createService() {
  const purchases: { reference: string; outcome: PurchaseResult }[] = [];
  let fault: SupplierFault | undefined;
  let callback: CallbackRequest | undefined;

  /** Buys, or tells the outcome of what was bought. */
  async function order(
    { reference, maxPrice }: PurchaseRequest,
    signal: AbortSignal,
  ): Promise<PurchaseResult> {
    const wrong = fault;
    fault = undefined;
    if (wrong === 'error-500') throw new Error('status 500');
    if (maxPrice < 10_000) return { state: 'failed', reason: 'too dear' };
    const outcome: PurchaseResult = { state: 'pending' };
    const known = purchases.find((one) => one.reference === reference);
    if (!known) purchases.push({ reference, outcome });
    if (wrong === 'lost-response') throw new Error('no response');
    if (wrong === 'no-response')
      await new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('aborted')));
      });
    return known?.outcome ?? outcome;
  }

  const supplier: Supplier = {
    name: 'example',
    sandbox: false,
    abilities: { findBy: 'reference', findIntervalMs: 60_000, referenceLifetimeMs: null },
    submit: order,
    find: order,
    readProducts: async () => [
      { code: 'ML86', isAvailable: true, stock: null, isOncePerDay: false, pause: null },
    ],
    readBalance: async () => 1_000,
    callbacks: {
      read({ headers, body }) {
        const [signed, reference = ''] = textOf(body).split(' ');
        const isGenuine = headers.signature === `${secret}${textOf(body)}`;
        if (!isGenuine || !signed) return { state: 'rejected', status: 401, reason: 'not signed' };
        const result: PurchaseResult = { state: 'delivered', serialNumber: '' };
        return { state: 'event', event: { reference, supplierId: null, result } };
      },
      respond(outcome, status = 400) {
        if (outcome === 'rejected') return { status, body: null };
        return { status: outcome === 'failed' ? 503 : 200, body: null };
      },
    },
  };

  const fake: Omit<FakeSupplier, 'supplier'> = {
    request: {
      ...{ reference: 'INV-1-1-1', productCode: 'ML86', maxPrice: 22_000, askedAt: 0 },
      target: { id: '1', server: null, text: '1' },
    },
    secrets: [secret],
    fail: (next) => {
      fault = next;
    },
    settle(outcome) {
      for (const one of purchases)
        one.outcome =
          outcome === 'delivered'
            ? { state: 'delivered', serialNumber: '' }
            : { state: 'failed', reason: 'no such player' };
      const text = `signed ${purchases.at(-1)?.reference}`;
      callback = { headers: { signature: secret + text }, body: new TextEncoder().encode(text) };
    },
    countPurchases: () => purchases.length,
    advance: () => {},
    readCallback: () => callback,
    close: () => {},
  };
  return { supplier, fake, purchases };
}

type Service = ReturnType<typeof createService>;

/** What the suite says of an adapter: the names of the cases that fail. */
async function failuresOf(change: (service: Service) => Partial<Supplier>): Promise<string[]> {
  const cases = supplierCases(() => {
    const service = createService();
    return { ...service.fake, supplier: { ...service.supplier, ...change(service) } };
  });
  const failures = cases.map(({ name, run }) =>
    run().then(
      () => [],
      () => [name],
    ),
  );
  return (await Promise.all(failures)).flat();
}

describe('the suite for adapters of suppliers', () => {
  it('accepts a correct adapter', async () => {
    expect(await failuresOf(() => ({}))).toEqual([]);
  });

  /** Finds no purchase that it does not know; with `forgets`, none at all. */
  const cautious = ({ supplier, purchases }: Service, forgets: boolean): Partial<Supplier> => ({
    async find(request, signal) {
      const isKnown = purchases.some(({ reference }) => reference === request.reference);
      if (isKnown && !forgets) return supplier.find(request, signal);
      throw new Error('There is no such purchase, but it may be on its way.');
    },
  });

  it("accepts an adapter that can't say that a purchase was never made", async () => {
    expect(await failuresOf((service) => cautious(service, false))).toEqual([]);
  });

  const adapters: Record<string, [(service: Service) => Partial<Supplier>, string]> = {
    'has a name that fits into no address': [() => ({ name: 'My Supplier' }), 'its name'],
    'forgets references sooner than it may be asked': [
      ({ supplier: { abilities } }) => ({ abilities: { ...abilities, referenceLifetimeMs: 60_000 } }),
      'its name',
    ],
    'buys again when it is asked': [
      ({ purchases, supplier }) => ({
        async find(request: FindPurchaseRequest, signal: AbortSignal) {
          purchases.push({ reference: request.reference, outcome: { state: 'pending' } });
          return supplier.find(request, signal);
        },
      }),
      'delivered in the end',
    ],
    'takes a lost response for a failure': [
      ({ supplier }) => ({
        submit: (request, signal) =>
          supplier.submit(request, signal).catch(() => ({ state: 'failed', reason: 'lost' })),
      }),
      'lost-response',
    ],
    'sends a purchase again by itself': [
      ({ supplier }) => ({
        submit: (request, signal) =>
          supplier.submit(request, signal).catch(() => supplier.submit(request, signal)),
      }),
      'error-500',
    ],
    'finds no purchase whose response was lost': [(service) => cautious(service, true), 'lost-response'],
    'says of a purchase that it is absent': [
      ({ supplier }) => ({ find: async () => ({ state: 'absent' }), submit: supplier.submit }),
      'lost-response',
    ],
    'gives up after a question without a response': [
      ({ supplier }) => {
        let failed = false;
        return {
          async find(request, signal) {
            if (failed) return { state: 'failed', reason: 'given up' };
            return supplier.find(request, signal).catch((error: unknown) => {
              failed = true;
              throw error;
            });
          },
        };
      },
      'does no harm',
    ],
    'says that a failure is a delivery': [
      () => ({ find: async () => ({ state: 'delivered', serialNumber: '1' }) }),
      'failed in the end',
    ],
    'gives no reason': [
      ({ supplier }) => ({
        async find(request, signal) {
          const found = await supplier.find(request, signal);
          return found.state === 'failed' ? { ...found, reason: '' } : found;
        },
      }),
      'failed in the end',
    ],
    'returns no id by which it is asked': [
      ({ supplier: { abilities } }) => ({ abilities: { ...abilities, findBy: 'supplierId' } }),
      'delivered in the end',
    ],
    'pays any price': [
      ({ supplier }) => ({
        submit: (request, signal) => supplier.submit({ ...request, maxPrice: 1_000_000 }, signal),
      }),
      'highest price',
    ],
    'does not care that it is aborted': [
      ({ supplier }) => ({ submit: (request) => supplier.submit(request, new AbortController().signal) }),
      'aborted',
    ],
    'tells a secret': [
      ({ supplier }) => ({
        submit: (request, signal) =>
          supplier.submit(request, signal).catch((error: unknown) => {
            throw new Error('It failed.', { cause: new Error(`${secret} ${String(error)}`) });
          }),
      }),
      'secret',
    ],
    'does not sell what it is asked for': [() => ({ readProducts: async () => [] }), 'products'],
    'has half a rupiah': [() => ({ readBalance: async () => 0.5 }), 'balance'],
    'believes a callback without a signature': [
      ({ supplier: { callbacks } }) => ({
        ...(callbacks && {
          callbacks: {
            ...callbacks,
            read: ({ body }) => callbacks.read({ headers: { signature: secret + textOf(body) }, body }),
          },
        }),
      }),
      'forged',
    ],
    'believes a callback with another body': [
      ({ supplier: { callbacks } }) => ({
        ...(callbacks && {
          callbacks: {
            ...callbacks,
            read: ({ headers, body }) =>
              callbacks.read({ headers, body: new TextEncoder().encode(textOf(body).trim()) }),
          },
        }),
      }),
      'forged',
    ],
    'thanks for a callback that it could not handle': [
      ({ supplier: { callbacks } }) => ({
        ...(callbacks && { callbacks: { ...callbacks, respond: () => ({ status: 200, body: null }) } }),
      }),
      'response to a callback',
    ],
  };
  it.concurrent.each(Object.entries(adapters))('rejects a name that %s', async (_what, [change, name]) => {
    expect(await failuresOf(change)).toContainEqual(expect.stringContaining(name));
  });
});
