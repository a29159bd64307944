import type { Command, RunCommand } from '../sql/statement.ts';

export type CopyProblem =
  /** A server runs on one of the stores. */
  | 'served'
  /** The target has data of its own. */
  | 'not_empty'
  /** The target is an unfinished copy of another store. */
  | 'other_copy'
  /** The store changed while it was copied. */
  | 'changed'
  /** Another copy is being made of it. */
  | 'in_use';

/** A store can't be copied. The message is one line for the operator. */
export class CopyError extends Error {
  override readonly name = 'CopyError';
  readonly problem: CopyProblem;

  constructor(problem: CopyProblem, message: string, options?: ErrorOptions) {
    super(message, options);
    this.problem = problem;
  }
}

/** The store that is copied, or the one that the copy becomes. */
export interface CopySide {
  /** The store as operators know it, without a password. */
  name: string;
  read: RunCommand;
}

export interface CopySource extends CopySide {
  /** @throws CopyError when a server runs on the store. */
  rejectServed(): Promise<void>;
}

/** No server can use the target from the beginning of a copy to its end, also if the copy stops in between. */
export interface CopyTarget extends CopySide {
  /** The name of the store whose unfinished copy it is; null when it is empty. */
  begun: string | null;
  /** Runs a command in a transaction: all of it, or nothing. */
  write(begin: () => Command<void>): Promise<void>;
  /** Keeps servers away, as a part of the first transaction. */
  hide(): Command<void>;
  /** Makes it the store. */
  finish(): Promise<void>;
  discard(): Promise<void>;
}
