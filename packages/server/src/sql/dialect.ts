import { sql, type Twin, text } from './statement.ts';

// This file has the SQL that differs between SQLite and PostgreSQL in several statements.

/** Column that sorts rows in the order in which they were added. */
export const added: Twin = { sqlite: () => text('rowid'), postgres: () => text('sequence') };

/** Returns the items of a list as rows with one column, `value`. */
export const eachOf = (list: readonly string[]): Twin => ({
  sqlite: () => sql`SELECT value FROM json_each(${JSON.stringify(list)})`,
  postgres: () =>
    sql`SELECT value FROM json_array_elements_text(${JSON.stringify(list)}::text::json) AS value`,
});

/** Locks a row until the end of the command. SQLite needs no lock, because it runs one command at a time. */
export const locked: Twin = { sqlite: () => text(''), postgres: () => text('FOR UPDATE') };

const hasCode = (error: unknown, { sqlite, postgres }: { sqlite: number[]; postgres: string }): boolean =>
  error instanceof Error &&
  (('errcode' in error && sqlite.some((code) => code === error.errcode)) ||
    ('code' in error && error.code === postgres));

/** Tells whether a statement failed because another row has the same unique value. */
export const isTaken = (error: unknown): boolean =>
  hasCode(error, { sqlite: [1555, 2067], postgres: '23505' });

/** Tells whether a statement failed because another row refers to a deleted row. */
export const isReferredTo = (error: unknown): boolean => hasCode(error, { sqlite: [787], postgres: '23503' });
