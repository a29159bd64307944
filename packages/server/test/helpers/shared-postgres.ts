import { afterAll, beforeAll } from 'vitest';
import { postgresAddress } from '../../../../test/shared.ts';
import { onServer, type TestSchemas } from './postgres.ts';

/** Schemas for the tests of a file, on the PostgreSQL of the whole run; it waits for no disk. */
export function usePostgres(): Pick<TestSchemas, 'newSchema' | 'empty'> {
  let schemas: TestSchemas | undefined;
  const connected = (): TestSchemas => {
    if (!schemas) throw new Error('PostgreSQL is not there yet');
    return schemas;
  };
  beforeAll(async () => {
    schemas = onServer(await postgresAddress());
  }, 60_000);
  afterAll(() => schemas?.[Symbol.asyncDispose](), 60_000);
  return { newSchema: () => connected().newSchema(), empty: (url) => connected().empty(url) };
}
