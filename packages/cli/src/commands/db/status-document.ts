import type { CheckDepth, Inspection } from '@topup-kit/server';
import { isoTime } from '../../output/format.ts';
import { factsDocument } from '../backup/facts.ts';

/** How a store's file is, for programs. */
export const statusDocument = (path: string, store: Inspection, check: CheckDepth) => ({
  store: path,
  check,
  bytes: store.bytes,
  log_bytes: store.logBytes,
  ...factsDocument(store),
  newest_format: store.newestFormat,
  server: store.server && { pid: store.server.pid, address: store.server.address ?? null },
  world_ahead_ms: store.worldOffset,
  active_keys: store.activeKeys,
  products: store.products,
  promos: store.promos,
  states: store.states.map(({ paymentStatus, buyStatus, count }) => ({
    payment_status: paymentStatus,
    buy_status: buyStatus,
    count,
  })),
  reserved: store.reserved,
  next_due_at: store.nextDueAt === null ? null : isoTime(store.nextDueAt),
  overdue: store.overdue,
  open_reconciliations: store.openReconciliations,
});
