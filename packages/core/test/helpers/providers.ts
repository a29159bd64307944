import type { CallbackReceiver } from '../../src/callback/index.ts';
import type {
  CheckPaymentRequest,
  PaymentCallback,
  PaymentReport,
  RemoteGateway,
} from '../../src/gateway/index.ts';
import type {
  DeliveryCallback,
  FindPurchaseRequest,
  FindPurchaseResult,
  Supplier,
} from '../../src/supplier/index.ts';

/** A secret of the provider, which is stored nowhere. */
export const canary = 'can/ary';

/** The sum of the bytes, in hex: a signature over bytes, and not over what they mean. */
const sign = (body: Uint8Array): string =>
  body.reduce((sum, byte) => (sum * 31 + byte) % 65_521, 7).toString(16);

/** A receiver that verifies {@link sign} over the raw bytes. Some bodies make it fail as an adapter with a fault would. */
function receiver<Content>(): CallbackReceiver<Content> {
  return {
    secrets: [canary],
    read({ headers, body }) {
      const text = new TextDecoder().decode(body);
      if (text === 'throw') throw new TypeError('secret-in-an-error');
      if (text === 'private{') JSON.parse(text);
      if (text === 'nonsense') return undefined as never; // Safe: an adapter without types can return this value.
      if (headers['x-test-signature'] !== sign(body))
        return { state: 'rejected', status: 401, reason: 'The signature is wrong.' };
      if (text.startsWith('ping')) return { state: 'ignored', reason: 'It is a test of the address.' };
      try {
        return { state: 'event', event: JSON.parse(text) as Content }; // Safe: the test wrote it.
      } catch {
        return { state: 'rejected', status: 400, reason: 'It is not JSON.' };
      }
    },
    respond: (outcome, status) => ({
      status: outcome === 'rejected' ? (status ?? 400) : outcome === 'failed' ? 503 : 200,
      body: { seen: outcome },
    }),
  };
}

/** A request of a provider, with its signature. */
export function signed(body: string | Uint8Array): { headers: Record<string, string>; body: Uint8Array } {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  return { headers: { 'content-type': 'application/json', 'x-test-signature': sign(bytes) }, body: bytes };
}

/** A gateway that sends callbacks. `report` is what it says when it is asked. */
export function callbackGateway(over: Partial<RemoteGateway> = {}) {
  const asked: CheckPaymentRequest[] = [];
  const control = { report: async (): Promise<PaymentReport> => ({ status: 'open' }) };
  const gateway: RemoteGateway = {
    kind: 'remote',
    name: 'paygate',
    sandbox: true,
    createPayment: async ({ orderId }) => ({ reference: `R-${orderId}`, url: 'https://gateway.example/pay' }),
    findPayment: async () => ({ state: 'absent' }),
    checkPayment(question) {
      asked.push(question);
      return control.report();
    },
    callbacks: receiver<PaymentCallback>(),
    ...over,
  };
  return { gateway, asked, control };
}

/** A supplier that sends callbacks. Each purchase is pending, with the id `T-{reference}`, until `find` says otherwise. */
export function callbackSupplier() {
  const found: FindPurchaseRequest[] = [];
  const findIntervalMs = 5_000;
  const control = { find: async (): Promise<FindPurchaseResult> => ({ state: 'pending' }) };
  const supplier: Supplier = {
    name: 'depot',
    sandbox: true,
    abilities: { findBy: 'supplierId', findIntervalMs, referenceLifetimeMs: null },
    submit: async ({ reference }) => ({ state: 'pending', supplierId: `T-${reference}` }),
    find(request) {
      found.push(request);
      return control.find();
    },
    callbacks: receiver<DeliveryCallback>(),
  };
  return { supplier, found, control, findIntervalMs };
}
