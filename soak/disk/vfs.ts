import init, { type Sqlite3Result, type WasmPointer } from '@sqlite.org/sqlite-wasm';
import { type RandomBytes, seededRandom } from '@topup-kit/core/platform';
import { sha256Hex } from '../../packages/server/src/internal.ts';
import { type Disk, DiskError } from './disk.ts';

/** SQLite in the same version as in Node, by the same authors, compiled to WebAssembly, because its VFS can be written in JavaScript. */
export const sqlite = await init();
const { capi, wasm } = sqlite;
// Keeps it from printing every error that it also throws.
sqlite.config.warn = () => {};

/** File of a disk that SQLite has opened. */
interface Open {
  disk: Disk;
  name: string;
  file: number;
  /** True if the next sync of the file also syncs the folder: the first sync of each log or journal, even if it already existed. */
  syncsFolder: boolean;
  deleteOnClose: boolean;
  /** Index of the log, in the memory of WebAssembly. */
  shared: WasmPointer[];
}

const disks = new Map<string, Disk>();
const opened = new Map<WasmPointer, Open>();
let random: RandomBytes = seededRandom(sha256Hex, 'none');

/** Name under which SQLite finds a disk's file. Each file name begins with the name of its disk. */
const vfsName = 'recorded';
const split = (name: WasmPointer): { disk: Disk; name: string } => {
  const [, id = '', rest = ''] = /^\/([^/]+)\/(.+)$/.exec(wasm.cstrToJs(name) ?? '') ?? [];
  const disk = disks.get(id);
  if (!disk) throw new Error(`there is no disk ${id}`);
  return { disk, name: rest };
};

/** Returns the file of an open pointer. SQLite passes only pointers that it has opened. */
function of(pointer: WasmPointer): Open {
  const open = opened.get(pointer);
  if (!open) throw new Error('SQLite used a file that is not open');
  return open;
}

/** Runs an operation and returns its result code, because an exception must not pass through WebAssembly. */
function attempt(
  work: () => Sqlite3Result | undefined,
  onFault: (error: DiskError) => Sqlite3Result,
): Sqlite3Result {
  try {
    return work() ?? capi.SQLITE_OK;
  } catch (error) {
    if (error instanceof DiskError) return onFault(error);
    process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
    return capi.SQLITE_INTERNAL;
  }
}

/** Operations with the same result codes as SQLite's own VFS for Unix. */
const io = {
  xClose: (pointer: WasmPointer) =>
    attempt(
      () => {
        const { disk, name, deleteOnClose } = of(pointer);
        opened.delete(pointer);
        if (deleteOnClose) disk.delete(name);
        return undefined;
      },
      () => capi.SQLITE_OK,
    ),
  xRead: (pointer: WasmPointer, to: WasmPointer, length: number, at: number) =>
    attempt(
      () => {
        const { disk, file } = of(pointer);
        const bytes = disk.read(file, Number(at), length);
        const memory = wasm.heap8u();
        memory.set(bytes, to);
        memory.fill(0, to + bytes.length, to + length);
        return bytes.length < length ? capi.SQLITE_IOERR_SHORT_READ : undefined;
      },
      () => capi.SQLITE_IOERR_READ,
    ),
  xWrite: (pointer: WasmPointer, from: WasmPointer, length: number, at: number) =>
    attempt(
      () => {
        const { disk, file } = of(pointer);
        disk.write(file, Number(at), wasm.heap8u().subarray(from, from + length));
        return undefined;
      },
      ({ code }) => (code === 'ENOSPC' ? capi.SQLITE_FULL : capi.SQLITE_IOERR_WRITE),
    ),
  xTruncate: (pointer: WasmPointer, size: number) =>
    attempt(
      () => {
        const { disk, file } = of(pointer);
        disk.truncate(file, Number(size));
        return undefined;
      },
      () => capi.SQLITE_IOERR_TRUNCATE,
    ),
  xSync: (pointer: WasmPointer) =>
    attempt(
      () => {
        const open = of(pointer);
        open.disk.sync(open.file);
        if (open.syncsFolder) {
          open.syncsFolder = false;
          try {
            open.disk.syncFolder();
          } catch {
            // SQLite on Unix also ignores this result.
          }
        }
        return undefined;
      },
      () => capi.SQLITE_IOERR_FSYNC,
    ),
  xFileSize: (pointer: WasmPointer, to: WasmPointer) =>
    attempt(
      () => {
        const { disk, file } = of(pointer);
        wasm.poke64(to, BigInt(disk.size(file)));
        return undefined;
      },
      () => capi.SQLITE_IOERR_FSTAT,
    ),
  xLock: () => capi.SQLITE_OK,
  xUnlock: () => capi.SQLITE_OK,
  xCheckReservedLock: (_pointer: WasmPointer, to: WasmPointer) => {
    wasm.poke32(to, 0);
    return capi.SQLITE_OK;
  },
  xFileControl: () => capi.SQLITE_NOTFOUND,
  // As on Unix: pages of 4 KiB, and an incomplete write leaves the bytes around it unchanged.
  xSectorSize: () => 4096 as Sqlite3Result, // Safe: the type of this result is too narrow for a size.
  xDeviceCharacteristics: () => capi.SQLITE_IOCAP_POWERSAFE_OVERWRITE as Sqlite3Result, // Safe: the reason is the same as above.
  xShmMap: (pointer: WasmPointer, region: number, size: number, extend: number, to: WasmPointer) =>
    attempt(
      () => {
        const { shared } = of(pointer);
        while (extend !== 0 && shared.length <= region) {
          const memory = wasm.alloc(size);
          wasm.heap8u().fill(0, memory, memory + size);
          shared.push(memory);
        }
        wasm.pokePtr(to, shared[region] ?? 0);
        return undefined;
      },
      () => capi.SQLITE_IOERR_SHMMAP,
    ),
  xShmLock: () => capi.SQLITE_OK,
  xShmBarrier: () => {},
  xShmUnmap: (pointer: WasmPointer) => {
    for (const memory of of(pointer).shared.splice(0)) wasm.dealloc(memory);
    return capi.SQLITE_OK;
  },
};

const ioMethods = new capi.sqlite3_io_methods();
Object.assign(ioMethods, { $iVersion: 2 });

const files = {
  xOpen: (
    _vfs: WasmPointer,
    zName: WasmPointer,
    pointer: WasmPointer,
    flags: number,
    outFlags: WasmPointer,
  ) =>
    attempt(
      () => {
        const { disk, name } = split(zName);
        const known = disk.find(name);
        const mayCreate = (flags & capi.SQLITE_OPEN_CREATE) !== 0;
        if (known === null && !mayCreate) return capi.SQLITE_CANTOPEN;
        const isJournal = (flags & (capi.SQLITE_OPEN_WAL | capi.SQLITE_OPEN_MAIN_JOURNAL)) !== 0;
        opened.set(pointer, {
          disk,
          name,
          file: known ?? disk.create(name),
          shared: [],
          syncsFolder: mayCreate && isJournal,
          deleteOnClose: (flags & capi.SQLITE_OPEN_DELETEONCLOSE) !== 0,
        });
        const file = new capi.sqlite3_file(pointer);
        file.$pMethods = ioMethods.pointer;
        file.dispose();
        if (outFlags) wasm.poke32(outFlags, flags);
        return undefined;
      },
      () => capi.SQLITE_CANTOPEN,
    ),
  xDelete: (_vfs: WasmPointer, zName: WasmPointer, syncFolder: number) =>
    attempt(
      () => {
        const { disk, name } = split(zName);
        if (disk.find(name) === null) return capi.SQLITE_IOERR_DELETE_NOENT;
        disk.delete(name);
        if (syncFolder) disk.syncFolder();
        return undefined;
      },
      () => capi.SQLITE_IOERR_DELETE,
    ),
  xAccess: (_vfs: WasmPointer, zName: WasmPointer, _flags: number, to: WasmPointer) =>
    attempt(
      () => {
        const { disk, name } = split(zName);
        const file = disk.find(name);
        // As on Unix, where an empty journal counts as none.
        wasm.poke32(to, file === null || disk.size(file) === 0 ? 0 : 1);
        return undefined;
      },
      () => capi.SQLITE_IOERR_ACCESS,
    ),
  xFullPathname: (_vfs: WasmPointer, zName: WasmPointer, size: number, to: WasmPointer) =>
    wasm.cstrncpy(to, zName, size) < size ? capi.SQLITE_OK : capi.SQLITE_CANTOPEN,
  xRandomness: (_vfs: WasmPointer, length: number, to: WasmPointer) => {
    wasm.heap8u().set(random(length), to);
    return length as Sqlite3Result; // Safe: the type of this result is too narrow for a number of bytes.
  },
};

const vfs = new capi.sqlite3_vfs();
const standard = new capi.sqlite3_vfs(capi.sqlite3_vfs_find(null));
// Safe: the types have this property of the class on its instances.
const { structInfo } = capi.sqlite3_file as unknown as InstanceType<typeof capi.sqlite3_file>;
Object.assign(vfs, { $iVersion: 2, $szOsFile: structInfo.sizeof, $mxPathname: 512 });
// Safe: each struct has these members; the types omit the leading $.
const members = (struct: object) => struct as Record<`$${string}`, WasmPointer>;
for (const name of ['$xSleep', '$xCurrentTime', '$xCurrentTimeInt64'] as const)
  members(vfs)[name] = members(standard)[name] ?? 0;
sqlite.vfs.installVfs({
  io: { struct: ioMethods, methods: io },
  vfs: { struct: vfs, methods: files, name: vfsName },
});

/** Opens a connection to a database on a disk. The seed decides everything that SQLite chooses at random. */
export function openOn(disk: Disk, seed: string) {
  const id = seed.replaceAll(/[^\w]/g, '-');
  disks.set(id, disk);
  random = seededRandom(sha256Hex, seed);
  capi.sqlite3_randomness(0, 0);
  const db = new sqlite.oo1.DB({ filename: `/${id}/topup.db`, flags: 'c', vfs: vfsName });
  db.onclose = { after: () => void disks.delete(id) };
  return db;
}
