import type { DatabaseSync } from 'node:sqlite';
import type { Store, StoreMode } from '@topup-kit/core/store';
import { done } from '@topup-kit/core/store';
import { oneOf } from './columns.ts';

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
