/** Makes every disk one on which nothing is free. For `node --import`. */
import fs, { type StatsFs } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const { statfsSync } = fs;
Object.assign(fs, {
  statfsSync: (path: string): StatsFs => ({ ...statfsSync(path), bavail: 0 }),
});
syncBuiltinESMExports();
