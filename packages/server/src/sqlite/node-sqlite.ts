import type * as Sqlite from 'node:sqlite';

// The module is not imported by name: on an older Node, importing this package would fail with ERR_UNKNOWN_BUILTIN_MODULE.
const sqlite: typeof Sqlite | undefined = process.getBuiltinModule?.('node:sqlite');
if (sqlite === undefined)
  throw new Error(
    `@topup-kit/server needs Node 24 or later; this is ${process.version}. Run it with npx -p node@24 node FILE.`,
  );

export const { DatabaseSync, backup } = sqlite;
export type DatabaseSync = Sqlite.DatabaseSync;
