import { seededRandom } from '@topup-kit/core/platform';
import { describe, expect, it } from 'vitest';
import { breakFleet } from '../../../soak/fleet/run.ts';
import { postgresShopOpener, useUp } from '../../../soak/promo-quota/index.ts';
import { bundled } from '../../../test/shared.ts';
import { sha256Hex } from '../src/internal.ts';
import { givenPostgres, startPostgres } from './helpers/postgres.ts';
import { startServerProcess } from './helpers/server-process.ts';
import { serverStarter } from './helpers/spawn-server.ts';

describe('two server processes on one PostgreSQL', () => {
  it.each([
    { quota: 37, orders: 500 },
    { quota: 100, orders: 1_000 },
  ])(
    'uses a promo with a quota of $quota for exactly $quota of $orders concurrent orders',
    async (sizes) => {
      await using database = await startPostgres();
      await useUp(postgresShopOpener(startServerProcess, database), sizes);
    },
    60_000,
  );

  it.skipIf(givenPostgres)(
    'loses no acknowledged order and buys nothing twice despite kills, outages and cut connections',
    async () => {
      const start = serverStarter(await bundled(new URL('../../../soak/fleet/serve.ts', import.meta.url)));
      const { acknowledged, disturbed, paid } = await breakFleet(start, {
        ...{ rounds: 3, ordersEach: 60 },
        random: seededRandom(sha256Hex, '15'),
      });
      expect(acknowledged).toBeGreaterThan(100);
      expect(disturbed).toBeGreaterThan(3);
      expect(paid).toBeGreaterThan(20);
    },
    120_000,
  );
});
