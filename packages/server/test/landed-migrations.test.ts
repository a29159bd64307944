import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { migrations as ofDatabases } from '../src/postgres/migrate.ts';
import { migrations as ofFiles } from '../src/sqlite/migrate.ts';
import { formats } from './formats/formats.ts';
import landed from './landed-migrations.json' with { type: 'json' };

const engines = [
  { engine: 'sqlite', migrations: ofFiles, hashes: landed.sqlite },
  { engine: 'postgres', migrations: ofDatabases, hashes: landed.postgres },
] as const;

/** The statements of each file, by its name. */
async function readFiles(engine: string): Promise<[file: string, sql: string][]> {
  const folder = new URL(`../src/${engine}/migrations/`, import.meta.url);
  const files = readdirSync(folder).toSorted();
  return Promise.all(
    files.map(async (file): Promise<[string, string]> => {
      const [sql, ...others] = Object.values<unknown>(await import(new URL(file, folder).href));
      if (typeof sql !== 'string' || others.length > 0) throw new Error(`${file} exports not one text`);
      return [file, sql];
    }),
  );
}

const hashOf = (sql: string): string => createHash('sha256').update(sql).digest('hex');

// A store that somebody has may have been written by any migration that ever landed: to change one is to lose that store. When a new
// migration lands, its line is added to landed-migrations.json. Names have no number there, so that one can still be renumbered before.
describe.each(engines)('the migrations of $engine', ({ engine, migrations, hashes }) => {
  it('never changes a landed migration, and lists each in landed-migrations.json', async () => {
    const files = await readFiles(engine);
    const found = files.map(([file, sql]) => [file.replace(/^\d+-|\.ts$/g, ''), hashOf(sql)]);
    expect(found).toEqual(Object.entries(hashes));
  });

  it('applies migrations in numerical sequence, from 001', async () => {
    const files = await readFiles(engine);
    expect(migrations).toEqual(files.map(([, sql]) => sql));
    expect(files.map(([file]) => Number.parseInt(file, 10))).toEqual(files.map((_, index) => index + 1));
  });

  it('has a store in formats.ts for each format except the newest', () => {
    const kept = new Set(formats.filter((one) => one.engine === engine).map(({ version }) => version));
    expect(migrations.slice(1).map((_, index) => kept.has(index + 1))).toEqual(
      migrations.slice(1).map(() => true),
    );
  });
});
