import type { DatabaseSync } from 'node:sqlite';
import { integer } from './columns.ts';

/** How long another process's change may go unnoticed, in milliseconds of real time. */
const longestLag = 250;

export interface RevisionRows {
  read(): number;
  /** Part of every command that changes the catalogue or the keys. */
  grow(): void;
}

/** The revision is read on every request, so the value that was read last is trusted for a moment. */
export function prepareRevisionRows(db: DatabaseSync): RevisionRows {
  const select = db.prepare(`SELECT value FROM revisions WHERE name = 'catalog_and_keys'`);
  const increment = db.prepare(`UPDATE revisions SET value = value + 1 WHERE name = 'catalog_and_keys'`);
  let value = 0;
  let readAt = Number.NEGATIVE_INFINITY;

  return {
    read() {
      const now = performance.now();
      if (now - readAt < longestLag) return value;
      value = integer(select.get() ?? {}, 'value');
      readAt = now;
      return value;
    },
    grow() {
      increment.run();
      readAt = Number.NEGATIVE_INFINITY;
    },
  };
}
