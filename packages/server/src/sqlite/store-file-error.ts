/** What is wrong with a store's file, or with its state. */
export type StoreFileProblem =
  | 'missing'
  | 'exists'
  | 'is_a_folder'
  | 'not_a_file'
  | 'no_folder'
  | 'not_writable'
  | 'disk_full'
  | 'not_a_store'
  | 'damaged'
  | 'newer_version'
  | 'busy'
  | 'in_use'
  | 'unfinished'
  | 'own_file'
  | 'served_already'
  | 'writes_stopped'
  | 'closed';

/** A store's file can't be used; the message is one line for the person who runs the server or the command. */
export class StoreFileError extends Error {
  override readonly name = 'StoreFileError';
  readonly problem: StoreFileProblem;

  constructor(problem: StoreFileProblem, message: string, options?: ErrorOptions) {
    super(message, options);
    this.problem = problem;
  }
}

export const lockedByOther = (path: string, cause: unknown): StoreFileError =>
  new StoreFileError('busy', `${path} is locked by another process that writes; try again.`, { cause });
