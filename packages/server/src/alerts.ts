import { type AlertKind, findAlerts, isOfStore, type ReportCall } from '@topup-kit/core/engine';
import type { PaymentGateway } from '@topup-kit/core/gateway';
import type { Clock } from '@topup-kit/core/platform';
import type { ProviderCall, Store } from '@topup-kit/core/store';
import type { Supplier } from '@topup-kit/core/supplier';
import type { Logger } from 'pino';

/** Interval between two looks for alerts, and between two questions to a provider, in milliseconds. */
const alertIntervalMs = 60_000;
const questionIntervalMs = 10 * 60_000;

/** How long a provider may take to answer a question, in milliseconds. */
const questionTimeoutMs = 15_000;

export interface WatchDependencies {
  store: Store;
  logger: Pick<Logger, 'warn'>;
  /** Unix milliseconds of real time. */
  realClock: Clock;
  reportCall: ReportCall;
}

/** Looks for alerts, and logs each name of one once; again only after it had gone away. */
export function createAlertLog({
  store,
  logger,
  realClock,
}: Pick<WatchDependencies, 'store' | 'logger' | 'realClock'>): () => Promise<void> {
  let known = new Map<AlertKind, ReadonlySet<string>>();
  return async () => {
    const realNow = realClock();
    const now = realNow + (await store.readWorldOffset());
    const alerts = await findAlerts(store, { now, realNow });
    for (const { kind, names, count, sentence, items = [] } of alerts) {
      const added = names.filter((name) => !known.get(kind)?.has(name));
      if (added.length === 0) continue;
      const pending = items.filter(({ orderId }) => added.includes(orderId));
      logger.warn(
        {
          ...{ alert: kind, names: added, count },
          ...(pending.length > 0 && { items: pending }),
          runbook: `docs/going-live.md#${kind}`,
        },
        sentence,
      );
    }
    known = new Map(alerts.map(({ kind, names }) => [kind, new Set(names)]));
  };
}

/** Rejects when the signal aborts, also when the work ignores it. */
const untilAborted = <Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> =>
  new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });

/** Something that a provider is asked again and again. */
interface Question {
  provider: string;
  call: ProviderCall;
  /** What a log says of one that fails. */
  failure: string;
  ask: (signal: AbortSignal) => Promise<void>;
}

/** Asks once, and reports what came of it. A question that fails is logged once, until one succeeds. */
function createQuestion(
  { logger, reportCall }: WatchDependencies,
  { provider, call, failure, ask }: Question,
  stop: AbortSignal,
): () => Promise<void> {
  let isFailing = false;
  return async () => {
    try {
      const signal = AbortSignal.any([stop, AbortSignal.timeout(questionTimeoutMs)]);
      await untilAborted(ask(signal), signal);
      reportCall(provider, call);
      isFailing = false;
    } catch (error) {
      // A store that accepts no writes is no fault of the provider.
      if (stop.aborted || isOfStore(error)) return;
      reportCall(provider, call, error);
      if (!isFailing) logger.warn({ err: error, provider }, failure);
      isFailing = true;
    }
  };
}

/** Reads the supplier's balance into the store, until `stop` aborts. */
export const createBalanceReader = (
  deps: WatchDependencies,
  { name, readBalance }: { name: string; readBalance: NonNullable<Supplier['readBalance']> },
  { alertBelow, stop }: { alertBelow: number; stop: AbortSignal },
): (() => Promise<void>) =>
  createQuestion(
    deps,
    {
      ...{ provider: name, call: 'balance', failure: "the supplier's balance could not be read" },
      async ask(signal) {
        const balance = await readBalance(signal);
        if (!Number.isSafeInteger(balance))
          throw new TypeError("The supplier's readBalance returned no whole number.");
        await deps.store.saveSupplierBalance({
          ...{ supplier: name, balance, alertBelow, readAt: deps.realClock() },
        });
      },
    },
    stop,
  );

/** Repeats a task, one run at a time, until the resources are disposed of. */
function repeat(resources: AsyncDisposableStack, intervalMs: number, task: () => Promise<void>): () => void {
  let running: Promise<void> | undefined;
  const run = (): void => {
    running ??= task().finally(() => {
      running = undefined;
    });
  };
  const timer = setInterval(run, intervalMs);
  resources.defer(async () => {
    clearInterval(timer);
    await running;
  });
  return run;
}

/** What is asked of the providers, as far as their adapters offer it. */
function questionsFor(
  deps: WatchDependencies,
  { gateway, supplier, balanceAlert }: Watched,
  stop: AbortSignal,
): (() => Promise<void>)[] {
  const questions = [];
  if (gateway?.kind === 'remote' && gateway.checkAccess) {
    const failure = 'the gateway rejects our requests, or could not be reached';
    // Bound, because an adapter may be an instance of a class.
    const ask = gateway.checkAccess.bind(gateway);
    questions.push(createQuestion(deps, { provider: gateway.name, call: 'access', failure, ask }, stop));
  }
  if (supplier?.readBalance) {
    const asked = { name: supplier.name, readBalance: supplier.readBalance.bind(supplier) };
    questions.push(createBalanceReader(deps, asked, { alertBelow: balanceAlert, stop }));
  }
  return questions;
}

interface Watched {
  gateway?: PaymentGateway | undefined;
  supplier: Supplier | undefined;
  balanceAlert: number;
}

/**
 * Looks for alerts, and asks the providers what shows whether they handle our requests, at once and then every ten minutes,
 * until the resources are disposed of.
 */
export function watchStore(deps: WatchDependencies, watched: Watched, resources: AsyncDisposableStack): void {
  const logAlerts = createAlertLog(deps);
  const report = (error: unknown): void => {
    if (!isOfStore(error)) deps.logger.warn({ err: error }, 'the store could not be checked for alerts');
  };
  repeat(resources, alertIntervalMs, () => logAlerts().catch(report));
  const stop = new AbortController();
  for (const question of questionsFor(deps, watched, stop.signal))
    repeat(resources, questionIntervalMs, question)();
  // Deferred last, so that it is done first: a question that is still open doesn't delay the end.
  resources.defer(async () => stop.abort());
}
