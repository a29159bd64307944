import {
  type Alert,
  type AlertKind,
  type EmitEvent,
  findAlerts,
  isStoreFailure,
  type RejectedByLimits,
  submitFunded,
} from '@topup-kit/core/engine';
import type { PaymentGateway } from '@topup-kit/core/gateway';
import type { Clock } from '@topup-kit/core/platform';
import type { ProviderCall, Store } from '@topup-kit/core/store';
import type { Supplier } from '@topup-kit/core/supplier';
import type { Logger } from 'pino';
import { redactSecrets } from './redact.ts';
import type { Rejections } from './rejections.ts';

/** Interval between two checks for alerts, and between two requests to a provider, in milliseconds. */
const alertIntervalMs = 5_000;
const questionIntervalMs = 10 * 60_000;

/** Interval between two requests for the balance while paid orders wait for it, in milliseconds. */
const urgentIntervalMs = 15_000;

/** Timeout of a request to a provider, in milliseconds. */
const questionTimeoutMs = 15_000;

/** Time for which a server writes the log of alerts for all servers of the store without another check, in milliseconds of real time. */
const leaseMs = 6 * alertIntervalMs;

const maxNames = 10;

export interface WatchDependencies {
  store: Store;
  logger: Pick<Logger, 'warn' | 'info'>;
  /** Unix milliseconds of real time. */
  realClock: Clock;
  emit: EmitEvent;
  /** This process's name among the servers of the store. */
  serverId: string;
  /** Sends alerts to operators' webhooks. */
  noteAlerts: (alerts: readonly Alert[]) => Promise<boolean>;
  rejections: Rejections;
}

export async function readAlerts(
  { store, realClock }: Pick<WatchDependencies, 'store' | 'realClock'>,
  rejected?: RejectedByLimits,
) {
  const realNow = realClock();
  return findAlerts(store, { now: realNow + (await store.readWorldOffset()), realNow }, rejected);
}

/** Subjects of raised alerts, by kind. */
type Raised = ReadonlyMap<AlertKind, ReadonlySet<string>>;

const raisedBy = (alerts: readonly Alert[]): Raised =>
  new Map(alerts.map(({ kind, subjects }) => [kind, new Set(subjects)]));

/** Returns the subjects that are in the first map but not in the second. */
const without = (all: Raised, taken: Raised, kind: AlertKind): string[] =>
  [...(all.get(kind) ?? [])].filter((subject) => !taken.get(kind)?.has(subject));

/** Logs when an alert starts and ends, for each order, payment or provider. */
function logChanges(logger: WatchDependencies['logger'], known: Raised, alerts: readonly Alert[]): void {
  const raised = raisedBy(alerts);
  for (const { kind, names, subjects, count, sentence, items = [] } of alerts) {
    const added = without(raised, known, kind);
    if (added.length === 0) continue;
    // If one action solves the alert for all, the log names the waiting orders instead of the subject.
    const shown = names[0] === subjects[0] ? added.slice(0, maxNames) : names;
    const pending = items.filter(({ orderId }) => shown.includes(orderId));
    logger.warn(
      {
        alert: kind,
        names: shown,
        count,
        ...(pending.length > 0 && { items: pending }),
        runbook: `docs/runbook.md#${kind}`,
      },
      redactSecrets(sentence),
    );
  }
  for (const kind of known.keys()) {
    const over = without(known, raised, kind);
    const left = alerts.find((alert) => alert.kind === kind)?.count ?? 0;
    if (over.length > 0)
      logger.info(
        { alert: kind, names: over.slice(0, maxNames), over: over.length, count: left },
        'an alert is over',
      );
  }
}

/**
 * Creates a function that checks for alerts, and logs the changes since its last check. Only one of several servers on a store writes the
 * log. If this server stops, another one continues from its own earlier checks, so that nothing is missed; alerts of the last seconds may
 * be logged twice.
 */
export function createAlertLog(
  deps: Pick<WatchDependencies, 'store' | 'logger' | 'realClock' | 'serverId'>,
): (rejected?: RejectedByLimits) => Promise<Alert[]> {
  const { store, logger, realClock, serverId } = deps;
  /** Results of the last checks, starting shortly before the last check by the other server. */
  let looks: { at: number; raised: Raised }[] = [];
  let isOurs = false;

  async function claim(now: number): Promise<boolean> {
    try {
      return (
        (await store.claimWork(['log of alerts'], { by: serverId, until: now + leaseMs }, now)).length > 0
      );
    } catch {
      // Every server sends alerts about a read-only store.
      return true;
    }
  }

  return async (rejected) => {
    const alerts = await readAlerts(deps, rejected);
    const now = realClock();
    const last = isOurs ? looks.at(-1) : looks[0];
    isOurs = await claim(now);
    if (isOurs) logChanges(logger, last?.raised ?? new Map(), alerts);
    const recent = looks.filter(({ at }) => at > now - leaseMs - 2 * alertIntervalMs);
    looks = [...recent, { at: now, raised: raisedBy(alerts) }];
    return alerts;
  };
}

/** Rejects when the signal aborts, even if the work ignores it. */
const untilAborted = <Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> =>
  new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });

/** A repeated request to a provider. */
interface ProviderCheck {
  provider: string;
  call: ProviderCall;
  /** The log message for a failure. */
  failure: string;
  ask: (signal: AbortSignal) => Promise<void>;
}

/** Creates a function that sends a request once, and reports the result. Repeated failures are logged once, until a request succeeds. */
function createQuestion(
  { logger, emit }: WatchDependencies,
  { provider, call, failure, ask }: ProviderCheck,
  stop: AbortSignal,
): () => Promise<void> {
  let isFailing = false;
  return async () => {
    try {
      const signal = AbortSignal.any([stop, AbortSignal.timeout(questionTimeoutMs)]);
      await untilAborted(ask(signal), signal);
      emit({ type: 'call', provider, call, error: undefined });
      isFailing = false;
    } catch (error) {
      // A store that rejects writes is not the provider's fault.
      if (stop.aborted || isStoreFailure(error)) return;
      emit({ type: 'call', provider, call, error });
      if (!isFailing) logger.warn({ err: error, provider }, failure);
      isFailing = true;
    }
  };
}

/** Stores the supplier's balance regularly, until `stop` aborts. */
export const createBalanceReader = (
  deps: WatchDependencies,
  { name, readBalance }: { name: string; readBalance: NonNullable<Supplier['readBalance']> },
  { alertBelow, stop }: { alertBelow: number; stop: AbortSignal },
): (() => Promise<void>) =>
  createQuestion(
    deps,
    {
      provider: name,
      call: 'balance',
      failure: "the supplier's balance could not be read",
      async ask(signal) {
        const balance = await readBalance(signal);
        if (!Number.isSafeInteger(balance))
          throw new TypeError("The supplier's readBalance returned no whole number.");
        const { store, realClock } = deps;
        const before = (await store.readSupplierBalances()).find(({ supplier }) => supplier === name);
        await store.saveSupplierBalance({ supplier: name, balance, alertBelow, readAt: realClock() });
        if (before && balance > before.balance)
          await submitFunded(
            store,
            { supplier: name, balance },
            realClock() + (await store.readWorldOffset()),
          );
      },
    },
    stop,
  );

/** Repeats a task, one run at a time, until the resources are disposed of. Returns a function that runs it immediately. */
function repeat(
  resources: AsyncDisposableStack,
  intervalMs: number,
  task: () => Promise<unknown>,
): () => void {
  let running: Promise<unknown> | undefined;
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

export interface Watched {
  gateway?: PaymentGateway | undefined;
  suppliers: readonly Supplier[];
  balanceAlert: number;
}

/** Creates a check of whether the gateway accepts our requests; undefined if its adapter has no such check. */
function accessQuestion(deps: WatchDependencies, { gateway }: Watched, stop: AbortSignal) {
  if (gateway?.kind !== 'remote' || !gateway.checkAccess) return undefined;
  const failure = "the gateway rejects the server's requests, or could not be reached";
  // Binds the method, because an adapter may be an instance of a class.
  const ask = gateway.checkAccess.bind(gateway);
  return createQuestion(deps, { provider: gateway.name, call: 'access', failure, ask }, stop);
}

/** Creates a request for the balance of each supplier whose adapter supports it. */
const balanceQuestions = (
  deps: WatchDependencies,
  { suppliers, balanceAlert }: Watched,
  stop: AbortSignal,
): (() => Promise<void>)[] =>
  suppliers.flatMap((supplier) => {
    if (!supplier.readBalance) return [];
    const asked = { name: supplier.name, readBalance: supplier.readBalance.bind(supplier) };
    return createBalanceReader(deps, asked, { alertBelow: balanceAlert, stop });
  });

/** Returns a function that runs a task at most once per interval of real time, in milliseconds. */
function atMostEvery(intervalMs: number, task: () => void): () => void {
  let last = Number.NEGATIVE_INFINITY;
  return () => {
    const now = performance.now();
    if (now - last < intervalMs) return;
    last = now;
    task();
  };
}

/**
 * Checks for alerts, and sends requests that show whether the providers accept ours: immediately, and then every ten minutes until the
 * resources are disposed of. It requests the balance every 15 seconds while paid orders wait for it, and soon after a failed delivery.
 */
export function watchStore(deps: WatchDependencies, watched: Watched, resources: AsyncDisposableStack): void {
  const stop = new AbortController();
  /** Runs a request immediately and then regularly; returns a function for an additional run. */
  function begin(ask: (() => Promise<void>) | undefined): () => void {
    if (!ask) return () => {};
    const run = repeat(resources, questionIntervalMs, ask);
    run();
    return run;
  }
  begin(accessQuestion(deps, watched, stop.signal));
  const askForBalances = balanceQuestions(deps, watched, stop.signal).map(begin);
  const hurry = atMostEvery(urgentIntervalMs, () => {
    for (const ask of askForBalances) ask();
  });
  const logAlerts = createAlertLog(deps);
  let isFailing = false;
  let failed = '';
  repeat(resources, alertIntervalMs, async () => {
    try {
      const rejected = deps.rejections.pending();
      const alerts = await logAlerts(rejected);
      if (await deps.noteAlerts(alerts)) deps.rejections.forget(rejected);
      isFailing = false;
      const failedBefore = failed;
      failed = alerts.find(({ kind }) => kind === 'failed-deliveries')?.subjects.join() ?? '';
      // Some suppliers fail purchases when the balance is too low.
      if (alerts.some(({ kind }) => kind === 'waiting-for-balance') || failed !== failedBefore) hurry();
    } catch (error) {
      if (isStoreFailure(error)) return;
      if (!isFailing) deps.logger.warn({ err: error }, 'the store could not be checked for alerts');
      isFailing = true;
    }
  });
  // Deferred last, so that it runs first: an open request doesn't delay the server's stop.
  resources.defer(async () => stop.abort());
}
