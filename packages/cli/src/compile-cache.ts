// Imports the whole module, because a missing named import would fail in an older Node before the version check.
import { chmodSync, mkdirSync } from 'node:fs';
import module from 'node:module';
import { cacheFolder } from './config/file.ts';

/** Enables Node's compile cache in the user's own folder, because other users could plant code in Node's default folder. */
export function keepCompiled(): void {
  try {
    const folder = cacheFolder({ environment: process.env });
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // Node creates its own folder inside this folder with the umask's permissions.
    chmodSync(folder, 0o700);
    module.enableCompileCache(folder);
  } catch {
    // If there is no home folder, there is no cache.
  }
}
