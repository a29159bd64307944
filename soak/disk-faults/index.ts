import { dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as turn } from 'node:timers/promises';
import { randomBelow, seededRandom } from '@topup-kit/core/platform';
import type { Store } from '@topup-kit/core/store';
import { StoreFileError, sha256Hex } from '../../packages/server/src/internal.ts';
import { storeOver } from '../../packages/server/src/sqlite/sqlite-store.ts';
import { explainError } from '../../packages/server/src/sqlite/store-file-error.ts';
import { createCheck } from '../disk/check.ts';
import { Replay } from '../disk/crash-states.ts';
import { openRecorded, recordedLog } from '../disk/database.ts';
import { type Change, Disk, type Fault, type Recorded } from '../disk/disk.ts';
import { type Dump, dump } from '../disk/dump.ts';
import type { Soak } from '../soak.ts';
import { openShop, type Shop } from './shop.ts';

type Files = ReadonlyMap<string, Uint8Array>;

/** The disk change with this number fails: alone, or together with all later ones. */
interface Failing {
  fault: Fault;
  at: number;
  lasts: 'once' | 'on';
}

/** Record of a server's work on a disk. */
interface Life {
  disk: Disk;
  /** Number of disk changes when the server started. */
  begun: number;
  /** Number of disk changes until the server was ready; null if it never was. */
  ready: number | null;
  /** Content at each attempted commit. */
  dumps: Dump[];
  /** After this number of changes, the commit with this number succeeded. */
  commits: { after: number; commit: number }[];
  /** Bodies of the 201 responses. */
  orders: string[];
}

const path = join('faulty', 'topup.db');
/** Size from which the log is written to the database, in bytes. It is reached after a few commits. */
const logLimit = 100_000;
const rounds = 5;
const ordersEach = 3;
/** Number of disks that are tried of those that a power cut may leave. */
const cuts = 3;

function newLife(files: Files, failing?: Failing): Life {
  const disk = new Disk(files);
  const begun = disk.changes.length;
  if (failing)
    disk.faults = (_change, number) => {
      const after = number - begun - failing.at;
      return after === 0 || (after > 0 && failing.lasts === 'on') ? failing.fault : null;
    };
  return { disk, begun, ready: null, dumps: [], commits: [], orders: [] };
}

/** Returns the number of the last commit that had succeeded after this number of changes. */
const committedAt = ({ commits }: Life, changes: number): number =>
  commits.findLast(({ after }) => after <= changes)?.commit ?? 0;

const expect = (truth: boolean, what: string): void => {
  if (!truth) throw new Error(what);
};

const isFailedSync = ({ kind, fault }: Recorded): boolean => kind === 'sync' && fault !== null;
const isWrite = ({ kind }: Change): boolean => kind === 'write' || kind === 'truncate';

/** Tells whether an error is meant for the operator, and says where the problem is. */
const isClear = (error: unknown): boolean =>
  error instanceof StoreFileError && error.message.includes(dirname(path));

/** Opens a store with faults; null if it can't be opened, which the error must say clearly. */
function open(disk: Disk, seed: string, beforeCommit: (db: DatabaseSync) => void): DatabaseSync | null {
  try {
    return openRecorded({ disk, seed, path, beforeCommit });
  } catch (cause) {
    const error = explainError(cause, path);
    expect(isClear(error), `a store that can't be opened says no more than: ${error}`);
    return null;
  }
}

/** Starts a server over a disk, sends orders, and stops the process without closing the store. */
async function live(life: Life, seed: string): Promise<void> {
  const { disk } = life;
  const begun = disk.changes.length;
  const db = open(disk, seed, (connection) => void life.dumps.push(dump(connection)));
  if (!db) return;
  life.dumps.push(dump(db));
  let failure: StoreFileError | null = null;
  const onChange = (change: StoreFileError | null): void => {
    failure = change;
  };
  const onCommit = (): void => {
    life.commits.push({ after: disk.changes.length, commit: life.dumps.length - 1 });
  };
  const store = storeOver(db, { path, onChange, onCommit }, recordedLog(disk, logLimit));
  try {
    const shop = await start(store, () => failure);
    if (!shop) return;
    life.ready = disk.changes.length - begun;
    for (let round = 0; round < rounds; round += 1)
      await order(shop, `${seed}-${round}`, life, () => failure);
  } finally {
    await disk.withoutChanges(() => store.close());
  }
}

async function start(store: Store, failure: () => StoreFileError | null): Promise<Shop | null> {
  try {
    return await openShop(store, failure);
  } catch (error) {
    expect(isClear(error), `a server that can't start says no more than: ${error}`);
    return null;
  }
}

/** Sends several orders at the same time, and checks the responses. */
async function order(
  shop: Shop,
  name: string,
  life: Life,
  failure: () => StoreFileError | null,
): Promise<void> {
  const { disk, dumps, orders } = life;
  const before = disk.changes.length;
  const wasFailed = disk.changes.slice(life.begun).some(isFailedSync);
  const answers = await Promise.all(
    Array.from({ length: ordersEach }, (_, index) => shop.order(`${name}-${index}`)),
  );
  const rejected = answers.filter(({ status }) => status !== 201);
  for (const { status, body } of rejected)
    expect(
      status === 500 && !body.success && body.message === 'Gagal menyimpan pesanan.',
      `an order that was not stored got ${status} ${JSON.stringify(body)}`,
    );
  for (const { status, body } of answers) if (status === 201) orders.push(String(body.orderId));
  const stored = dumps[committedAt(life, disk.changes.length)]?.orders ?? [];
  expect(
    orders.every((orderId) => stored.includes(orderId)),
    'an order was acknowledged that no commit stored',
  );
  if (rejected.length > 0) {
    // The store notifies its host a little later.
    await turn();
    expect(isClear(failure()), 'nobody was told why orders are rejected');
    expect((await shop.health()) === 503, 'a server that stores no order says that it is healthy');
  }
  if (wasFailed) {
    expect(rejected.length === ordersEach, 'an order was acknowledged after a sync had failed');
    expect(!disk.changes.slice(before).some(isWrite), 'the store was written after a sync had failed');
  }
}

export interface DiskFaults {
  seed: number;
  /** Chooses the changes that fail, one at a time: those of a server that creates a new store, and those of a server that starts again. */
  picks: (change: Change, number: number, isNew: boolean) => boolean;
  checked?: (runs: number, of: number) => void;
}

/**
 * Makes each write, truncation, sync, creation and deletion of a server's store fail. Checks the responses to clients against the stored
 * data: after the process was killed, after a power cut, and after a restart that is followed by a power cut.
 *
 * @throws Error that names the failed change and the problem after it.
 */
export async function failDisks({ seed, picks, checked }: DiskFaults) {
  const name = `${seed} faults`;
  const random = seededRandom(sha256Hex, name);
  using stores = createCheck();
  const first = newLife(new Map());
  await live(first, `${name} 1`);
  const files = first.disk.files();
  const second = newLife(files);
  await live(second, `${name} 2`);
  const casesOf = (changes: Change[], before: Life | null) =>
    changes.flatMap((change, at) => {
      if (!picks(change, at, before === null)) return [];
      // SQLite distinguishes the two only when it writes.
      const faults: Fault[] = change.kind === 'write' ? ['EIO', 'ENOSPC'] : ['EIO'];
      return faults.flatMap((fault) =>
        (['once', 'on'] as const).map((lasts) => ({ at, before, fault, lasts })),
      );
    });
  const cases = [
    ...casesOf(first.disk.changes.slice(0, first.ready ?? 0), null),
    ...casesOf(second.disk.changes.slice(second.begun), first),
  ];
  const result = { runs: 0, refused: 0, orders: 0, syncs: 0 };

  /** Checks the files that are left after this number of changes. */
  async function checkLeft(life: Life, when: string, changes: number, left: Files): Promise<void> {
    const expected = { dumps: life.dumps, acknowledged: committedAt(life, changes) };
    const wrong = await stores.check(left, expected);
    // If no order was acknowledged, the remaining files may need an operator, such as a log without its store.
    const isRefused = expected.acknowledged === 0 && wrong?.startsWith("the store can't be used: ");
    expect(wrong === null || isRefused === true, `after ${when}: ${wrong}`);
  }

  /** Cuts the power at the end, and at some moments since the start of the server. */
  async function checkCuts(life: Life, when: string): Promise<void> {
    const { begun, disk } = life;
    const since = disk.changes.length - begun;
    for (let cut = 0; cut < cuts; cut += 1) {
      const changes = begun + (cut === 0 ? since : randomBelow(random, since + 1));
      const replay = new Replay(random);
      for (const change of disk.changes.slice(0, changes)) replay.apply(change);
      await checkLeft(life, when, changes, replay.cut());
    }
  }

  async function run({ before, ...failing }: (typeof cases)[number]): Promise<void> {
    const life = newLife(before ? files : new Map(), failing);
    // A store that can't be opened keeps its previous content.
    const kept = before ? before.dumps[committedAt(before, before.disk.changes.length)] : first.dumps[0];
    if (kept) life.dumps.push(kept);
    await live(life, `${name} 3`);
    await checkLeft(life, 'a kill', life.disk.changes.length, life.disk.files());
    await checkCuts(life, 'a power cut');
    result.runs += 1;
    result.orders += life.orders.length;
    if (life.ready === null) result.refused += 1;
    if (!life.disk.changes.some(isFailedSync)) return;
    result.syncs += 1;
    life.disk.faults = () => null;
    life.begun = life.disk.changes.length;
    life.ready = null;
    await live(life, `${name} 4`);
    expect(life.ready !== null, 'the server did not start again');
    await checkCuts(life, 'a restart and a power cut');
  }

  for (const one of cases) {
    await run(one).catch((error: unknown) => {
      const { fault, lasts, at, before } = one;
      throw new Error(
        `change ${at} of ${before ? 'a store' : 'a new store'} fails with ${fault} (${lasts}): ${error instanceof Error ? error.message : error}`,
        { cause: error },
      );
    });
    checked?.(result.runs, cases.length);
  }
  return result;
}

export const diskFaults: Soak = {
  name: 'disk-faults',
  takesSeed: true,
  about:
    'Lets each write and sync of the file store fail, and compares what clients were told with what is stored.',
  async run({ seed, progress }) {
    const { runs, refused, orders, syncs } = await failDisks({
      seed,
      picks: () => true,
      checked: (done, of) => progress(done / of, `${done} of ${of} faults`),
    });
    return `${runs} faults, ${syncs} of them of a sync; ${refused} times the server did not start, and said why. All ${orders} acknowledged orders are stored, every other one was rejected, and nothing was written after a sync had failed.`;
  },
};
