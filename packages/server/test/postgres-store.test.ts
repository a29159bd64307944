import type { Store } from '@topup-kit/core/store';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { storeSuite } from '../../suites/src/store/index.ts';
import { createPostgresStore } from '../src/postgres/index.ts';
import { usePostgres } from './helpers/shared-postgres.ts';

const server = usePostgres();
let url: string;
let store: Store;

beforeAll(async () => {
  url = await server.newSchema();
  store = createPostgresStore({ url });
  // Creates the tables.
  await store.readMode();
}, 60_000);

afterAll(async () => {
  await store.close();
});

describe('the PostgreSQL store does what every store must', () => {
  // A new store for each would take longer than all that they do.
  for (const { name, run } of storeSuite)
    it(name, async () => {
      await server.empty(url);
      await run(store);
    });
});
