import {
  type CallbackReading,
  type CallbackReceiver,
  type CallbackRequest,
  type CallbackResponse,
  parseCallbackReading,
} from '../callback/index.ts';
import { readPaymentNews } from '../gateway/index.ts';
import { type Clock, type Random, randomText } from '../platform/index.ts';
import type { StoredCallback } from '../store/index.ts';
import { parseSupplyNews } from '../supplier/index.ts';
import {
  applyPaymentNews,
  applySupplyNews,
  type CallbackResult,
  type NewsDependencies,
} from './callback-news.ts';
import { type Concealment, createConcealment } from './callback-secrets.ts';

export interface CallbackDependencies extends NewsDependencies {
  realClock: Clock;
  random: Random;
  /**
   * Called once for each callback after it was handled, with the error that prevented it, if there was one. Nothing of what
   * the callback says is passed on.
   */
  reportCallback: (handled: HandledCallback, error?: unknown) => void;
}

/** What came of a callback, for a log. */
export interface HandledCallback extends CallbackResult {
  /** Null when it could not be stored. */
  callbackId: string | null;
  provider: string;
}

/** The kinds of providers: each has a route of its own. */
export type CallbackSource = 'gateway' | 'supplier';

/** Receives what gateways and suppliers report by themselves. */
export interface Callbacks {
  /** Whether the provider of this name receives callbacks. */
  has(source: CallbackSource, provider: string): boolean;
  /**
   * Handles a callback and stores it. When the promise resolves with a success, all that the callback says is stored; after
   * anything else the provider sends it again.
   *
   * @returns the response that the provider expects; null when there is no such provider.
   */
  receive(
    source: CallbackSource,
    provider: string,
    request: CallbackRequest,
    address: string,
  ): Promise<CallbackResponse | null>;
  /**
   * Notes a callback of an address that may not send any, without anything that it says: if the list of addresses is wrong,
   * an operator has to see it.
   */
  turnAway(source: CallbackSource, provider: string, address: string): Promise<void>;
  /** Handles a stored callback again, for an operator who asked for it. */
  replay(callback: StoredCallback): Promise<void>;
}

/** Why a callback was turned away. */
export const wrongAddress = 'TOPUP_CALLBACK_ADDRESSES does not have its address.';

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
  apply: (news: unknown) => Promise<CallbackResult>,
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

/** Handles a stored callback. What was ignored has no body any more, and there is nothing to do for it. */
async function handleAgain(provider: Provider, callback: StoredCallback): Promise<Handled> {
  const { outcome, reason, orderId } = callback;
  if (outcome === 'ignored') return { result: { outcome, reason, orderId } };
  return provider.handle(outcome === 'rejected' ? callback : provider.reveal(callback));
}

/** The headers that are stored: those that say what was sent, and that may prove who sent it. */
const keptHeader = /^(content-type|user-agent|x-.+|.*signature.*)$/;

const keptHeaders = (headers: CallbackRequest['headers']): Record<string, string> =>
  Object.fromEntries(
    // A key of ours proves nothing of a provider.
    Object.entries(headers).filter(([name]) => keptHeader.test(name) && name !== 'x-api-key'),
  );

/** Without letters and digits that look alike. */
const idAlphabet = 'abcdefghjkmnpqrstuvwxyz23456789';

export function createCallbacks(deps: CallbackDependencies): Callbacks {
  const { store, gateway, supplier, realClock, random, reportCallback } = deps;
  const gatewayReceiver = gateway.kind === 'remote' ? gateway.callbacks : undefined;
  const providers: Record<CallbackSource, Provider | null> = {
    gateway: gatewayReceiver
      ? createProvider(gateway.name, gatewayReceiver, async (news) =>
          applyPaymentNews(deps, readPaymentNews(news)),
        )
      : null,
    supplier: supplier.callbacks
      ? createProvider(supplier.name, supplier.callbacks, async (news) =>
          applySupplyNews(deps, parseSupplyNews(news)),
        )
      : null,
  };

  async function add(callback: Omit<StoredCallback, 'callbackId'>): Promise<string> {
    for (;;) {
      const callbackId = `cb_${randomText(random, idAlphabet, 8)}`;
      if ('done' in (await store.addCallback({ ...callback, callbackId }))) return callbackId;
    }
  }

  return {
    has: (source, name) => providers[source]?.name === name,
    async receive(source, name, request, address) {
      const provider = providers[source];
      if (provider?.name !== name) return null;
      const receivedAt = realClock();
      const { result, status, error } = await provider.handle(request);
      const kept = provider.conceal({ headers: keptHeaders(request.headers), body: request.body });
      let callbackId: string;
      try {
        callbackId = await add({
          provider: name,
          receivedAt,
          address,
          headers: kept.headers,
          body: result.outcome === 'ignored' ? new Uint8Array() : kept.body,
          ...result,
          handledAt: realClock(),
          attempts: 1,
          replay: false,
        });
      } catch (cause) {
        const failed = prevented('It could not be stored.');
        reportCallback({ callbackId: null, provider: name, ...failed }, error ?? cause);
        return provider.respond('failed');
      }
      reportCallback({ callbackId, provider: name, ...result }, error);
      return provider.respond(result.outcome, status);
    },
    async turnAway(source, name, address) {
      if (providers[source]?.name !== name) return;
      const at = realClock();
      const result: CallbackResult = { outcome: 'rejected', reason: wrongAddress, orderId: null };
      const nothing = { headers: {}, body: new Uint8Array(), attempts: 1, replay: false };
      try {
        await add({ provider: name, receivedAt: at, address, ...nothing, ...result, handledAt: at });
      } catch (error) {
        reportCallback({ callbackId: null, provider: name, ...result }, error);
      }
    },
    async replay(callback) {
      const { callbackId, provider: name } = callback;
      const provider = Object.values(providers).find((one) => one?.name === name);
      const missing: Handled = { result: prevented(`This server receives no callbacks of ${name}.`) };
      const { result, error } = provider ? await handleAgain(provider, callback) : missing;
      await store.finishReplay({ callbackId, ...result, handledAt: realClock() });
      reportCallback({ callbackId, provider: name, ...result }, error);
    },
  };
}
