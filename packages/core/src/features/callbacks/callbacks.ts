import type { callbackPaths } from '../../app/paths.ts';
import {
  type CallbackReceiver,
  type CallbackRequest,
  type CallbackResponse,
  type ParsedCallback,
  parseCallbackReading,
} from '../../callback/index.ts';
import { allSuppliers } from '../../engine/suppliers.ts';
import { readPaymentCallback } from '../../gateway/index.ts';
import type { RateLimitResult } from '../../http/index.ts';
import { type Clock, type MonotonicClock, type RandomBytes, randomText } from '../../platform/index.ts';
import { parseDeliveryCallback } from '../../supplier/index.ts';
import {
  applyDeliveryCallback,
  applyPaymentCallback,
  type CallbackEventDependencies,
  type CallbackResult,
} from './apply.ts';
import { type Concealment, createConcealment } from './secrets.ts';
import { type CallbackStore, isUnverified, type StoredCallback } from './store.ts';
import { type CallbackListener, createUnverifiedCallbacks } from './unverified.ts';

export interface CallbackDependencies extends CallbackEventDependencies, CallbackListener {
  store: CallbackEventDependencies['store'] & CallbackStore;
  realClock: Clock;
  monotonicClock: MonotonicClock;
  random: RandomBytes;
  /** Returns the number of servers that share the limit of unverified callbacks; 1 by default. */
  countServers?: (() => number) | undefined;
}

/** Kinds of providers, each with its own route. */
export type CallbackSource = keyof typeof callbackPaths;

/** Receives callbacks of gateways and suppliers. */
export interface Callbacks {
  /** Tells whether the provider with this name sends callbacks. */
  has(source: CallbackSource, provider: string): boolean;
  /**
   * Handles a callback and stores it. If the promise resolves with a success for a verified callback, all its effects are stored.
   * Otherwise, the provider sends it again.
   *
   * @returns null if the provider is unknown.
   */
  receive(
    source: CallbackSource,
    provider: string,
    request: CallbackRequest,
    address: string,
  ): Promise<ReceivedCallback | null>;
  /** Records a callback from a forbidden address, without its content, so that an operator notices a wrong list of addresses. */
  forbid(source: CallbackSource, provider: string, address: string): void;
  /**
   * Stores unverified callbacks that arrived since the last time. A host calls it once a second, and a last time when it stops. The last
   * call reports the rest, too.
   */
  storeUnverified(options?: { isLast?: boolean }): Promise<void>;
  /** Handles a stored callback again, on an operator's request. */
  replay(callback: StoredCallback): Promise<void>;
}

export interface ReceivedCallback {
  /** The response that the provider expects; null if its address has sent too many unverified callbacks. */
  response: CallbackResponse | null;
  /** True if the callback is verified. Verified callbacks are always stored and never limited. */
  isProven: boolean;
  /** Headers that tell a client above the limit when to retry. */
  headers: RateLimitResult['headers'];
}

interface Handled {
  result: CallbackResult;
  /** The status of a rejection. */
  status?: 400 | 401;
  error?: unknown;
}

/** A provider that sends callbacks, with functions that verify and apply a callback. */
interface Provider extends Concealment {
  name: string;
  respond: CallbackReceiver<unknown>['respond'];
  handle(request: CallbackRequest): Promise<Handled>;
}

const prevented = (reason: string): CallbackResult => ({ outcome: 'failed', reason, orderId: null });

/** Returns an adapter's error for a log. The errors of `JSON.parse` quote the text, which must not be logged. */
const loggedError = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'name' in error && error.name === 'SyntaxError'
    ? new Error("The adapter's callbacks.read could not parse the body.")
    : error;

function createProvider(
  name: string,
  receiver: CallbackReceiver<unknown>,
  apply: (callback: unknown) => Promise<CallbackResult>,
): Provider {
  function read(request: CallbackRequest): ParsedCallback<unknown> | { state: 'unreadable'; error: unknown } {
    try {
      return parseCallbackReading(receiver.read(request));
    } catch (error) {
      return { state: 'unreadable', error: loggedError(error) };
    }
  }

  return {
    name,
    ...createConcealment(receiver.secrets ?? []),
    respond: (...result) => receiver.respond(...result),
    async handle(request) {
      const reading = read(request);
      // The callback may not be genuine, so it must not be stored permanently.
      if (reading.state === 'unreadable') {
        const reason = 'The adapter could not read it.';
        return {
          result: { outcome: 'rejected', reason, orderId: null },
          status: 400,
          error: reading.error,
        };
      }
      if (reading.state !== 'event')
        return {
          result: { outcome: reading.state, reason: reading.reason, orderId: null },
          ...(reading.state === 'rejected' && { status: reading.status }),
        };
      try {
        return { result: await apply(reading.event) };
      } catch (error) {
        return { result: prevented("An error prevented it. See the server's log."), error };
      }
    },
  };
}

/** Handles a stored callback again. Ignored and erased callbacks have no body, and need no handling. */
async function handleAgain(provider: Provider, callback: StoredCallback): Promise<Handled> {
  const { outcome, reason, orderId } = callback;
  const isErased = callback.sentBytes !== null && callback.body.length === 0;
  if (outcome === 'ignored' || isErased) return { result: { outcome, reason, orderId } };
  if (callback.sentBytes !== null) return { result: firstBytesOnly(callback) };
  return provider.handle(outcome === 'rejected' ? callback : provider.reveal(callback));
}

/** Returns the result for a truncated body, which can't be verified again. */
const firstBytesOnly = ({ body, sentBytes }: StoredCallback): CallbackResult => ({
  outcome: 'rejected',
  reason: `Only the first ${body.length} of its ${sentBytes} bytes were stored, so the server can't verify it again.`,
  orderId: null,
});

/** Alphabet of ids, without letters and digits that look alike. */
const idAlphabet = 'abcdefghjkmnpqrstuvwxyz23456789';

/** Matches the headers to store: those that describe the content, or that may prove the sender. */
const keptHeader = /^(content-type|user-agent|x-.+|.*signature.*)$/;

const keptHeaders = (headers: CallbackRequest['headers']): Record<string, string> =>
  Object.fromEntries(
    // An API key of this server proves nothing about a provider.
    Object.entries(headers).filter(([name]) => keptHeader.test(name) && name !== 'x-api-key'),
  );

export function createCallbacks(deps: CallbackDependencies): Callbacks {
  const { store, gateway, realClock, random } = deps;
  const gatewayReceiver = gateway.kind === 'remote' ? gateway.callbacks : undefined;
  const providers: Record<CallbackSource, readonly Provider[]> = {
    gateway: gatewayReceiver
      ? [
          createProvider(gateway.name, gatewayReceiver, async (callback) =>
            applyPaymentCallback(deps, readPaymentCallback(callback)),
          ),
        ]
      : [],
    supplier: allSuppliers(deps).flatMap((supplier) =>
      supplier.callbacks
        ? createProvider(supplier.name, supplier.callbacks, async (callback) =>
            applyDeliveryCallback(deps, supplier, parseDeliveryCallback(callback)),
          )
        : [],
    ),
  };
  const providerOf = (source: CallbackSource, name: string): Provider | undefined =>
    providers[source].find((provider) => provider.name === name);
  const findProvider = (name: string): Provider | undefined =>
    providerOf('gateway', name) ?? providerOf('supplier', name);
  const createId = (): string => `cb_${randomText(random, idAlphabet, 8)}`;
  const unverified = createUnverifiedCallbacks({
    ...deps,
    countServers: deps.countServers ?? (() => 1),
    conceal: (name, request, maxBytes) => findProvider(name)?.conceal(request, maxBytes) ?? request,
  });

  function report(
    callbackId: string | null,
    { name, address }: { name: string; address: string },
    result: CallbackResult,
    error: unknown,
  ): void {
    deps.count(name, result.outcome);
    deps.report({ callbackId, provider: name, ...result, address, count: 1 }, error);
  }

  async function add(callback: Omit<StoredCallback, 'callbackId'>): Promise<string> {
    for (;;) {
      const callbackId = createId();
      if ('done' in (await store.addCallback({ ...callback, callbackId }))) return callbackId;
    }
  }

  return {
    has: (source, name) => providerOf(source, name) !== undefined,
    async receive(source, name, request, address) {
      const provider = providerOf(source, name);
      if (!provider) return null;
      const receivedAt = realClock();
      const { result, status, error } = await provider.handle(request);
      const { outcome, reason } = result;
      const headers = keptHeaders(request.headers);
      const response = provider.respond(outcome, status);
      if (isUnverified(outcome)) {
        const body = outcome === 'ignored' ? new Uint8Array() : request.body;
        const sent = { callbackId: createId(), provider: name, receivedAt, address, headers, body };
        const { allowed, headers: limit } = unverified.note({ ...sent, outcome, reason }, error);
        return { response: allowed ? response : null, isProven: false, headers: limit };
      }
      const received = { isProven: true, headers: {} };
      const kept = provider.conceal({ headers, body: request.body });
      let callbackId: string;
      try {
        callbackId = await add({
          provider: name,
          receivedAt,
          address,
          headers: kept.headers,
          body: kept.body,
          sentBytes: null,
          ...result,
          handledAt: realClock(),
          attempts: 1,
          replay: false,
        });
      } catch (cause) {
        report(null, { name, address }, prevented('It could not be stored.'), error ?? cause);
        return { response: provider.respond('failed'), ...received };
      }
      report(callbackId, { name, address }, result, error);
      return { response, ...received };
    },
    forbid(source, name, address) {
      if (!providerOf(source, name)) return;
      unverified.noteForbidden({ callbackId: createId(), provider: name, receivedAt: realClock(), address });
    },
    storeUnverified: unverified.flush,
    async replay(callback) {
      const { callbackId, provider: name, address } = callback;
      const provider = findProvider(name);
      const missing: Handled = { result: prevented(`This server receives no callbacks of ${name}.`) };
      const { result: handled, error } = provider ? await handleAgain(provider, callback) : missing;
      // A callback that fails this time keeps the order that it had.
      const result = handled.outcome === 'failed' ? { ...handled, orderId: callback.orderId } : handled;
      await store.finishReplay({ callbackId, ...result, handledAt: realClock() });
      report(callbackId, { name, address }, result, error);
    },
  };
}
