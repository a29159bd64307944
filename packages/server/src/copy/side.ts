import type { Row } from '../rows/columns.ts';
import type { CopiedTable } from './tables.ts';

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
export interface CopySide extends AsyncDisposable {
  /** The store as operators know it, without a password. */
  name: string;
  count(table: CopiedTable): Promise<number>;
  /** The rows of a table in the order of its key, from the first one after a row. All rows without a limit. */
  read(table: CopiedTable, after?: Row | null, limit?: number): Promise<Row[]>;
}

export interface CopySource extends CopySide {
  /** @throws CopyError when a server runs on the store. */
  rejectServed(): Promise<void>;
}

/** The rows of one table. */
export interface TableRows {
  table: CopiedTable;
  rows: readonly Row[];
}

/** No server can use the target from the beginning of a copy to its end, also if the copy stops in between. */
export interface CopyTarget extends CopySide {
  /** Whether it is an unfinished copy of this source. */
  isBegun: boolean;
  begin(small: readonly TableRows[]): Promise<void>;
  /** Adds rows of a large table: all of them, or none. */
  insert(rows: TableRows): Promise<void>;
  /** The last row of a large table by its key; only the key's columns matter. */
  last(table: CopiedTable): Promise<Row | null>;
  /** Makes it the store. */
  finish(): Promise<void>;
  /** Deletes the unfinished copy. */
  discard(): Promise<void>;
}
