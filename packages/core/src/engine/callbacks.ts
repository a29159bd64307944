import type {
  CallbackOutcome,
  CallbackReading,
  CallbackReceiver,
  CallbackRequest,
  CallbackResponse,
} from '../callback/index.ts';
import { type PaymentGateway, type PaymentNews, readPaymentReport } from '../gateway/index.ts';
import { type Clock, type Random, randomText } from '../platform/index.ts';
import type { DueUnit, Store, StoredCallback } from '../store/index.ts';
import { readSupplyReference, type Supplier, type SupplyNews, supplyReference } from '../supplier/index.ts';
import { findOutcome, storeKnowledge } from './delivery.ts';
import { applyPaymentEvent } from './payments.ts';
import { withTimeout } from './time.ts';

export interface CallbackDependencies {
  store: Store;
  gateway: PaymentGateway;
  supplier: Supplier;
  worldClock: Clock;
  realClock: Clock;
  random: Random;
  /**
   * Called once for each callback after it was handled, with the error that prevented it, if there was one. Nothing of what
   * the callback says is passed on.
   */
  reportCallback: (handled: HandledCallback, error?: unknown) => void;
}

/** What came of a callback, for a log. */
export interface HandledCallback extends Result {
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
  /** Handles a stored callback again, for an operator who asked for it. */
  replay(callback: StoredCallback): Promise<void>;
}

interface Result {
  outcome: CallbackOutcome;
  reason: string | null;
  orderId: string | null;
}

interface Handled {
  result: Result;
  /** The status of a rejection. */
  status?: 400 | 401;
  error?: unknown;
}

/** A provider that sends callbacks: verifies one, and applies what it says. */
interface Provider {
  name: string;
  respond: CallbackReceiver<unknown>['respond'];
  handle(request: CallbackRequest): Promise<Handled>;
}

/** The result of a callback that is about nothing here. */
const unmatched = (reason: string): Result => ({ outcome: 'unmatched', reason, orderId: null });

/** How long a gateway may take to confirm a callback, in milliseconds of real time. */
const timeoutMs = 10_000;

/** Asks the gateway whether what a callback says is true; the news with the gateway's own report. */
async function confirmed(
  { store, gateway }: CallbackDependencies,
  news: PaymentNews,
): Promise<PaymentNews | null> {
  if (!news.confirm) return news;
  if (gateway.kind !== 'remote' || !gateway.checkPayment)
    throw new Error(`The gateway ${gateway.name} has no checkPayment, which could confirm a callback.`);
  const order = await store.findOrderByReference(news.reference);
  const orderId = order?.orderId ?? news.orderId;
  if (orderId === null) return null;
  const amount = order?.pricing.total_price ?? (news.report.status === 'open' ? 0 : news.report.amount);
  const question = { orderId, reference: news.reference, amount };
  const asked = gateway.checkPayment(question, AbortSignal.timeout(timeoutMs));
  const report = await withTimeout(asked, timeoutMs, 'the gateway did not respond in time');
  return { ...news, orderId, report: readPaymentReport(report) };
}

async function applyPaymentNews(deps: CallbackDependencies, news: PaymentNews): Promise<Result> {
  const { store, worldClock } = deps;
  const known = await confirmed(deps, news);
  if (!known) return unmatched('It names no order, so the gateway could not be asked whether it is true.');
  const { reference, orderId, report } = known;
  if (report.status === 'open') {
    const order = await store.findOrderByReference(reference);
    const isDenied = news.report.status === 'paid';
    return {
      outcome: isDenied ? 'failed' : order ? 'unchanged' : 'unmatched',
      reason: isDenied ? 'The gateway, when asked, did not confirm the payment yet.' : null,
      orderId: order?.orderId ?? null,
    };
  }
  const event = { ...report, reference, orderId };
  const { outcome, reason, order } = await applyPaymentEvent({ store, now: worldClock() }, event);
  return { outcome, reason, orderId: order?.orderId ?? null };
}

/** The purchase that a callback names, by our reference or else by the supplier's id. */
async function findPurchase(
  store: Store,
  { reference, supplierId }: SupplyNews,
): Promise<(DueUnit & { attempt: number }) | null> {
  if (reference !== null) return readSupplyReference(reference);
  const named = supplierId === null ? [] : await store.findUnitsBySupplierId(supplierId);
  const found = await Promise.all(
    named.map(async ({ orderId, unit }) => {
      const units = await store.findUnits(orderId);
      return units.flatMap((one) => (one.unit === unit ? { ...one, orderId } : []));
    }),
  );
  const isOpen = ({ state }: { state: string }): boolean => state === 'asked' || state === 'unknown';
  const open = found.flat().filter(isOpen);
  // Two suppliers may use the same ids.
  const candidates = open.length > 0 ? open : found.flat();
  return candidates.length === 1 ? (candidates[0] ?? null) : null;
}

const supplyReasons = {
  applied: null,
  unchanged: null,
  contradiction: 'It contradicts the outcome that the supplier reported before.',
  unmatched: 'No order has this purchase.',
};

async function applySupplyNews(deps: CallbackDependencies, news: SupplyNews): Promise<Result> {
  const { store } = deps;
  const purchase = await findPurchase(store, news);
  const order = purchase && (await store.findOrder(purchase.orderId));
  if (!purchase || !order) return unmatched(supplyReasons.unmatched);
  const { orderId } = order;
  const unit = (await store.findUnits(orderId)).find((one) => one.unit === purchase.unit);
  if (!unit || unit.attempt < purchase.attempt) return unmatched(supplyReasons.unmatched);
  const supplierId = news.supplierId ?? undefined;
  if (news.result === null && unit.attempt > purchase.attempt)
    return { outcome: 'unchanged', reason: 'It is about an earlier attempt.', orderId };
  const known = news.result
    ? { ...news.result, supplierId: news.result.supplierId ?? supplierId }
    : await findOutcome(deps, order, { ...unit, supplierId: unit.supplierId ?? news.supplierId });
  const outcome = await storeKnowledge(deps, orderId, purchase, known);
  const about = supplyReference(purchase);
  const reason = outcome === 'contradiction' ? `${about}: ${supplyReasons.contradiction}` : null;
  return { outcome, reason: reason ?? supplyReasons[outcome], orderId };
}

const prevented = (reason: string): Result => ({ outcome: 'failed', reason, orderId: null });

function createProvider<News>(
  name: string,
  receiver: CallbackReceiver<News>,
  apply: (news: News) => Promise<Result>,
): Provider {
  function read(request: CallbackRequest): CallbackReading<News> | { state: 'unreadable'; error: unknown } {
    try {
      return receiver.read(request);
    } catch (error) {
      return { state: 'unreadable', error };
    }
  }

  return {
    name,
    respond: (...result) => receiver.respond(...result),
    async handle(request) {
      const reading = read(request);
      // Nothing shows that it is genuine, so it must not be kept for good.
      if (reading.state === 'unreadable') {
        const reason = 'The adapter could not read it.';
        return { result: { outcome: 'rejected', reason, orderId: null }, status: 400, error: reading.error };
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
      ? createProvider(gateway.name, gatewayReceiver, (news) => applyPaymentNews(deps, news))
      : null,
    supplier: supplier.callbacks
      ? createProvider(supplier.name, supplier.callbacks, (news) => applySupplyNews(deps, news))
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
      let callbackId: string;
      try {
        callbackId = await add({
          provider: name,
          receivedAt,
          address,
          headers: keptHeaders(request.headers),
          body: request.body,
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
    async replay({ callbackId, provider: name, headers, body }) {
      const provider = Object.values(providers).find((one) => one?.name === name);
      const missing: Handled = { result: prevented(`This server receives no callbacks of ${name}.`) };
      const { result, error } = provider ? await provider.handle({ headers, body }) : missing;
      await store.finishReplay({ callbackId, ...result, handledAt: realClock() });
      reportCallback({ callbackId, provider: name, ...result }, error);
    },
  };
}
