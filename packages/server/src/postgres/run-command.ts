import { type Command, type Outcome, type Statement, type Value, written } from '../sql/statement.ts';
import type { Sql, Transaction } from './connection.ts';

/**
 * Replaces NUL characters with U+FFFD, because PostgreSQL can't store them. Texts of suppliers and customers may
 * contain them; the store's JSON documents escape theirs.
 */
export const withoutNul = (text: string): string => text.replaceAll('\0', '\uFFFD');

const storable = (value: Value): Value => (typeof value === 'string' ? withoutNul(value) : value);

/**
 * Sends statements together, without waiting for each response. After all responses, it rejects with the error of the first failed
 * statement, because PostgreSQL rejects all later ones.
 */
async function runStep(sql: Sql | Transaction, step: readonly Statement[]): Promise<Outcome[]> {
  const settled = await Promise.allSettled(
    step.map((statement) => {
      const { text, values } = written(statement, 'postgres');
      return sql.unsafe(text, values.map(storable), { prepare: true });
    }),
  );
  return settled.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason;
    return { rows: outcome.value, count: outcome.value.count };
  });
}

/** Runs a command. Sends the statements of a step together, and the next step after all of their results. */
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
