import { conformanceCases, runCase } from '@topup-kit/core/conformance';
import { afterAll, assert, beforeAll, describe, expect, it } from 'vitest';
import { crowded } from '../../core/test/helpers/crowded.ts';
import { readConfig, startServer } from '../src/index.ts';
import { startHttpTarget } from './helpers/http-target.ts';
import { liveParts } from './helpers/live-parts.ts';
import { startPostgres, type TestPostgres } from './helpers/postgres.ts';
import { startSandbox } from './helpers/sandbox.ts';

let database: TestPostgres;
beforeAll(async () => {
  database = await startPostgres();
}, 60_000);
afterAll(() => database[Symbol.asyncDispose]());

describe('conformance, Node HTTP over PostgreSQL', () => {
  let http: Awaited<ReturnType<typeof startHttpTarget>>;
  beforeAll(async () => {
    http = await startHttpTarget(await database.newSchema());
  });
  afterAll(() => http[Symbol.asyncDispose]());

  for (const one of conformanceCases.filter(({ name }) => name !== crowded))
    it(one.name, { timeout: 60_000 }, async () => {
      const { outcome, reason } = await runCase(one, http.target);
      assert(outcome === 'passed', reason);
    });
});

describe('a server on PostgreSQL', () => {
  it('keeps its orders over a restart, and belongs to one mode', async () => {
    const url = await database.newSchema();
    const catalog = new URL('../../../examples/catalog.json', import.meta.url).pathname;
    const first = await startSandbox({ TOPUP_STORE: url });
    expect(first.seeded).toBe(true);
    await first.close();
    const second = await startSandbox({ TOPUP_STORE: url });
    expect(second.seeded).toBe(false);
    await second.close();
    const live = startServer(readConfig({ TOPUP_STORE: url, TOPUP_CATALOG: catalog, PORT: '0' }), liveParts);
    await expect(live).rejects.toThrow(/^The store belongs to a sandbox server/);
  });
});
