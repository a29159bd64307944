import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Soak } from '../soak.ts';
import { cells, judge, nameOf, openWorkshop } from './cells.ts';

export const restoreMatrix: Soak = {
  name: 'restore-matrix',
  takesSeed: false,
  about:
    'Restores a backup over every state of the files of a store: file, log and index as left, missing, foreign or empty, its server running, stopped or killed.',
  async run({ progress }) {
    const folder = mkdtempSync(join(tmpdir(), 'topup-matrix-'));
    try {
      const workshop = await openWorkshop(folder);
      const found = { restored: 0, refused: 0 };
      for (const [index, cell] of cells.entries()) {
        progress(index / cells.length, nameOf(cell));
        found[await judge(workshop, cell)] += 1;
      }
      return `${cells.length} states: ${found.restored} times the store was the backup, ${found.refused} times the restore was refused and nothing changed; nothing that lay there was lost.`;
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};
