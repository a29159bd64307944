import { enableCompileCache } from 'node:module';
import { cacheFolder } from './config/file.ts';

/**
 * Lets Node keep what it compiles. Not where it does so by default: in a folder of all users another one could leave code
 * for us to run.
 */
export function keepCompiled(): void {
  try {
    enableCompileCache(cacheFolder({ environment: process.env }));
  } catch {
    // Without a home there is no such folder.
  }
}
