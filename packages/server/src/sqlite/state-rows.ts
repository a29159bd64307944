import type { DatabaseSync } from 'node:sqlite';
import {
  type Done,
  done,
  type ProviderProblem,
  providerCalls,
  type Store,
  type StoreDisplay,
  type StoreMode,
  type SupplierBalance,
  type SupplierList,
} from '@topup-kit/core/store';
import { integer, oneOf, text } from '../rows/columns.ts';
import { supplierListOf } from '../rows/records.ts';

export interface WorldRows {
  /** How far world time is ahead of real time, in milliseconds. */
  read(): number;
  move(by: number): number;
  reset(): void;
}

export function prepareWorldRows(db: DatabaseSync): WorldRows {
  const select = db.prepare('SELECT ahead FROM world');
  const move = db.prepare('UPDATE world SET ahead = ahead + ? RETURNING ahead');
  const reset = db.prepare('UPDATE world SET ahead = 0');

  return {
    read: () => integer(select.get() ?? {}, 'ahead'),
    move: (by) => integer(move.get(by) ?? {}, 'ahead'),
    reset: () => void reset.run(),
  };
}

export interface ModeRows {
  read(): StoreMode | null;
  claim(mode: StoreMode): Awaited<ReturnType<Store['claimMode']>>;
}

export function prepareModeRows(db: DatabaseSync): ModeRows {
  const select = db.prepare('SELECT mode FROM mode');
  const insert = db.prepare('INSERT INTO mode (id, mode) VALUES (1, ?) ON CONFLICT DO NOTHING');

  function read(): StoreMode | null {
    const row = select.get();
    return row ? oneOf<StoreMode>(['live', 'sandbox'], row, 'mode') : null;
  }

  return {
    read,
    claim(mode) {
      insert.run(mode);
      const claimed = read();
      return claimed === null || claimed === mode ? done : { conflict: 'other_mode', mode: claimed };
    },
  };
}

export interface DisplayRows {
  read(): StoreDisplay | null;
  save(display: StoreDisplay): Done;
}

export function prepareDisplayRows(db: DatabaseSync): DisplayRows {
  const select = db.prepare('SELECT currency, timezone FROM display');
  const replace = db.prepare('INSERT OR REPLACE INTO display (id, currency, timezone) VALUES (1, ?, ?)');
  return {
    read() {
      const row = select.get();
      return row ? { currency: text(row, 'currency'), timezone: text(row, 'timezone') } : null;
    },
    save({ currency, timezone }) {
      replace.run(currency, timezone);
      return done;
    },
  };
}

export interface SupplierBalanceRows {
  read(): SupplierBalance | null;
  save(balance: SupplierBalance): Done;
}

export function prepareSupplierBalanceRows(db: DatabaseSync): SupplierBalanceRows {
  const select = db.prepare('SELECT supplier, balance, alert_below, read_at FROM supplier_balance');
  const replace = db.prepare(
    'INSERT OR REPLACE INTO supplier_balance (id, supplier, balance, alert_below, read_at) VALUES (1, ?, ?, ?, ?)',
  );
  return {
    read() {
      const row = select.get();
      if (!row) return null;
      return {
        supplier: text(row, 'supplier'),
        balance: integer(row, 'balance'),
        alertBelow: integer(row, 'alert_below'),
        readAt: integer(row, 'read_at'),
      };
    },
    save({ supplier, balance, alertBelow, readAt }) {
      replace.run(supplier, balance, alertBelow, readAt);
      return done;
    },
  };
}

export interface SupplierListRows {
  read(): SupplierList[];
  save(list: SupplierList): Done;
}

export function prepareSupplierListRows(db: DatabaseSync, revision: RevisionRows): SupplierListRows {
  const select = db.prepare('SELECT supplier, read_at, products FROM supplier_lists ORDER BY read_at DESC');
  const replace = db.prepare(
    'INSERT OR REPLACE INTO supplier_lists (supplier, read_at, products) VALUES (?, ?, ?)',
  );
  return {
    read: () => select.all().map(supplierListOf),
    save({ supplier, readAt, products }) {
      replace.run(supplier, readAt, JSON.stringify(products));
      revision.increment();
      return done;
    },
  };
}

export interface ProviderProblemRows {
  read(): ProviderProblem[];
  save(problems: readonly ProviderProblem[]): Done;
}

export function prepareProviderProblemRows(db: DatabaseSync): ProviderProblemRows {
  const select = db.prepare(
    'SELECT provider, call, problem, since FROM provider_problems ORDER BY provider, call',
  );
  const clear = db.prepare('DELETE FROM provider_problems');
  const insert = db.prepare(
    'INSERT INTO provider_problems (provider, call, problem, since) VALUES (?, ?, ?, ?)',
  );
  return {
    read: () =>
      select.all().map((row) => ({
        provider: text(row, 'provider'),
        call: oneOf(providerCalls, row, 'call'),
        problem: text(row, 'problem'),
        since: integer(row, 'since'),
      })),
    save(problems) {
      clear.run();
      for (const { provider, call, problem, since } of problems) insert.run(provider, call, problem, since);
      return done;
    },
  };
}

/** Maximum delay before another process's change is seen, in milliseconds of real time. */
const maxStaleMs = 250;

export interface RevisionRows {
  read(): number;
  /** Called by every command that changes the catalogue, a list of a supplier or the keys. */
  increment(): void;
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
  };
}
