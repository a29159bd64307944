/** Restores a backup in its own process: `restore.ts BACKUP STORE`. */
import { restoreStore } from '../../src/sqlite/index.ts';

const [, , backup = '', path = ''] = process.argv;
await restoreStore(backup, path);
