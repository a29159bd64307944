// The whole module: in a bundle, a name that an older Node lacks would fail before its version is looked at.
import module from 'node:module';
import { cacheFolder } from './config/file.ts';

/** Enables Node's compile cache in the user's own folder: in Node's default folder, other users could plant code. */
export function keepCompiled(): void {
  try {
    module.enableCompileCache(cacheFolder({ environment: process.env }));
  } catch {
    // Without a home folder there is no cache.
  }
}
