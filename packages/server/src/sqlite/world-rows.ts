import type { DatabaseSync } from 'node:sqlite';
import { integer } from './columns.ts';

export interface WorldRows {
  /** How far world time is ahead of real time, in milliseconds. */
  read(): number;
  move(by: number): number;
  setRight(): void;
}

export function prepareWorldRows(db: DatabaseSync): WorldRows {
  const select = db.prepare('SELECT ahead FROM world');
  const move = db.prepare('UPDATE world SET ahead = ahead + ? RETURNING ahead');
  const setRight = db.prepare('UPDATE world SET ahead = 0');

  return {
    read: () => integer(select.get() ?? {}, 'ahead'),
    move: (by) => integer(move.get(by) ?? {}, 'ahead'),
    setRight: () => void setRight.run(),
  };
}
