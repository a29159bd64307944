import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';

/** A form in which a commit of `main` wrote a store, and the last commit that wrote it. */
export interface Format {
  name: string;
  engine: 'sqlite' | 'postgres';
  /** The number in the store. Migrations were edited while they landed, so one number may be several forms. */
  version: number;
  commit: string;
  /** What tells it from others of its number. */
  about: string;
}

const sqlite = (version: number, letter: string, commit: string, about: string): Format => ({
  name: `sqlite-${version}${letter}`,
  engine: 'sqlite',
  version,
  commit,
  about,
});
const postgres = (version: number, letter: string, commit: string, about: string): Format => ({
  name: `postgres-${version}${letter}`,
  engine: 'postgres',
  version,
  commit,
  about,
});

/** All of them. */
export const formats: readonly Format[] = [
  sqlite(
    1,
    'a',
    'bded4a55',
    'orders without versions, units and history; responses in "answers", without their orders',
  ),
  sqlite(1, 'b', '67f6d589', 'responses in "answers"'),
  sqlite(2, 'b', 'cb03e7dc', 'responses in "answers"'),
  sqlite(3, 'b', 'ed784e02', 'responses in "answers"'),
  sqlite(4, 'b', '2ed717f1', 'responses in "answers"'),
  sqlite(2, '', '01cfc993', ''),
  sqlite(3, '', '5400d816', ''),
  sqlite(4, '', '6659bc4b', ''),
  sqlite(5, 'a', '82eb11dc', 'callbacks with other columns, and indexes without ids'),
  sqlite(5, 'b', '67f1f334', 'as a, with the index of expired orders'),
  sqlite(5, 'c', 'f3d57386', 'as b, with the index of targets'),
  sqlite(5, 'd', '7f5eaded', 'callbacks as they are now, without the index of expired orders'),
  sqlite(5, 'e', 'f45e0775', 'as d, with the indexes of alerts'),
  sqlite(5, 'f', '5e79d351', 'c and e together'),
  sqlite(5, 'g', '7ddf932b', 'as f, with refunds to reconcile'),
  sqlite(5, 'h', 'caf8326b', 'as g, with the supplier of a unit'),
  sqlite(5, 'i', 'c7229eb4', 'as h, with the problems of providers'),
  sqlite(5, '', 'db77b9f6', ''),
  sqlite(6, '', '9d81d5cb', ''),
  sqlite(7, '', '640e94fa', ''),
  sqlite(8, 'a', '317c066b', 'other indexes for lists of orders'),
  sqlite(8, '', '9b63c7c3', ''),
  sqlite(9, '', 'ca3ea075', ''),
  sqlite(10, '', '97a08c2f', ''),
  sqlite(11, '', '69f4e2d4', ''),
  sqlite(12, '', 'db0a2ac3', ''),
  sqlite(13, '', 'd2a2cf3b', ''),
  sqlite(14, '', 'af4ddf23', ''),
  sqlite(15, '', 'bbf9c9bd', ''),
  sqlite(16, '', '5bf05046', ''),
  sqlite(17, '', '4be289b7', ''),
  sqlite(18, '', '9579ba16', ''),
  sqlite(19, '', 'bea85c75', ''),
  sqlite(20, '', '9db0a48d', ''),
  sqlite(21, '', '4a7c53c7', ''),
  postgres(1, 'a', 'cabc7ff7', 'keys that never end'),
  postgres(1, '', '543fde16', ''),
  postgres(2, 'a', '96d5dd4b', 'without servers'),
  postgres(2, '', '640e94fa', ''),
  postgres(3, 'a', '317c066b', 'other indexes for lists of orders'),
  postgres(3, '', '9b63c7c3', ''),
  postgres(4, '', 'ca3ea075', ''),
  postgres(5, '', '97a08c2f', ''),
  postgres(6, '', '69f4e2d4', ''),
  postgres(7, '', 'db0a2ac3', ''),
  postgres(8, '', 'd2a2cf3b', ''),
  postgres(9, '', 'af4ddf23', ''),
  postgres(10, '', 'bbf9c9bd', ''),
  postgres(11, '', '5bf05046', ''),
  postgres(12, '', '4be289b7', ''),
  postgres(13, '', '9579ba16', ''),
  postgres(14, '', 'bea85c75', ''),
  postgres(15, '', '9db0a48d', ''),
  postgres(16, '', '4a7c53c7', ''),
];

export interface RecordedOrder {
  id: string;
  /** The bodies of the responses. */
  invoice: string;
  status: string;
}

/** What a version said about the store that it wrote. */
export interface Recorded {
  /** When, in unix milliseconds. */
  now: number;
  key: string;
  revokedKey: string;
  /** Requests of orders with idempotency keys, and the bodies of their responses. */
  placed: { headers: Record<string, string>; body: string; response: string }[];
  orders: RecordedOrder[];
}

const fileOf = ({ name }: Format, kind: 'store' | 'said'): URL =>
  new URL(`kept/${name}.${kind}.br`, import.meta.url);

const compress = (bytes: Uint8Array): Buffer =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_LGWIN]: 24 } });

/** Keeps a store, and what was said about it. Returns how many bytes that takes. */
export function writeKept(format: Format, said: Recorded, store: Uint8Array): number {
  const files = [
    [fileOf(format, 'store'), compress(store)],
    [fileOf(format, 'said'), compress(Buffer.from(JSON.stringify(said)))],
  ] as const;
  for (const [file, bytes] of files) writeFileSync(fileURLToPath(file), bytes);
  return files.reduce((sum, [, bytes]) => sum + bytes.length, 0);
}

const read = (format: Format, kind: 'store' | 'said'): Buffer =>
  brotliDecompressSync(readFileSync(fileOf(format, kind)));

/** The bytes of a kept store: its file, or the dump of its database. */
export const keptStore = (format: Format): Buffer => read(format, 'store');

// Safe: `record.ts` wrote it.
export const keptSaid = (format: Format): Recorded => JSON.parse(read(format, 'said').toString()) as Recorded;
