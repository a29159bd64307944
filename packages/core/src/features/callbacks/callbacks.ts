import type { callbackPaths } from '../../app/paths.ts';
import {
  type CallbackReading,
  type CallbackReceiver,
  type CallbackRequest,
  type CallbackResponse,
  parseCallbackReading,
} from '../../callback/index.ts';
import { allSuppliers } from '../../engine/suppliers.ts';
import { readPaymentCallback } from '../../gateway/index.ts';
import type { Counted } from '../../http/index.ts';
import { type Clock, type MonotonicClock, type Random, randomText } from '../../platform/index.ts';
import { parseDeliveryCallback } from '../../supplier/index.ts';
import {
  applyDeliveryCallback,
  applyPaymentCallback,
  type CallbackEventDependencies,
  type CallbackResult,
} from './apply.ts';
import { type Concealment, createConcealment } from './secrets.ts';
import { type CallbackStore, isUnproven, type StoredCallback } from './store.ts';
import { type CallbackListener, createUnprovenCallbacks } from './unproven.ts';

export interface CallbackDependencies extends CallbackEventDependencies, CallbackListener {
  store: CallbackEventDependencies['store'] & CallbackStore;
  realClock: Clock;
  monotonicClock: MonotonicClock;
  random: Random;
  /** How many servers share the limit of callbacks that prove nothing; one by default. */
  countServers?: (() => number) | undefined;
}

/** The kinds of providers: each has a route of its own. */
export type CallbackSource = keyof typeof callbackPaths;

/** Receives what gateways and suppliers report by themselves. */
export interface Callbacks {
  /** Whether the provider of this name receives callbacks. */
  has(source: CallbackSource, provider: string): boolean;
  /**
   * Handles a callback and stores it. When the promise resolves with a success of one that proves something, all that it says is
   * stored; after anything else the provider sends it again.
   *
   * @returns null when there is no such provider.
   */
  receive(
    source: CallbackSource,
    provider: string,
    request: CallbackRequest,
    address: string,
  ): Promise<ReceivedCallback | null>;
  /**
   * Notes a callback of an address that may not send any, without anything that it says: if the list of addresses is wrong,
   * an operator has to see it.
   */
  forbid(source: CallbackSource, provider: string, address: string): void;
  /**
   * Stores what came since the last time of callbacks that prove nothing. A host calls it once a second, and at its end, when all that
   * was not reported yet is.
   */
  storeUnproven(options?: { isLast?: boolean }): Promise<void>;
  /** Handles a stored callback again, for an operator who asked for it. */
  replay(callback: StoredCallback): Promise<void>;
}

/** What becomes of the request of a callback. */
export interface ReceivedCallback {
  /** The response that the provider expects; null when its address has sent too many that prove nothing. */
  response: CallbackResponse | null;
  /** Those that prove something are stored, and never limited. */
  isProven: boolean;
  /** The headers that tell a limited client when to come again. */
  headers: Counted['headers'];
}

interface Handled {
  result: CallbackResult;
  /** The status of a rejection. */
  status?: 400 | 401;
  error?: unknown;
}

/** A provider that sends callbacks: verifies one, and applies what it says. */
interface Provider extends Concealment {
  name: string;
  respond: CallbackReceiver<unknown>['respond'];
  handle(request: CallbackRequest): Promise<Handled>;
}

const prevented = (reason: string): CallbackResult => ({ outcome: 'failed', reason, orderId: null });

/** The error of an adapter for a log. That of `JSON.parse` quotes the text, which must not be logged. */
const loggedError = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'name' in error && error.name === 'SyntaxError'
    ? new Error("The adapter's callbacks.read could not parse the body.")
    : error;

function createProvider(
  name: string,
  receiver: CallbackReceiver<unknown>,
  apply: (callback: unknown) => Promise<CallbackResult>,
): Provider {
  function read(
    request: CallbackRequest,
  ): CallbackReading<unknown> | { state: 'unreadable'; error: unknown } {
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
      // Nothing shows that it is genuine, so it must not be kept for good.
      if (reading.state === 'unreadable') {
        const reason = 'The adapter could not read it.';
        return {
          result: { outcome: 'rejected', reason, orderId: null },
          status: 400,
          error: reading.error,
        };
      }
      if (reading.state !== 'news')
        return {
          result: { outcome: reading.state, reason: reading.reason, orderId: null },
          ...(reading.state === 'rejected' && { status: reading.status }),
        };
      try {
        return { result: await apply(reading.news) };
      } catch (error) {
        return { result: prevented('An error prevented it: see the log of the server.'), error };
      }
    },
  };
}

/** Handles a stored callback. What was ignored or erased has no body any more, and there is nothing to do for it. */
async function handleAgain(provider: Provider, callback: StoredCallback): Promise<Handled> {
  const { outcome, reason, orderId } = callback;
  const isErased = callback.sentBytes !== null && callback.body.length === 0;
  if (outcome === 'ignored' || isErased) return { result: { outcome, reason, orderId } };
  if (callback.sentBytes !== null) return { result: firstBytesOnly(callback) };
  return provider.handle(outcome === 'rejected' ? callback : provider.reveal(callback));
}

/** What is cut first can't be verified again, and may just as well have been changed by who sent it. */
const firstBytesOnly = ({ body, sentBytes }: StoredCallback): CallbackResult => ({
  outcome: 'rejected',
  reason: `Only the first ${body.length} of its ${sentBytes} bytes were kept, so it can't be verified again.`,
  orderId: null,
});

/** Without letters and digits that look alike. */
const idAlphabet = 'abcdefghjkmnpqrstuvwxyz23456789';

/** The headers that are stored: those that say what was sent, and that may prove who sent it. */
const keptHeader = /^(content-type|user-agent|x-.+|.*signature.*)$/;

const keptHeaders = (headers: CallbackRequest['headers']): Record<string, string> =>
  Object.fromEntries(
    // A key of ours proves nothing of a provider.
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
  const unproven = createUnprovenCallbacks({
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
      if (isUnproven(outcome)) {
        const body = outcome === 'ignored' ? new Uint8Array() : request.body;
        const sent = { callbackId: createId(), provider: name, receivedAt, address, headers, body };
        const { allowed, headers: limit } = unproven.note({ ...sent, outcome, reason }, error);
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
      unproven.noteForbidden({ callbackId: createId(), provider: name, receivedAt: realClock(), address });
    },
    storeUnproven: unproven.flush,
    async replay(callback) {
      const { callbackId, provider: name, address } = callback;
      const provider = findProvider(name);
      const missing: Handled = { result: prevented(`This server receives no callbacks of ${name}.`) };
      const { result: handled, error } = provider ? await handleAgain(provider, callback) : missing;
      // What can't be handled this time stays with the order that it told of.
      const result = handled.outcome === 'failed' ? { ...handled, orderId: callback.orderId } : handled;
      await store.finishReplay({ callbackId, ...result, handledAt: realClock() });
      report(callbackId, { name, address }, result, error);
    },
  };
}
