// Imports the whole module, because a missing named import would fail in an older Node before the version check.
import { chmodSync, mkdirSync } from 'node:fs';
import module from 'node:module';
import { cacheFolder } from './config/file.ts';

/** Enables Node's compile cache in the user's own folder. In Node's default folder, other users could plant code. */
export function keepCompiled(): void {
  try {
    const folder = cacheFolder({ environment: process.env });
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // Node creates its own folder inside with the umask's permissions.
    chmodSync(folder, 0o700);
    module.enableCompileCache(folder);
  } catch {
    // Without a home folder, there is no cache.
  }
}
