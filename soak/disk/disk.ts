/** Change of the disk as the operating system receives it. A file is a number, because its name can change. */
export type Change =
  | { kind: 'write'; file: number; at: number; bytes: Uint8Array }
  | { kind: 'truncate'; file: number; size: number }
  | { kind: 'sync'; file: number }
  | { kind: 'create'; name: string; file: number }
  | { kind: 'delete'; name: string }
  | { kind: 'syncFolder' };

export type Fault = 'EIO' | 'ENOSPC';

/** Change with its result. If a write failed, `bytes` are those that were written despite the failure. */
export type Recorded = Change & { fault: Fault | null };

export class DiskError extends Error {
  readonly code: Fault;

  constructor(fault: Fault) {
    super(fault);
    this.code = fault;
  }
}

/** Content of a file, which grows as it is written. */
export class Content {
  #bytes: Uint8Array;
  size: number;

  constructor(from?: Content) {
    this.#bytes = from ? from.bytes().slice() : new Uint8Array(0);
    this.size = this.#bytes.length;
  }

  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.size);
  }

  write(at: number, bytes: Uint8Array): void {
    this.#resize(Math.max(this.size, at + bytes.length));
    this.#bytes.set(bytes, at);
  }

  truncate(size: number): void {
    if (size < this.size) this.#bytes.fill(0, size, this.size);
    this.#resize(size);
  }

  #resize(size: number): void {
    if (size > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(size, 2 * this.#bytes.length));
      larger.set(this.bytes());
      this.#bytes = larger;
    }
    this.size = size;
  }
}

/** Decides whether a change fails, from the change and the number of changes before it. */
export type Faults = (change: Change, number: number) => Fault | null;

/**
 * Folder on a disk in memory, as processes see it: each read returns the data that was written last. It records every change, so that
 * {@link crashStates} can compute what a power cut may leave.
 */
export class Disk {
  readonly changes: Recorded[] = [];
  readonly #names = new Map<string, number>();
  readonly #files: Content[] = [];
  /** Decides which changes fail. */
  faults: Faults = () => null;
  #isOn = true;

  /** Creates a disk with these files, all synced. */
  constructor(files: ReadonlyMap<string, Uint8Array> = new Map()) {
    for (const [name, bytes] of files) {
      const file = this.create(name);
      this.write(file, 0, bytes);
      this.sync(file);
    }
    if (files.size > 0) this.syncFolder();
  }

  /** Runs work of a dead process, of which nothing reaches the disk. */
  async withoutChanges(work: () => Promise<void>): Promise<void> {
    this.#isOn = false;
    await work();
    this.#isOn = true;
  }

  find(name: string): number | null {
    return this.#names.get(name) ?? null;
  }

  create(name: string): number {
    const file = this.#files.length;
    this.#change({ kind: 'create', name, file });
    this.#names.set(name, file);
    this.#files.push(new Content());
    return file;
  }

  delete(name: string): void {
    this.#change({ kind: 'delete', name });
    this.#names.delete(name);
  }

  read(file: number, at: number, length: number): Uint8Array {
    return this.#content(file)
      .bytes()
      .subarray(at, at + length);
  }

  size(file: number): number {
    return this.#content(file).size;
  }

  write(file: number, at: number, bytes: Uint8Array): void {
    this.#change({ kind: 'write', file, at, bytes: bytes.slice() });
    this.#content(file).write(at, bytes);
  }

  truncate(file: number, size: number): void {
    this.#change({ kind: 'truncate', file, size });
    this.#content(file).truncate(size);
  }

  sync(file: number): void {
    this.#change({ kind: 'sync', file });
  }

  syncFolder(): void {
    this.#change({ kind: 'syncFolder' });
  }

  /** Returns the files that remain if the process is killed but the system keeps running. */
  files(): Map<string, Uint8Array> {
    return new Map([...this.#names].map(([name, file]) => [name, this.#content(file).bytes().slice()]));
  }

  #content(file: number): Content {
    const content = this.#files[file];
    if (!content) throw new Error(`there is no file ${file}`);
    return content;
  }

  #change(change: Change): void {
    if (!this.#isOn) throw new DiskError('EIO');
    const fault = this.faults(change, this.changes.length);
    if (fault === null) {
      this.changes.push({ ...change, fault });
      return;
    }
    if (change.kind === 'write') {
      // A failed write may have written a part.
      const bytes = change.bytes.subarray(0, change.bytes.length >> 1);
      this.changes.push({ ...change, bytes, fault });
      this.#content(change.file).write(change.at, bytes);
    } else this.changes.push({ ...change, fault });
    throw new DiskError(fault);
  }
}
