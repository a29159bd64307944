/** What a statement can be run on. */
export type Engine = 'sqlite' | 'postgres';

export type Value = string | number | null | Uint8Array;

/** An SQL statement, or a part of one, with its values. */
export interface Statement {
  texts: readonly string[];
  parts: readonly (Value | Statement | Twin)[];
}

/** A part that the engines write differently. */
export type Twin = Readonly<Record<Engine, () => Statement>>;

/**
 * Writes a statement, or a part of one. A value becomes a parameter; a part is inserted as it is.
 *
 * @example
 * sql`SELECT ${orderColumns} FROM orders WHERE order_id = ${orderId}`
 */
export const sql = (texts: readonly string[], ...parts: Statement['parts']): Statement => ({ texts, parts });

/** A part that holds no values. */
export const text = (content: string): Statement => ({ texts: [content], parts: [] });

export const joined = (statements: readonly Statement[], separator: string): Statement => ({
  texts: ['', ...statements.map((_, index) => (index === statements.length - 1 ? '' : separator))],
  parts: statements,
});

export const where = (conditions: readonly Statement[]): Statement =>
  conditions.length === 0 ? text('') : sql`WHERE ${joined(conditions, ' AND ')}`;

const placeholder = { sqlite: '?', postgres: '$' } as const;

/** The text of a statement for an engine, and its parameters, whose placeholders are numbered. */
export function written(statement: Statement, engine: Engine): { text: string; values: Value[] } {
  const values: Value[] = [];
  return { text: append('', statement, engine, values), values };
}

function append(before: string, { texts, parts }: Statement, engine: Engine, values: Value[]): string {
  let result = before + texts[0];
  // By number, because every statement of every order is written: an iterator takes a third longer.
  for (let index = 0; index < parts.length; index += 1) {
    const part = parts[index] ?? null;
    if (typeof part !== 'object' || part === null || part instanceof Uint8Array)
      result += placeholder[engine] + values.push(part);
    else result = append(result, 'texts' in part ? part : part[engine](), engine, values);
    result += texts[index + 1];
  }
  return result;
}
