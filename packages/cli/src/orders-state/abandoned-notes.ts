import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stateFolder } from '../config/file.ts';
import { systemCode } from '../errors/cli-error.ts';
import type { Io } from '../io.ts';
import { type BegunOrder, type NoteName, parseName, parseNote } from './begun-order.ts';
import { isRunningElsewhere } from './holder.ts';

/** An attempt takes at most half of it: whoever holds an order for longer, in milliseconds, sends it no more. */
const longestHold = 60_000;

const isHeld = (name: NoteName): boolean =>
  Math.abs(Date.now() - name.since) <= longestHold && isRunningElsewhere(name);

/** What `work` gives; undefined when its file is gone: another process took or forgot it, or there never was one. */
export function unlessGone<Value>(work: () => Value): Value | undefined {
  try {
    return work();
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Where orders are noted that were begun on this machine. */
export const notesFolder = (io: Pick<Io, 'environment'>): string => join(stateFolder(io), 'orders');

/** A note of an order that no running process sends any more. */
export interface AbandonedNote {
  file: string;
  name: NoteName;
  /** What it says; undefined when it is gone meanwhile. */
  read(): BegunOrder | 'unreadable' | undefined;
}

/** The notes of orders that were begun and that no running process sends any more; changes nothing. */
export const abandonedNotes = (folder: string): AbandonedNote[] =>
  (unlessGone(() => readdirSync(folder)) ?? []).flatMap((file) => {
    const name = parseName(file);
    if (!name || isHeld(name)) return [];
    const path = join(folder, file);
    const read = (): ReturnType<AbandonedNote['read']> => {
      const text = unlessGone(() => readFileSync(path, 'utf8'));
      return text === undefined ? undefined : (parseNote(text, name.fingerprint) ?? 'unreadable');
    };
    return [{ file: path, name, read }];
  });
