import type { DatabaseSync } from 'node:sqlite';
import { integer } from '../rows/columns.ts';

export interface WorldRows {
  reset(): void;
}

export function prepareWorldRows(db: DatabaseSync): WorldRows {
  const reset = db.prepare('UPDATE world SET ahead = 0');
  return { reset: () => void reset.run() };
}

/** Maximum delay before another process's change is seen, in milliseconds of real time. */
const maxStaleMs = 250;

export interface RevisionRows {
  read(): number;
  /** Called by every command that changes the catalogue, a list of a supplier or the keys. */
  increment(): void;
  /** Has the next request read it, because this process changed something. */
  forget(): void;
}

/** Caches the revision for a short time, because it is read on every request. */
export function prepareRevisionRows(db: DatabaseSync): RevisionRows {
  const select = db.prepare(`SELECT value FROM revisions WHERE name = 'catalog_and_keys'`);
  const increase = db.prepare(`UPDATE revisions SET value = value + 1 WHERE name = 'catalog_and_keys'`);
  let value = 0;
  let readAt = Number.NEGATIVE_INFINITY;

  return {
    read() {
      const now = performance.now();
      if (now - readAt < maxStaleMs) return value;
      value = integer(select.get() ?? {}, 'value');
      readAt = now;
      return value;
    },
    increment() {
      increase.run();
      readAt = Number.NEGATIVE_INFINITY;
    },
    forget() {
      readAt = Number.NEGATIVE_INFINITY;
    },
  };
}
