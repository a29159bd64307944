/** Restores a backup, in a process of its own: `restore.ts BACKUP STORE`. */
import { restoreStore } from '../../src/sqlite/index.ts';

const [, , backup = '', path = ''] = process.argv;
await restoreStore(backup, path);
