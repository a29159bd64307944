import type { PaymentGateway } from '@topup-kit/core/gateway';
import type { Supplier } from '@topup-kit/core/supplier';
import type { Logger } from 'pino';
import { roundedMs } from './requests.ts';

type ProviderOutcome = 'ok' | 'error' | 'timeout';

/** A completed call of a gateway or a supplier. */
export interface ProviderCall {
  provider: string;
  /** The method of the adapter, such as `createPayment`. */
  call: string;
  /** Order of the call; null if it has none. */
  orderId: string | null;
  outcome: ProviderOutcome;
  /** Duration in milliseconds. */
  ms: number;
}

const calls = {
  gateway: new Set<PropertyKey>(['createPayment', 'findPayment', 'checkPayment']),
  supplier: new Set<PropertyKey>(['submit', 'find', 'readProducts', 'readBalance']),
};

type Method = (...args: unknown[]) => unknown;

function orderOf([request]: unknown[]): string | null {
  if (typeof request !== 'object' || request === null) return null;
  if ('orderId' in request && typeof request.orderId === 'string') return request.orderId;
  // A supplier gets the reference of an attempt: the order's id, the unit and the attempt.
  return 'reference' in request && typeof request.reference === 'string'
    ? request.reference.replace(/-\d+-\d+$/, '')
    : null;
}

/** Calls `note` once when a call ends or times out. */
function noted(
  method: Method,
  note: (args: unknown[], outcome: ProviderOutcome, ms: number) => void,
): Method {
  return (...args) => {
    const startedAt = performance.now();
    const signal = args.find((arg) => arg instanceof AbortSignal);
    let isNoted = false;
    const end = (outcome: ProviderOutcome): void => {
      if (isNoted) return;
      isNoted = true;
      signal?.removeEventListener('abort', onAbort);
      note(args, signal?.aborted ? 'timeout' : outcome, performance.now() - startedAt);
    };
    const onAbort = (): void => end('timeout');
    signal?.addEventListener('abort', onAbort);
    try {
      const result = method(...args);
      if (result instanceof Promise) {
        result.then(
          () => end('ok'),
          () => end('error'),
        );
      } else end('ok');
      return result;
    } catch (error) {
      end('error');
      throw error;
    }
  };
}

/** Wraps a provider, and records its calls. Methods that are missing stay missing. */
function observed<Provider extends { name: string }>(
  provider: Provider,
  names: ReadonlySet<PropertyKey>,
  note: (call: ProviderCall) => void,
): Provider {
  // Safe: every property is read from the provider. It is not the target itself, because that may be frozen.
  return new Proxy({} as Provider, {
    has: (_target, property) => property in provider,
    get(_target, property) {
      const value: unknown = Reflect.get(provider, property, provider);
      if (typeof value !== 'function') return value;
      // Binds the method, because an adapter may be an instance of a class with private fields.
      const method: Method = value.bind(provider);
      if (!names.has(property)) return method;
      return noted(method, (args, outcome, ms) =>
        note({ provider: provider.name, call: String(property), orderId: orderOf(args), outcome, ms }),
      );
    },
  });
}

export const observedParts = <
  Parts extends { gateway?: PaymentGateway; supplier?: Supplier; otherSuppliers?: readonly Supplier[] },
>(
  parts: Parts,
  note: (call: ProviderCall) => void,
): Parts => ({
  ...parts,
  ...(parts.gateway && { gateway: observed(parts.gateway, calls.gateway, note) }),
  ...(parts.supplier && { supplier: observed(parts.supplier, calls.supplier, note) }),
  ...(parts.otherSuppliers && {
    otherSuppliers: parts.otherSuppliers.map((supplier) => observed(supplier, calls.supplier, note)),
  }),
});

/** Logs one line for each call of a gateway or a supplier. The caller reports its error. */
export const createCallLog =
  (logger: Logger, count: (call: ProviderCall) => void) =>
  (call: ProviderCall): void => {
    count(call);
    const { provider, orderId, outcome, ms } = call;
    logger.debug(
      { provider, call: call.call, ...(orderId !== null && { order: orderId }), outcome, ms: roundedMs(ms) },
      'a provider was called',
    );
  };
