import { stat } from 'node:fs/promises';
import { alertKinds, findBelowCost } from '@topup-kit/core/engine';
import type { Clock } from '@topup-kit/core/platform';
import type { Store } from '@topup-kit/core/store';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { logOf } from '../sqlite/index.ts';
import { readAlerts } from './alerts.ts';
import { type Counters, createCounters } from './counters.ts';
import type { UnreadyReason } from './readiness.ts';

export interface WatchedStore {
  store: Store;
  /** The store's file; null for a store in memory. */
  path: string | null;
  /** Unix milliseconds of real time. */
  realClock: Clock;
  whyUnready: () => Promise<UnreadyReason | null>;
}

type AddGauge = <Label extends string>(
  spec: { name: string; help: string; labels: Label[] },
  read: (set: (value: number, labels: Record<Label, string>) => void) => Promise<void>,
) => void;

/** Counts events, and reads the state of a store, for Prometheus. docs/operation.md has a table of the metrics. */
export interface Metrics extends Counters {
  /** Rooms add their own counters here. */
  registry: Registry;
  /** Adds a gauge that is read at every scrape. It is missing if it can't be read. */
  gauge: AddGauge;
  /** Reads the state of a store at every scrape. */
  watch(watched: WatchedStore): void;
  /** Returns the text for Prometheus, and its type. */
  render(): Promise<{ type: string; text: string }>;
}

const sizeOf = async (path: string): Promise<number> => {
  try {
    return (await stat(path)).size;
  } catch {
    return 0;
  }
};

let processRegistry: Registry | undefined;

/** Returns the metrics of the process, shared by all its servers. They are measured from the first scrape on, and need no work before. */
async function processMetrics(): Promise<string> {
  if (!processRegistry) {
    processRegistry = new Registry();
    collectDefaultMetrics({ register: processRegistry });
  }
  // A metric without a value has no line: event loop lag is measured only after the first scrape.
  return (await processRegistry.metrics()).replace(/^.* nan\n/gim, '');
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const gauge: AddGauge = ({ name, help, labels }, read) => {
    new Gauge({
      name,
      help,
      labelNames: labels,
      registers,
      async collect() {
        this.reset();
        if (labels.length === 0) this.remove();
        await read((value, of) => this.set(of, value)).catch(() => {});
      },
    });
  };

  return {
    ...createCounters(registry),
    registry,
    gauge,
    watch({ store, path, realClock, whyUnready }) {
      gauge(
        {
          name: 'topup_orders',
          help: 'Stored orders by state.',
          labels: ['payment_status', 'buy_status'],
        },
        async (set) => {
          for (const { paymentStatus, buyStatus, count } of await store.countOrders())
            set(count, { payment_status: paymentStatus, buy_status: buyStatus });
        },
      );
      gauge(
        {
          name: 'topup_due_work_lag_seconds',
          help: 'Age of the oldest due work.',
          labels: [],
        },
        async (set) => {
          const [dueAt, ahead] = await Promise.all([store.nextDueAt(), store.readWorldOffset()]);
          set(dueAt === null ? 0 : Math.max(0, realClock() + ahead - dueAt) / 1_000, {});
        },
      );
      gauge({ name: 'topup_open_reconciliations', help: 'Payments to reconcile.', labels: [] }, async (set) =>
        set((await store.listReconciliations({ state: 'open' })).length, {}),
      );
      gauge(
        {
          name: 'topup_products_below_cost',
          help: 'Products that are closed because they cost more than their prices.',
          labels: [],
        },
        async (set) => {
          const realNow = realClock();
          const now = realNow + (await store.readWorldOffset());
          set((await findBelowCost(store, realNow, now)).length, {});
        },
      );
      gauge(
        {
          name: 'topup_alerts',
          help: 'Orders, payments, providers or callbacks that need an operator, by alert.',
          labels: ['alert'],
        },
        async (set) => {
          const counts = new Map(
            (await readAlerts({ store, realClock })).map(({ kind, count }) => [kind, count]),
          );
          for (const alert of alertKinds) set(counts.get(alert) ?? 0, { alert });
        },
      );
      gauge(
        { name: 'topup_store_writable', help: 'Whether the store accepts writes: 1 or 0.', labels: [] },
        async (set) => set(/^store_/.test((await whyUnready()) ?? '') ? 0 : 1, {}),
      );
      if (path === null) return;
      gauge(
        { name: 'topup_store_bytes', help: 'Size of the files of the store.', labels: ['file'] },
        async (set) => {
          set(await sizeOf(path), { file: 'main' });
          set(await sizeOf(logOf(path)), { file: 'wal' });
        },
      );
    },
    render: async () => ({
      type: registry.contentType,
      text: (await registry.metrics()) + (await processMetrics()),
    }),
  };
}
