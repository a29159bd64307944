import { type RandomBytes, randomBelow } from '@topup-kit/core/platform';
import { Content, type Recorded } from './disk.ts';

/** Size in bytes that a disk writes as a whole. */
const sector = 512;

type Pending = Extract<Recorded, { file: number }> & { kind: 'write' | 'truncate' };
type Renaming = Extract<Recorded, { kind: 'create' | 'delete' }>;

/** Unsynced changes that are on the disk: none, all, the first ones, any, or any sectors of them. */
const extents = ['nothing', 'all', 'first', 'any', 'torn', 'torn'] as const;
type Extent = (typeof extents)[number];

function applyWhole(content: Content, change: Pending): void {
  if (change.kind === 'write') content.write(change.at, change.bytes);
  else content.truncate(change.size);
}

/** Applies a write, of which each sector may or may not be on the disk. */
function applyTorn(content: Content, change: Pending, random: RandomBytes): void {
  if (change.kind === 'truncate') {
    if (randomBelow(random, 2) === 0) content.truncate(change.size);
    return;
  }
  const { at, bytes } = change;
  for (let from = 0; from < bytes.length; ) {
    const to = Math.min(bytes.length, from + sector - ((at + from) % sector));
    if (randomBelow(random, 2) === 0) content.write(at + from, bytes.subarray(from, to));
    from = to;
  }
}

function applySome(content: Content, pending: readonly Pending[], extent: Extent, random: RandomBytes): void {
  if (extent === 'nothing') return;
  const count = extent === 'first' ? randomBelow(random, pending.length + 1) : pending.length;
  for (const change of pending.slice(0, count))
    if (extent === 'torn') applyTorn(content, change, random);
    else if (extent !== 'any' || randomBelow(random, 2) === 0) applyWhole(content, change);
}

/**
 * Tracks the data that is certainly on the disk, and the data that may be, while changes are replayed one by one. A sync of a file makes
 * its content certain, and a sync of the folder makes its names certain. After a failed sync, any part of the content may be there, and a
 * later sync doesn't write it, because the system treats it as written.
 */
export class Replay {
  readonly #files = new Map<number, { certain: Content; pending: Pending[] }>();
  readonly #names = new Map<string, number>();
  #renamings: Renaming[] = [];
  readonly #random: RandomBytes;

  constructor(random: RandomBytes) {
    this.#random = random;
  }

  apply(change: Recorded): void {
    switch (change.kind) {
      case 'create':
        if (change.fault !== null) return;
        this.#files.set(change.file, { certain: new Content(), pending: [] });
        this.#renamings.push(change);
        return;
      case 'delete':
        if (change.fault === null) this.#renamings.push(change);
        return;
      case 'syncFolder':
        if (change.fault === null) this.#settleNames();
        return;
      case 'write':
        this.#file(change.file).pending.push(change);
        return;
      case 'truncate':
        if (change.fault === null) this.#file(change.file).pending.push(change);
        return;
      case 'sync': {
        const file = this.#file(change.file);
        applySome(file.certain, file.pending, change.fault === null ? 'all' : this.#extent(), this.#random);
        file.pending = [];
      }
    }
  }

  /** Returns whether some data is not certainly on the disk. */
  hasUnsynced(): boolean {
    return this.#renamings.length > 0 || [...this.#files.values()].some(({ pending }) => pending.length > 0);
  }

  /** Returns the files that one power cut at this moment may leave. */
  cut(): Map<string, Uint8Array> {
    const names = new Map(this.#names);
    const extent = this.#extent();
    for (const renaming of this.#renamings)
      if (extent === 'all' || (extent !== 'nothing' && randomBelow(this.#random, 2) === 0))
        rename(names, renaming);
    return new Map(
      [...names].map(([name, number]) => {
        const { certain, pending } = this.#file(number);
        const content = new Content(certain);
        applySome(content, pending, this.#extent(), this.#random);
        return [name, content.bytes()];
      }),
    );
  }

  #extent(): Extent {
    return extents[randomBelow(this.#random, extents.length)] ?? 'nothing';
  }

  #file(number: number) {
    const file = this.#files.get(number);
    if (!file) throw new Error(`there is no file ${number}`);
    return file;
  }

  #settleNames(): void {
    for (const renaming of this.#renamings) rename(this.#names, renaming);
    this.#renamings = [];
  }
}

function rename(names: Map<string, number>, change: Renaming): void {
  if (change.kind === 'create') names.set(change.name, change.file);
  else names.delete(change.name);
}
