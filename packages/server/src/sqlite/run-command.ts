import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import { integer, type Row } from '../rows/columns.ts';
import { type Command, type Outcome, type Statement, written } from '../sql/statement.ts';

interface Prepared {
  statement: StatementSync;
  columns: readonly string[];
}

/** Creates an object for a row. Objects with the same columns share their shape; SQLite's own objects would create one for each row. */
function rowOf(columns: readonly string[], values: readonly SQLOutputValue[]): Row {
  const row: Row = {};
  for (let index = 0; index < columns.length; index += 1) row[columns[index] ?? ''] = values[index] ?? null;
  return row;
}

/** Runs commands from the first step to the last. Prepares each statement on first use. */
export function prepareCommands(db: DatabaseSync): <Result>(command: Command<Result>) => Result {
  const known = new Map<string, Prepared>();

  function prepare(text: string): Prepared {
    const statement = db.prepare(text);
    statement.setReturnArrays(true);
    const prepared = { statement, columns: statement.columns().map(({ name }) => name) };
    known.set(text, prepared);
    return prepared;
  }

  function run(step: Statement): Outcome {
    const { text, values } = written(step, 'sqlite');
    if (text === '') return { rows: [], count: 0 };
    const { statement, columns } = known.get(text) ?? prepare(text);
    if (columns.length === 0) return { rows: [], count: Number(statement.run(...values).changes) };
    // Safe: the statement was set to return arrays.
    const found = statement.all(...values) as unknown as SQLOutputValue[][];
    return { rows: found.map((row) => rowOf(columns, row)), count: found.length };
  }

  return (command) => {
    let step = command.next([]);
    while (!step.done) {
      let outcomes: Outcome[];
      try {
        outcomes = step.value.map(run);
      } catch (error) {
        step = command.throw(error);
        continue;
      }
      step = command.next(outcomes);
    }
    return step.value;
  };
}

export function readNumber(db: DatabaseSync, sql: string, ...parameters: SQLInputValue[]): number {
  const [value] = Object.values(db.prepare(sql).get(...parameters) ?? {});
  return integer({ value: value ?? null }, 'value');
}
