import type { StoreFacts, StoreFileProblem } from '@topup-kit/server';

/** What stands where a backup is to go: a store, nothing, or what can't be read any more. */
export type Present = { is: 'store'; facts: StoreFacts } | { is: 'nothing' } | { is: 'unreadable' };

const unreadable: readonly StoreFileProblem[] = ['damaged', 'not_a_store', 'newer_version'];

/** Looks at what a restore would replace. A damaged store is what backups are for, so it is no hindrance. */
export async function readPresent(path: string): Promise<Present> {
  const { readStoreFacts, StoreFileError } = await import('@topup-kit/server');
  try {
    return { is: 'store', facts: await readStoreFacts(path) };
  } catch (error) {
    if (!(error instanceof StoreFileError)) throw error;
    if (error.problem === 'missing') return { is: 'nothing' };
    if (unreadable.includes(error.problem)) return { is: 'unreadable' };
    throw error;
  }
}
