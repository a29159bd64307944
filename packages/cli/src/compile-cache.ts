// The whole module: in a bundle, a name that an older Node lacks would fail before its version is looked at.
import { chmodSync, mkdirSync } from 'node:fs';
import module from 'node:module';
import { cacheFolder } from './config/file.ts';

/** Enables Node's compile cache in the user's own folder: in Node's default folder, other users could plant code. */
export function keepCompiled(): void {
  try {
    const folder = cacheFolder({ environment: process.env });
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // Node's own folder inside has the mode that the umask leaves, which may be any.
    chmodSync(folder, 0o700);
    module.enableCompileCache(folder);
  } catch {
    // Without a home folder there is no cache.
  }
}
