import {
  type Alert,
  type AlertKind,
  type Emit,
  findAlerts,
  isOfStore,
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

/** Interval between two looks for alerts, and between two questions to a provider, in milliseconds. */
const alertIntervalMs = 5_000;
const questionIntervalMs = 10 * 60_000;

/** The same between two questions for the balance while paid orders wait for it. */
const urgentIntervalMs = 15_000;

/** How long a provider may take to answer a question, in milliseconds. */
const questionTimeoutMs = 15_000;

/** How long a server writes the log of alerts for all servers of the store without looking again, in milliseconds of real time. */
const leaseMs = 6 * alertIntervalMs;

const maxNames = 10;

export interface WatchDependencies {
  store: Store;
  logger: Pick<Logger, 'warn' | 'info'>;
  /** Unix milliseconds of real time. */
  realClock: Clock;
  emit: Emit;
  /** The name of this process among the servers of the store. */
  serverId: string;
  /** Tells the webhooks of operators. */
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

/** What alerts are raised for, by kind. */
type Raised = ReadonlyMap<AlertKind, ReadonlySet<string>>;

const raisedBy = (alerts: readonly Alert[]): Raised =>
  new Map(alerts.map(({ kind, subjects }) => [kind, new Set(subjects)]));

/** What is in the first and not in the second. */
const without = (all: Raised, taken: Raised, kind: AlertKind): string[] =>
  [...(all.get(kind) ?? [])].filter((subject) => !taken.get(kind)?.has(subject));

/** Logs an alert when it is raised and when it is over, for each order, payment or provider that it is about. */
function logChanges(logger: WatchDependencies['logger'], known: Raised, alerts: readonly Alert[]): void {
  const raised = raisedBy(alerts);
  for (const { kind, names, subjects, count, sentence, items = [] } of alerts) {
    const added = without(raised, known, kind);
    if (added.length === 0) continue;
    // Where one act helps all, what waits for it is named, and not what it is about.
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
 * Returns a function that looks for alerts, and logs what has changed since its last look. Of several servers on a store, one writes
 * the log. When it is gone, another one goes on from what it saw before it was, so that nothing is left out; what was raised
 * in its last seconds may be logged twice.
 */
export function createAlertLog(
  deps: Pick<WatchDependencies, 'store' | 'logger' | 'realClock' | 'serverId'>,
): (rejected?: RejectedByLimits) => Promise<Alert[]> {
  const { store, logger, realClock, serverId } = deps;
  /** What the last looks found, from a little before the other server's last one on. */
  let looks: { at: number; raised: Raised }[] = [];
  let isOurs = false;

  async function claim(now: number): Promise<boolean> {
    try {
      return (
        (await store.claimWork(['log of alerts'], { by: serverId, until: now + leaseMs }, now)).length > 0
      );
    } catch {
      // Of a store that can only be read, every server tells.
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

/** Rejects when the signal aborts, also when the work ignores it. */
const untilAborted = <Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> =>
  new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });

/** Something that a provider is asked again and again. */
interface ProviderCheck {
  provider: string;
  call: ProviderCall;
  /** What a log says of one that fails. */
  failure: string;
  ask: (signal: AbortSignal) => Promise<void>;
}

/** Asks once, and reports what came of it. A question that fails is logged once, until one succeeds. */
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
      // A store that accepts no writes is no fault of the provider.
      if (stop.aborted || isOfStore(error)) return;
      emit({ type: 'call', provider, call, error });
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

/** Repeats a task, one run at a time, until the resources are disposed of. Returns a function that runs it at once. */
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

/** Asks the gateway whether it handles our requests; undefined if its adapter can't. */
function accessQuestion(deps: WatchDependencies, { gateway }: Watched, stop: AbortSignal) {
  if (gateway?.kind !== 'remote' || !gateway.checkAccess) return undefined;
  const failure = 'the gateway rejects our requests, or could not be reached';
  // Bound, because an adapter may be an instance of a class.
  const ask = gateway.checkAccess.bind(gateway);
  return createQuestion(deps, { provider: gateway.name, call: 'access', failure, ask }, stop);
}

/** Asks each supplier for the balance whose adapter can. */
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

/** Runs a task at most once in so many milliseconds of real time. */
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
 * Looks for alerts, and asks the providers what shows whether they handle our requests, at once and then every ten minutes,
 * until the resources are disposed of. The balance is asked for every 15 seconds while paid orders wait for it, and
 * soon after a delivery has failed.
 */
export function watchStore(deps: WatchDependencies, watched: Watched, resources: AsyncDisposableStack): void {
  const stop = new AbortController();
  /** Asks at once and then regularly; returns a function that asks once more. */
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
      // Some suppliers fail what the balance is too low for.
      if (alerts.some(({ kind }) => kind === 'waiting-for-balance') || failed !== failedBefore) hurry();
    } catch (error) {
      if (isOfStore(error)) return;
      if (!isFailing) deps.logger.warn({ err: error }, 'the store could not be checked for alerts');
      isFailing = true;
    }
  });
  // Deferred last, so that it is done first: a question that is still open doesn't delay the end.
  resources.defer(async () => stop.abort());
}
