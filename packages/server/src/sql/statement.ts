import type { Store } from '@topup-kit/core/store';
import type { Row } from '../rows/columns.ts';

export type SqlEngine = 'sqlite' | 'postgres';

export type Value = string | number | bigint | null | Uint8Array;

/** An SQL statement or a part of it, with its values. */
export interface Statement {
  texts: readonly string[];
  parts: readonly (Value | Statement | Twin)[];
}

/** Part of a statement that the engines write differently. */
export type Twin = Readonly<Record<SqlEngine, () => Statement>>;

/**
 * Writes a statement or a part of it. A value becomes a parameter; a part is inserted unchanged.
 *
 * @example
 * sql`SELECT ${orderColumns} FROM orders WHERE order_id = ${orderId}`
 */
export const sql = (texts: readonly string[], ...parts: Statement['parts']): Statement => ({ texts, parts });

/** Creates a part without values. */
export const text = (content: string): Statement => ({ texts: [content], parts: [] });

export const joined = (statements: readonly Statement[], separator: string): Statement => ({
  texts: ['', ...statements.map((_, index) => (index === statements.length - 1 ? '' : separator))],
  parts: statements,
});

export const where = (conditions: readonly Statement[]): Statement =>
  conditions.length === 0 ? text('') : sql`WHERE ${joined(conditions, ' AND ')}`;

const placeholder = { sqlite: '?', postgres: '$' } as const;

/** Returns a statement's text for an engine, with numbered placeholders, and its parameters. */
export function written(statement: Statement, engine: SqlEngine): { text: string; values: Value[] } {
  const values: Value[] = [];
  return { text: append('', statement, engine, values), values };
}

function append(before: string, { texts, parts }: Statement, engine: SqlEngine, values: Value[]): string {
  let result = before + texts[0];
  // Loops by index, because this runs for every statement of every order, and an iterator takes a third longer.
  for (let index = 0; index < parts.length; index += 1) {
    const part = parts[index] ?? null;
    if (typeof part !== 'object' || part === null || part instanceof Uint8Array)
      result += placeholder[engine] + values.push(part);
    else result = append(result, 'texts' in part ? part : part[engine](), engine, values);
    result += texts[index + 1];
  }
  return result;
}

export interface Outcome {
  rows: readonly Row[];
  /** Number of rows that the statement changed or returned. */
  count: number;
}

/**
 * Steps of a command. SQLite runs them within one turn of the event loop, PostgreSQL by messages. A command yields statements that don't
 * depend on each other's outcomes, so that PostgreSQL gets them together. They run in sequence, and the first error is thrown at the yield.
 * A result with a conflict rolls back the command's changes.
 */
export type Command<Result> = Generator<readonly Statement[], Result, readonly Outcome[]>;

/** The result of a store's method. */
export type ResultOf<Method extends keyof Store> = Awaited<ReturnType<Store[Method]>>;

export const isConflict = (result: unknown): boolean =>
  typeof result === 'object' && result !== null && 'conflict' in result;

export function* run(statement: Statement): Command<Outcome> {
  const [outcome = { rows: [], count: 0 }] = yield [statement];
  return outcome;
}

export function* change(statement: Statement): Command<number> {
  return (yield* run(statement)).count;
}

export function* all<Item>(statement: Statement, itemOf: (row: Row) => Item): Command<Item[]> {
  return (yield* run(statement)).rows.map(itemOf);
}

export function* first<Item>(statement: Statement, itemOf: (row: Row) => Item): Command<Item | null> {
  const [row] = (yield* run(statement)).rows;
  return row ? itemOf(row) : null;
}

export function* exists(statement: Statement): Command<boolean> {
  return (yield* run(statement)).rows.length > 0;
}

type Commands = Record<string, (...values: never[]) => Command<unknown>>;

/** Store methods that run commands. */
type Methods<Named extends Commands> = {
  [Name in keyof Named]: (
    ...values: Parameters<Named[Name]>
  ) => Promise<ReturnType<Named[Name]> extends Command<infer Result> ? Result : never>;
};

/** Runs a command. Takes a function that starts the command, because PostgreSQL may have to run it again. */
export type RunCommand = <Result>(begin: () => Command<Result>) => Promise<Result>;

/** Turns each command into a method. */
export function methodsOf<Named extends Commands>(commands: Named, runCommand: RunCommand): Methods<Named> {
  const methods = Object.entries(commands).map(([name, command]) => [
    name,
    (...values: never[]) => runCommand(() => command(...values)),
  ]);
  // Safe: each method has the parameters and the result of its command.
  return Object.fromEntries(methods) as Methods<Named>;
}
