import type { Bug } from '../bug.ts';

const statements = 'packages/server/src/sql';
const sqlite = 'packages/server/src/sqlite';
const postgres = 'packages/server/src/postgres';
const memory = 'packages/core/src/store/memory';
const test = 'packages/server/test';

/** Bugs of the stores, and of the commands on them. */
export const stores: readonly Bug[] = [
  {
    name: 'a commit does not wait for the disk at all',
    file: `${sqlite}/open-database.ts`,
    find: 'PRAGMA synchronous = FULL',
    replace: 'PRAGMA synchronous = OFF',
    caughtBy: { file: `${test}/sqlite-reopen.test.ts`, title: 'each commit waits for the disk' },
  },
  {
    name: 'a commit waits for the disk only at checkpoints',
    file: `${sqlite}/open-database.ts`,
    find: 'PRAGMA synchronous = FULL',
    replace: 'PRAGMA synchronous = NORMAL',
    caughtBy: { file: `${test}/sqlite-reopen.test.ts`, title: 'each commit waits for the disk' },
  },
  {
    name: 'the event loop waits for the lock of another process',
    file: `${sqlite}/open-database.ts`,
    find: 'PRAGMA busy_timeout = 0',
    replace: 'PRAGMA busy_timeout = 5000',
    caughtBy: { file: `${test}/sqlite-reopen.test.ts`, title: 'nothing waits for a lock on the event loop' },
  },
  {
    name: 'a response comes before its commit',
    file: `${sqlite}/group-commit.ts`,
    find: 'if (outcome.keep) transaction.keep();',
    replace: 'if (outcome.keep) outcome.settle();\n    if (outcome.keep) transaction.keep();',
    caughtBy: {
      file: `${test}/sqlite-group-commit.test.ts`,
      title: 'resolves no command before its commit returned',
    },
  },
  {
    name: 'a group commit drops the last command of a turn',
    file: `${sqlite}/group-commit.ts`,
    find: 'batch.map(runInSavepoint)',
    replace: 'batch.slice(0, Math.max(1, batch.length - 1)).map(runInSavepoint)',
    caughtBy: {
      file: `${test}/sqlite-group-commit.test.ts`,
      title: 'runs its commands in the order they were called',
    },
  },
  {
    name: 'commands that wait for a lock are forgotten',
    file: `${sqlite}/group-commit.ts`,
    find: '    queue = [];\n    runBatch(batch);',
    replace: '    runBatch(batch);\n    queue = [];',
    caughtBy: {
      file: `${test}/sqlite-group-commit.test.ts`,
      title: 'that can not begin, because another process writes, is tried again until the lock is free',
    },
  },
  {
    name: 'the writes of a rejected command are kept',
    file: `${sqlite}/group-commit.ts`,
    find: 'else transaction.undo();',
    replace: 'else transaction.keep();',
    caughtBy: {
      file: `${test}/sqlite-group-commit.test.ts`,
      title: 'undoes only the writes of a rejected command',
    },
  },
  {
    name: 'writes go on after one of which nobody knows what is on the disk',
    file: `${sqlite}/write-gate.ts`,
    find: "failure?.problem === 'writes_stopped' || ",
    replace: '',
    caughtBy: {
      file: `${test}/sqlite-group-commit.test.ts`,
      title: 'of the commit rejects every command of the turn, and stops writes but not reads',
    },
  },
  {
    name: 'a store whose disk was full never takes a write again',
    file: `${sqlite}/write-gate.ts`,
    find: 'if (await hasRoom(path)) change(null);',
    replace: 'await hasRoom(path);',
    caughtBy: { file: `${test}/full-disk.test.ts`, title: 'and goes on when there is room again' },
  },
  {
    name: 'a file that has replaced another is opened with the log of that one',
    file: `${sqlite}/served-file.ts`,
    find: 'served !== null && served !== fileNumber(path)',
    replace: "served === ''",
    caughtBy: {
      file: `${test}/sqlite-no-file.test.ts`,
      title: 'is neither served nor opened by a command, and neither is changed',
    },
  },
  {
    name: 'a store whose file was deleted goes on writing',
    file: `${sqlite}/write-gate.ts`,
    find: 'fileNumber(file) !== number',
    replace: "number === ''",
    caughtBy: {
      file: `${test}/sqlite-write-gate.test.ts`,
      title: 'that is moved away stops writes until it is back',
    },
  },
  {
    name: 'the clean-up opens a transaction when there is nothing to delete',
    file: `${sqlite}/sqlite-store.ts`,
    find: '(await read(() => run(hasExpiredResponses(now))))',
    replace: '(await read(() => run(hasExpiredResponses(now)) || true))',
    caughtBy: {
      file: `${test}/sqlite-group-commit.test.ts`,
      title: 'is impossible where nothing is to be written',
    },
  },
  {
    name: 'two servers serve one file',
    file: `${sqlite}/server-lock.ts`,
    find: 'if (!begin(db)) return false;',
    replace: 'if (!begin(db)) return true;',
    caughtBy: {
      file: `${test}/sqlite-lock.test.ts`,
      title: 'a second server is rejected with the name of the first',
    },
  },
  {
    name: 'a link to the store gets a lock of its own',
    file: `${sqlite}/served-file.ts`,
    find: 'realPath(path)}.lock',
    replace: 'path}.lock',
    caughtBy: { file: `${test}/sqlite-lock.test.ts`, title: 'a link to the file has the same lock' },
  },
  {
    name: 'an upgrade that fails midway stays half done',
    file: `${sqlite}/backup/upgrade-file.ts`,
    find: "if (db.isTransaction) db.exec('ROLLBACK');",
    replace: "if (db.isTransaction) db.exec('COMMIT');",
    caughtBy: {
      file: `${test}/sqlite-upgrade.test.ts`,
      title: 'an upgrade whose last migration fails leaves the store as it was',
    },
  },
  {
    name: 'an early form of a store is upgraded as if it were the last one of its number',
    file: `${sqlite}/migrate.ts`,
    find: 'if (version > 0 && version <= lastEditedFormat) repairEditedFormat(db, migrations.slice(0, version));',
    replace: '',
    caughtBy: {
      file: `${test}/sqlite-formats.test.ts`,
      title: 'is upgraded with all its rows, and then has the tables of a new store',
    },
  },
  {
    name: 'a command opens the store of an older format',
    file: `${sqlite}/open-database.ts`,
    find: 'if (!isEmpty(state)) rejectOldFormat(state, path);',
    replace: '',
    caughtBy: { file: `${test}/sqlite-upgrade.test.ts`, title: 'no command upgrades a store' },
  },
  {
    name: 'a server upgrades the store of the other mode before it rejects it',
    file: `${sqlite}/backup/upgrade-file.ts`,
    find: 'if (mode !== null) checkMode?.(mode);',
    replace: '',
    caughtBy: {
      file: `${test}/sqlite-upgrade.test.ts`,
      title: 'a server of the other mode does not upgrade the store that it rejects',
    },
  },
  {
    name: 'a store is upgraded without a copy',
    file: `${sqlite}/backup/upgrade-file.ts`,
    find: "    await createBackup(path, part, 'it was not upgraded', options);\n",
    replace: '',
    caughtBy: {
      file: `${test}/sqlite-upgrade.test.ts`,
      title: 'an upgrade makes a verified copy of the store before',
    },
  },
  {
    name: 'an older version opens the file of a newer one',
    file: `${sqlite}/migrate.ts`,
    find: 'if (state.version > migrations.length)',
    replace: 'if (state.version > migrations.length + 100)',
    caughtBy: {
      file: `${test}/sqlite-migrations.test.ts`,
      title: 'rejects a file of a newer version, and does not change it',
    },
  },
  {
    name: 'a backup has nothing of the write-ahead log',
    file: `${sqlite}/backup/copy-database.ts`,
    find: 'await copyPages(db, file, options);',
    replace: "(await import('node:fs')).copyFileSync(db.location() ?? '', file);",
    caughtBy: {
      file: `${test}/sqlite-backup.test.ts`,
      title: 'of a running server has every order acknowledged before the call',
    },
  },
  {
    name: 'a backup mixes two states of the store',
    file: `${sqlite}/backup/read-database.ts`,
    find: '      pinSnapshot(db);\n',
    replace: '',
    caughtBy: {
      file: `${test}/sqlite-backup.test.ts`,
      title: 'is a snapshot of the store, and does not restart when the store is written',
    },
  },
  {
    name: 'a restore replaces the store of a running server',
    file: `${sqlite}/backup/restore-store.ts`,
    find: 'const lock = lockFor(place);',
    replace: 'const lock = { release() {} };',
    caughtBy: {
      file: `${test}/sqlite-restore.test.ts`,
      title: 'is rejected while a server serves the store, and names the server',
    },
  },
  {
    name: 'the log of a lost file comes into the restored store',
    file: `${sqlite}/backup/replace-store.ts`,
    find: 'const logs = unfinishedParts(path).map(',
    replace: 'const logs = (former === null ? [] : unfinishedParts(path)).map(',
    caughtBy: {
      file: `${test}/sqlite-restore-matrix.test.ts`,
      title: 'a server whose file was deleted while it ran has the backup after a restore, and nothing later',
    },
  },
  {
    name: 'a restore merges a log before it is kept',
    file: `${sqlite}/backup/replace-store.ts`,
    find: 'const suffixes = unfinishedParts(path).map((part) => part.slice(path.length));',
    replace: 'const suffixes: string[] = [];',
    caughtBy: {
      file: `${test}/sqlite-restore-matrix.test.ts`,
      title: 'a restore gives the backup, or is refused, and loses nothing',
    },
  },
  {
    name: 'an empty file beside a log is opened, and SQLite deletes the log',
    file: `${sqlite}/store-file.ts`,
    find: 'if (sizeOf(path) > 0 || !hasContent(log)) return;',
    replace: 'if (statFile(path) || !hasContent(log)) return;',
    caughtBy: {
      file: `${test}/sqlite-restore-matrix.test.ts`,
      title: 'nothing opens an empty file beside a log, which SQLite would delete',
    },
  },
  {
    name: 'a restore leaves the old log beside the new store',
    file: `${sqlite}/backup/replace-store.ts`,
    find: "db.exec('PRAGMA journal_mode = DELETE')",
    replace: "db.exec('PRAGMA journal_mode = WAL')",
    caughtBy: {
      file: `${test}/sqlite-restore.test.ts`,
      title: 'keeps all changes of a killed server in the old store',
    },
  },
  {
    name: 'a key that another request has just taken is overwritten',
    file: `${statements}/idempotency.ts`,
    find: 'WHERE idempotent_responses.expires_at <= $',
    replace: 'WHERE idempotent_responses.expires_at <> $',
    caughtBy: {
      file: `${test}/sqlite-store.test.ts`,
      title: 'only one of many concurrent orders with the same idempotency key is placed',
    },
  },
  {
    name: 'an idempotency key is found for another account',
    file: `${statements}/idempotency.ts`,
    find: 'FROM idempotent_responses WHERE account_id = $',
    replace: 'FROM idempotent_responses WHERE account_id <> $',
    caughtBy: { file: `${test}/sqlite-store.test.ts`, title: 'an idempotency key belongs to its account' },
  },
  {
    name: 'the last use of a promo can be claimed twice',
    file: `${statements}/promo-uses.ts`,
    find: 'SET used = promos.used + 1 WHERE promos.quota IS NULL OR promos.used < promos.quota',
    replace: 'SET used = min(promos.used + 1, coalesce(promos.quota, promos.used + 1))',
    caughtBy: { file: `${test}/sqlite-store.test.ts`, title: 'a quota is exact under concurrent orders' },
  },
  {
    name: 'the limit of a promo for each customer is one too high',
    file: `${statements}/promo-uses.ts`,
    find: '< CAST($',
    replace: '<= CAST($',
    caughtBy: {
      file: `${test}/sqlite-store.test.ts`,
      title: 'a limit per customer counts only the uses of that customer',
    },
  },
  {
    name: 'the use of a promo is released twice',
    file: `${statements}/promo-uses.ts`,
    find: 'orderId} AND released = 0 RETURNING code',
    replace: 'orderId} RETURNING code',
    caughtBy: { file: `${test}/sqlite-store.test.ts`, title: 'a use is released only once' },
  },
  {
    name: 'a change overwrites one that another process made in between',
    file: `${statements}/order-commands.ts`,
    find: 'AND version = $',
    replace: 'AND version >= $',
    caughtBy: {
      file: `${test}/sqlite-reopen.test.ts`,
      title: 'when two stores change one order, one change is stored for each version',
    },
  },
  {
    name: 'an order without its payment can be read',
    file: `${statements}/order-queries.ts`,
    find: 'orderId} AND reserved = 0`), orderOf',
    replace: 'orderId}`), orderOf',
    caughtBy: { file: `${test}/sqlite-store.test.ts`, title: 'a reserved order is not visible' },
  },
  {
    name: 'a payment settles two orders',
    file: `${statements}/reconciliations.ts`,
    find: "orderId} AND state = 'open'`",
    replace: "orderId} AND state <> 'returned'`",
    caughtBy: {
      file: `${test}/sqlite-store.test.ts`,
      title: 'a change of an order settles its reconciliation, and only once',
    },
  },
  {
    name: 'a refund that was paid by hand is paid again',
    file: `${statements}/refunds.ts`,
    find: "refundId} AND state = 'to-pay'`",
    replace: "refundId} AND state <> 'cancelled'`",
    caughtBy: {
      file: `${test}/sqlite-store.test.ts`,
      title: 'a refund is closed once, with who did it, when and how',
    },
  },
  {
    name: 'a replay that an operator asked for is made again and again',
    file: `${statements}/callbacks.ts`,
    find: 'attempts = attempts + 1, replay = 0',
    replace: 'attempts = attempts + 1',
    caughtBy: {
      file: `${test}/sqlite-store.test.ts`,
      title: 'a replay is made once for each request, and counted',
    },
  },
  {
    name: 'a server never looks for keys that an operator revoked',
    file: `${sqlite}/revision.ts`,
    find: 'if (now - readAt < maxStaleMs) return value;',
    replace: 'if (readAt > 0) return value;',
    caughtBy: { file: `${test}/sqlite-reopen.test.ts`, title: 'and the revision within a second' },
  },
  {
    name: 'the memory store looks for a used key only before it waits',
    file: `${memory}/orders.ts`,
    find: "if (stored) return { conflict: 'idempotency_conflict', stored };",
    replace: '',
    caughtBy: {
      file: 'packages/core/test/order-lifetime.test.ts',
      title: 'places one order for a hundred concurrent requests, all with the same response',
    },
  },
  {
    name: 'the memory store compares the account of a key by its beginning',
    file: `${memory}/orders.ts`,
    find: 'accountId}\\n',
    replace: 'accountId.slice(0, 4)}\\n',
    caughtBy: {
      file: 'packages/core/test/memory-store.test.ts',
      title: 'an idempotency key belongs to its account',
    },
  },
  {
    name: 'the memory store takes a change of an outdated version',
    file: `${memory}/orders.ts`,
    find: 'if (before.version !== version || settled.length < settles.length)',
    replace: 'if (before.version < version || settled.length < settles.length)',
    caughtBy: {
      file: 'packages/core/test/memory-store.test.ts',
      title: 'a change is stored only for the version that it was planned for',
    },
  },
  {
    name: 'the log that another process left is not written again',
    file: `${sqlite}/open-database.ts`,
    find: 'if (openOldLog) rewriteLog(db, path, openOldLog);',
    replace: '',
    caughtBy: {
      file: `${test}/disk-faults.test.ts`,
      title: 'loses no order to a power cut after another server took over the log',
    },
  },
  {
    name: 'a new log whose name is not on the disk is used',
    file: `${sqlite}/open-database.ts`,
    find: ', files.syncFolder);',
    replace: ', () => {});',
    caughtBy: {
      file: `${test}/disk-faults.test.ts`,
      title: 'acknowledges no order of a new store whose files a power cut may take away',
    },
  },
  {
    name: 'the log is looked for beside a link to the store',
    file: `${sqlite}/store-file.ts`,
    find: 'realPath(path)}-wal',
    replace: 'path}-wal',
    caughtBy: {
      file: `${test}/sqlite-log.test.ts`,
      title: 'is that of the file to which a link leads',
    },
  },
  {
    name: 'several servers have the same work at once',
    file: `${postgres}/leases.ts`,
    find: 'OR claims.claimed_by = excluded.claimed_by',
    replace: 'OR true',
    caughtBy: { file: `${test}/postgres-leases.test.ts`, title: 'exclude other servers until they are over' },
  },
  {
    name: 'a server that was killed keeps its work for ever',
    file: `${postgres}/leases.ts`,
    find: 'WHERE claims.claimed_until <= ',
    replace: 'WHERE false AND claims.claimed_until <= ',
    caughtBy: {
      file: `${test}/postgres-leases.test.ts`,
      title: 'go on with the work of one that was killed',
    },
  },
  {
    name: 'a copy of a store is kept although it differs',
    file: 'packages/server/src/copy/copy-store.ts',
    find: 'if (original.sha256 !== copied.sha256)',
    replace: 'if (original.rows < copied.rows)',
    caughtBy: {
      file: `${test}/copy-store.test.ts`,
      title: 'of which the original changed meanwhile is deleted',
    },
  },
  {
    name: 'a server uses a database whose copy is not finished',
    file: 'packages/server/src/copy/postgres-side.ts',
    find: 'SET version = -version WHERE version = ',
    replace: 'SET version = version WHERE version = ',
    caughtBy: {
      file: `${test}/copy-store.test.ts`,
      title: 'keeps servers away from both until it is complete',
    },
  },
];
