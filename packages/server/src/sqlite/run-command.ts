import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { integer } from '../rows/columns.ts';
import { type Command, type Outcome, type Statement, written } from '../sql/statement.ts';

interface Prepared {
  statement: StatementSync;
  hasRows: boolean;
}

/** Runs commands from their first step to their last. Prepares each statement when it is first needed. */
export function prepareCommands(db: DatabaseSync): <Result>(command: Command<Result>) => Result {
  const known = new Map<string, Prepared>();

  function prepare(text: string): Prepared {
    const statement = db.prepare(text);
    const prepared = { statement, hasRows: statement.columns().length > 0 };
    known.set(text, prepared);
    return prepared;
  }

  function run(step: Statement): Outcome {
    const { text, values } = written(step, 'sqlite');
    if (text === '') return { rows: [], count: 0 };
    const { statement, hasRows } = known.get(text) ?? prepare(text);
    if (!hasRows) return { rows: [], count: Number(statement.run(...values).changes) };
    const rows = statement.all(...values);
    return { rows, count: rows.length };
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

/** Runs a query that returns a single number. */
export function readNumber(db: DatabaseSync, sql: string, ...parameters: SQLInputValue[]): number {
  const [value] = Object.values(db.prepare(sql).get(...parameters) ?? {});
  return integer({ value: value ?? null }, 'value');
}
