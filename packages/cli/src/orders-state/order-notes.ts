import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { systemCode } from '../errors/system-code.ts';
import type { Io } from '../io.ts';
import { stateFolder } from '../settings/config-path.ts';
import {
  type BegunOrder,
  fingerprintOf,
  formatName,
  type NoteName,
  type OrderIdentity,
  parseName,
  parseNote,
} from './begun-order.ts';
import { makeFolder, removeLeftovers, renameDurably, writeDurably } from './durable-files.ts';
import { isRunningElsewhere, ownHolder } from './holder.ts';
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

/** The orders that were begun on this machine and whose end was not told yet, as files in the state folder. */
export interface OrderNotes {
  /** Notes an order that is about to be sent; on the disk when this returns. */
  begin(order: OrderIdentity & Pick<BegunOrder, 'api_key_hash'>): OrderNote;
  /** The unfinished ones of the same order, the oldest first. */
  unfinished(order: OrderIdentity): UnfinishedOrder[];
}

/** An attempt takes at most half of it: whoever holds an order for longer, in milliseconds, sends it no more. */
const longestHold = 60_000;

const isHeld = (name: NoteName): boolean =>
  Math.abs(Date.now() - name.since) <= longestHold && isRunningElsewhere(name);

const ownName = (fingerprint: string): NoteName => ({
  ...ownHolder(),
  fingerprint,
  id: randomUUID(),
  since: Date.now(),
});

/** What `work` gives; undefined when its file is gone: another process took or forgot it. */
function unlessGone<Value>(work: () => Value): Value | undefined {
  try {
    return work();
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Opens the notes, and makes their folder; what fails here fails before anything is sent. */
export function openOrderNotes(io: Pick<Io, 'environment'>): OrderNotes {
  const folder = join(stateFolder(io), 'orders');

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

  usable(() => {
    makeFolder(folder);
    removeLeftovers(folder);
  });
  return {
    begin(identity) {
      const fingerprint = fingerprintOf(identity);
      const path = join(folder, formatName(ownName(fingerprint)));
      const order = { ...identity, idempotency_key: randomUUID(), begun_at: new Date().toISOString() };
      usable(() => writeDurably(path, `${JSON.stringify(order)}\n`));
      return noteAt(path, order);
    },
    unfinished(identity) {
      const fingerprint = fingerprintOf(identity);
      const found = usable(() => readdirSync(folder)).flatMap((file) => {
        const name = parseName(file);
        if (name?.fingerprint !== fingerprint || isHeld(name)) return [];
        const path = join(folder, file);
        const text = usable(() => unlessGone(() => readFileSync(path, 'utf8')));
        if (text === undefined) return [];
        const order = parseNote(text, fingerprint);
        if (!order) throw corruptNote(path);
        return [{ order, claim: () => claim(name, order) }];
      });
      return found.toSorted(
        (one, other) => Date.parse(one.order.begun_at) - Date.parse(other.order.begun_at),
      );
    },
  };
}
