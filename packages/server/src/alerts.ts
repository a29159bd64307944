import { type AlertKind, findAlerts } from '@topup-kit/core/engine';
import type { Clock } from '@topup-kit/core/platform';
import type { Store } from '@topup-kit/core/store';
import type { Supplier } from '@topup-kit/core/supplier';
import type { Logger } from 'pino';

/** Interval between two looks for alerts, and between two questions for the supplier's balance, in milliseconds. */
const alertIntervalMs = 60_000;
const balanceIntervalMs = 10 * 60_000;

/** How long a supplier may take to tell its balance, in milliseconds. */
const balanceTimeoutMs = 15_000;

export interface WatchDependencies {
  store: Store;
  logger: Pick<Logger, 'warn'>;
  /** Unix milliseconds of real time. */
  realClock: Clock;
}

/** Looks for alerts, and logs each name of one once; again only after it had gone away. */
export function createAlertLog({ store, logger, realClock }: WatchDependencies): () => Promise<void> {
  let known = new Map<AlertKind, ReadonlySet<string>>();
  return async () => {
    const realNow = realClock();
    const now = realNow + (await store.readWorldOffset());
    const alerts = await findAlerts(store, { now, realNow });
    for (const { kind, names, count, sentence } of alerts) {
      const added = names.filter((name) => !known.get(kind)?.has(name));
      if (added.length > 0)
        logger.warn({ alert: kind, names: added, count, runbook: `docs/going-live.md#${kind}` }, sentence);
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

/**
 * Reads the supplier's balance into the store, until `stop` aborts. A question that fails is logged once, until one
 * succeeds.
 */
export function createBalanceReader(
  { store, logger, realClock }: WatchDependencies,
  { name, readBalance }: { name: string; readBalance: NonNullable<Supplier['readBalance']> },
  { alertBelow, stop }: { alertBelow: number; stop: AbortSignal },
): () => Promise<void> {
  let isFailing = false;
  return async () => {
    try {
      const signal = AbortSignal.any([stop, AbortSignal.timeout(balanceTimeoutMs)]);
      const balance = await untilAborted(readBalance(signal), signal);
      if (!Number.isSafeInteger(balance))
        throw new TypeError("The supplier's readBalance returned no whole number.");
      await store.saveSupplierBalance({ supplier: name, balance, alertBelow, readAt: realClock() });
      isFailing = false;
    } catch (error) {
      if (stop.aborted) return;
      if (!isFailing) logger.warn({ err: error, supplier: name }, "the supplier's balance could not be read");
      isFailing = true;
    }
  };
}

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

/** Watches the store until the resources are disposed of: see {@link createAlertLog} and {@link createBalanceReader}. */
export function watchStore(
  deps: WatchDependencies,
  { supplier, balanceAlert }: { supplier: Supplier | undefined; balanceAlert: number },
  resources: AsyncDisposableStack,
): void {
  const logAlerts = createAlertLog(deps);
  const report = (error: unknown): void =>
    deps.logger.warn({ err: error }, 'the store could not be checked for alerts');
  repeat(resources, alertIntervalMs, () => logAlerts().catch(report));
  if (!supplier?.readBalance) return;
  // Bound, because an adapter may be an instance of a class.
  const asked = { name: supplier.name, readBalance: supplier.readBalance.bind(supplier) };
  const stop = new AbortController();
  repeat(
    resources,
    balanceIntervalMs,
    createBalanceReader(deps, asked, { alertBelow: balanceAlert, stop: stop.signal }),
  )();
  // Deferred last, so that it is done first: a question that is still open doesn't delay the end.
  resources.defer(async () => stop.abort());
}
