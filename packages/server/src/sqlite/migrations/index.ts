import { firstTables } from './001-first-tables.ts';

/** Marks a database file as a store of this kit: `topu` in ASCII. */
export const applicationId = 0x746f_7075;

/** The n-th of the list brings a file to version n; one that was released is never changed. */
export const migrations: readonly string[] = [firstTables];
