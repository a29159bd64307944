import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '@topup-kit/server/internal/folders';
import type { Io } from '../io.ts';
import { type AbandonedNote, abandonedNotes, notesFolder, unlessGone } from './abandoned-notes.ts';
import {
  type BegunOrder,
  fingerprintOf,
  formatName,
  type NoteName,
  type OrderIdentity,
} from './begun-order.ts';
import { removeLeftovers, renameDurably, writeDurably } from './durable-files.ts';
import { ownHolder } from './holder.ts';
import { corruptNote, unusableFolder } from './problems.ts';

/** An order that was begun, and is ours to send. */
export interface OrderNote {
  order: BegunOrder;
  /** Its end is known and told: it need not be kept. */
  forget(): void;
}

/** An order that somebody began and no running process sends any more. */
export interface UnfinishedOrder {
  order: BegunOrder;
  /** Takes it over; undefined when another process was faster. */
  claim(): OrderNote | undefined;
}

/** What is known of an order that is about to be sent. */
type Beginning = OrderIdentity & Pick<BegunOrder, 'api_key_hash'>;

/** The orders that were begun on this machine and whose end was not told yet, as files in the state folder. */
export interface OrderNotes {
  /** Notes an order that is about to be sent; on the disk when this returns. */
  begin(order: Beginning): OrderNote;
  /** Begins one in the place of the unfinished ones of the same order, also of those that can't be read. */
  beginAnother(order: Beginning): OrderNote;
  /** The unfinished ones of the same order, the oldest first. */
  unfinished(order: OrderIdentity): UnfinishedOrder[];
}

const ownName = (fingerprint: string): NoteName => ({
  ...ownHolder(),
  fingerprint,
  id: randomUUID(),
  since: Date.now(),
});

/** Opens the notes, and makes their folder; what fails here fails before anything is sent. */
export function openOrderNotes(io: Pick<Io, 'environment'>): OrderNotes {
  const folder = notesFolder(io);

  function usable<Value>(work: () => Value): Value {
    try {
      return work();
    } catch (error) {
      throw unusableFolder(folder, error);
    }
  }

  const noteAt = (path: string, order: BegunOrder): OrderNote => ({
    order,
    forget: () => usable(() => rmSync(path, { force: true })),
  });

  function rename(name: string, path: string): true {
    renameDurably(join(folder, name), path);
    return true;
  }

  function claim(name: NoteName, order: BegunOrder): OrderNote | undefined {
    const claimed = { ...name, ...ownHolder(), since: Date.now() };
    const path = join(folder, formatName(claimed));
    const taken = usable(() => unlessGone(() => rename(formatName(name), path)));
    return taken ? noteAt(path, order) : undefined;
  }

  const abandoned = (fingerprint: string): AbandonedNote[] =>
    usable(() => abandonedNotes(folder)).filter(({ name }) => name.fingerprint === fingerprint);

  function begin(identity: Beginning): OrderNote {
    const path = join(folder, formatName(ownName(fingerprintOf(identity))));
    const order = { ...identity, idempotency_key: randomUUID(), begun_at: new Date().toISOString() };
    usable(() => writeDurably(path, `${JSON.stringify(order)}\n`));
    return noteAt(path, order);
  }

  usable(() => {
    makeFolder(folder);
    removeLeftovers(folder);
  });
  return {
    begin,
    beginAnother(identity) {
      const old = abandoned(fingerprintOf(identity));
      // Only once the new one is noted: until then the old ones are all that is known.
      const note = begin(identity);
      for (const { file } of old) usable(() => rmSync(file, { force: true }));
      return note;
    },
    unfinished(identity) {
      const found = abandoned(fingerprintOf(identity)).flatMap(({ file, name, read }) => {
        const order = usable(read);
        if (order === undefined) return [];
        if (order === 'unreadable') throw corruptNote(file);
        return [{ order, claim: () => claim(name, order) }];
      });
      return found.toSorted(
        (one, other) => Date.parse(one.order.begun_at) - Date.parse(other.order.begun_at),
      );
    },
  };
}
