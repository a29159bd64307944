import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sandboxCatalog } from '@topup-kit/core/sandbox';
import { expect, it } from 'vitest';
import { createTestService, fixtureOrder } from '../../core/test/helpers/test-service.ts';
import { createSqliteStore } from '../src/sqlite/index.ts';
import { tempFolder } from './helpers/store-file.ts';

const orders = 400;

/** Bytes for each order by table, when each has a key; with `days` after the orders. */
async function sizes(days: number): Promise<Record<string, number>> {
  const path = join(tempFolder(), 'topup.db');
  const store = createSqliteStore({ path });
  await store.replaceCatalog(sandboxCatalog());
  const { order, clock } = await createTestService({ after: store });
  const body = { ...fixtureOrder, promo_code: undefined };
  await Promise.all(
    Array.from({ length: orders }, (_, index) =>
      order(body, { headers: { 'Idempotency-Key': `0190f3a2-0000-7000-8000-${1_000_000 + index}` } }),
    ),
  );
  await store.dropIdempotentResponses(clock.now + days * 86_400_000, orders);
  await store.close();
  const db = new DatabaseSync(path);
  db.exec('VACUUM');
  const rows = db
    .prepare(
      'SELECT tbl_name, sum(pgsize) AS bytes FROM dbstat JOIN sqlite_schema USING (name) GROUP BY tbl_name',
    )
    .all();
  db.close();
  return Object.fromEntries(rows.map(({ tbl_name, bytes }) => [String(tbl_name), Number(bytes) / orders]));
}

it('stores a used key in at most 200 bytes, and a replayed response in at most 2,000', async () => {
  const { idempotent_responses: replayed } = await sizes(0);
  const { used_keys: used, idempotent_responses: left } = await sizes(31);
  expect(replayed).toBeGreaterThan(1_000);
  expect(replayed).toBeLessThan(2_000);
  expect(used).toBeGreaterThan(80);
  expect(used).toBeLessThan(200);
  expect(left).toBeLessThan(50);
});
