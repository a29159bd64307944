/** `node scripts/collections.ts`: writes the collections for Bruno and Postman into `examples/collections`. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { brunoFiles } from './collections/bruno.ts';
import { postmanCollection } from './collections/postman.ts';
import { requestFolders } from './collections/requests.ts';

export const collectionsFolder = join(import.meta.dirname, '../examples/collections');

/** Returns the files of both collections, by their path in the folder. */
export function collectionFiles(): Record<string, string> {
  const folders = requestFolders();
  return {
    ...Object.fromEntries(Object.entries(brunoFiles(folders)).map(([path, text]) => [`bruno/${path}`, text])),
    'postman/topup-kit.postman_collection.json': postmanCollection(folders),
  };
}

if (import.meta.main) {
  await rm(join(collectionsFolder, 'bruno'), { recursive: true, force: true });
  for (const [path, text] of Object.entries(collectionFiles())) {
    await mkdir(dirname(join(collectionsFolder, path)), { recursive: true });
    await writeFile(join(collectionsFolder, path), text);
  }
}
