import { setTimeout as wait } from 'node:timers/promises';

/** Statement as PostgreSQL ran it, with parameters `$1` and so on. */
export interface Statement {
  text: string;
  parameters: (string | null)[];
}

interface Entry {
  pid: string;
  kind: string;
  text: string;
}

/** Splits PostgreSQL's log into entries, whose further lines begin with a tab. */
const entriesOf = (log: string): Entry[] =>
  [...log.matchAll(/^[^\t\n]*? \[(\d+)\] (\w+): {2}(.*(?:\n\t.*)*)/gm)].map(
    ([, pid = '', kind = '', text = '']) => ({
      pid,
      kind,
      text: text.replaceAll('\n\t', '\n'),
    }),
  );

const parametersOf = (detail: string): (string | null)[] =>
  [...detail.matchAll(/\$\d+ = (NULL|'((?:[^']|'')*)')/g)].map(([, all, text = '']) =>
    all === 'NULL' ? null : text.replaceAll("''", "'"),
  );

/** Returns the statements of each transaction in a log of all statements, without those that begin and end it. */
function transactionsOf(log: string): Statement[][] {
  const open = new Map<string, Statement[]>();
  const done: Statement[][] = [];
  for (const { pid, kind, text } of entriesOf(log)) {
    const statements = open.get(pid);
    const [, statement] = /^(?:execute [^:]*|statement): ([\s\S]*)$/.exec(text) ?? [];
    if (kind === 'DETAIL') statements?.at(-1)?.parameters.push(...parametersOf(text));
    else if (statement === undefined) continue;
    else if (/^begin/i.test(statement)) open.set(pid, []);
    else if (/^commit/i.test(statement)) {
      if (statements) done.push(statements);
      open.delete(pid);
    } else statements?.push({ text: statement.trim(), parameters: [] });
  }
  return done;
}

/** Waits until the log contains the transaction that inserts an order, and returns its statements. */
export async function findOrderTransaction(log: () => string, orderId: string): Promise<Statement[]> {
  for (let left = 100; left > 0; left -= 1) {
    const found = transactionsOf(log()).find((statements) =>
      statements.some(
        ({ text, parameters }) => text.startsWith('INSERT INTO orders') && parameters.includes(orderId),
      ),
    );
    if (found) return found;
    await wait(50);
  }
  throw new Error("PostgreSQL's log has no transaction of the order");
}

const quoted = (text: string): string =>
  // pgbench takes a colon before a letter as the start of a variable, even in JSON. There, an additional space changes nothing.
  `'${text.replaceAll("'", "''").replace(/:(?=[A-Za-z_])/g, ': ')}'`;

/** Creates a script for pgbench that runs the statements in a transaction. It replaces the texts that must be unique. */
export function pgbenchScript(statements: readonly Statement[], unique: readonly string[]): string {
  const written = (parameter: string | null): string => {
    if (parameter === null) return 'NULL';
    return unique.includes(parameter) ? "('bench-' || :number::text)" : quoted(parameter);
  };
  const lines = statements.map(
    ({ text, parameters }) =>
      `${text.replace(/\$(\d+)/g, (_, number) => written(parameters[Number(number) - 1] ?? null))};`,
  );
  return ['\\set number random(1, 9000000000000000000)', 'BEGIN;', ...lines, 'COMMIT;', ''].join('\n');
}
