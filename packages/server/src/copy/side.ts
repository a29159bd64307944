import type { Command, RunCommand } from '../sql/statement.ts';

export type CopyErrorCode =
  /** A server runs on one of the stores. */
  | 'served'
  /** The target contains data. */
  | 'not_empty'
  /** The target is an unfinished copy of another store. */
  | 'other_copy'
  /** The store changed while it was copied. */
  | 'changed'
  /** Another process is copying to the target. */
  | 'in_use';

/** The error for a store that can't be copied. The message is one line for the operator. */
export class CopyError extends Error {
  override readonly name = 'CopyError';
  readonly problem: CopyErrorCode;

  constructor(problem: CopyErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.problem = problem;
  }
}

/** The source or the target of a copy. */
export interface CopySide {
  /** The store's name for operators, without a password. */
  name: string;
  read: RunCommand;
}

export interface CopySource extends CopySide {
  /** @throws CopyError if a server runs on the store. */
  rejectServed(): Promise<void>;
}

/** Target of a copy. No server can use it from the start to the end of the copy, even if the copy stops in between. */
export interface CopyTarget extends CopySide {
  /** Source of the target's unfinished copy; null if the target is empty. */
  begun: string | null;
  /** Runs a command in a transaction: all or nothing. */
  write(begin: () => Command<void>): Promise<void>;
  /** Locks servers out, as part of the first transaction. */
  hide(): Command<void>;
  /** Turns the copy into the store. */
  finish(): Promise<void>;
  discard(): Promise<void>;
}
