import type { Command, Outcome } from '../sql/command.ts';
import { type Statement, type Value, written } from '../sql/statement.ts';
import type { Sql, Transaction } from './connection.ts';
import { pipelined } from './pipeline.ts';
import { withoutNul } from './text.ts';

const storable = (value: Value): Value => (typeof value === 'string' ? withoutNul(value) : value);

async function runStep(sql: Sql | Transaction, step: readonly Statement[]): Promise<Outcome[]> {
  const statements = step.map((statement) => written(statement, 'postgres'));
  const results = await pipelined(
    statements.map(({ text, values }) => sql.unsafe(text, values.map(storable), { prepare: true })),
  );
  return results.map((rows) => ({ rows, count: rows.count }));
}

/** Runs a command. The statements of a step are sent together, and the next step when all of them have their outcomes. */
export async function runCommand<Result>(sql: Sql | Transaction, command: Command<Result>): Promise<Result> {
  let step = command.next([]);
  while (!step.done) {
    let outcomes: Outcome[];
    try {
      outcomes = await runStep(sql, step.value);
    } catch (error) {
      step = command.throw(error);
      continue;
    }
    step = command.next(outcomes);
  }
  return step.value;
}
