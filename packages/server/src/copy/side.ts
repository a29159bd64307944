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
  /** Another copy is being made of it. */
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

/** No server can use the target from the start to the end of a copy, even if the copy stops in between. */
export interface CopyTarget extends CopySide {
  /** The source of its unfinished copy; null when it is empty. */
  begun: string | null;
  /** Runs a command in a transaction: all or nothing. */
  write(begin: () => Command<void>): Promise<void>;
  /** Locks servers out, as part of the first transaction. */
  hide(): Command<void>;
  /** Turns the copy into the store. */
  finish(): Promise<void>;
  discard(): Promise<void>;
}
