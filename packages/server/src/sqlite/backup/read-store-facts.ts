import { readStore } from './read-database.ts';
import { readFacts, type StoreFacts } from './store-facts.ts';

/**
 * Tells what is in a store that a server may be writing, at once and without a look for damage.
 *
 * @throws StoreFileError when it is missing, no store, damaged where the facts are, or of a newer version.
 */
export const readStoreFacts = (path: string): Promise<StoreFacts> => readStore(path, readFacts);
