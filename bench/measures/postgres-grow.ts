import { copyStore } from '@topup-kit/server';
import { type BenchServer, startBenchServer } from '../bench-process.ts';
import { compare } from '../compare.ts';
import type { Measure } from '../measure.ts';
import { bodyWithoutPromo, postOrder } from '../requests.ts';
import { storeWith } from '../stores.ts';

export const postgresGrow: Measure = {
  name: 'postgres-grow',
  about: 'POST /api/order with 1,000,000 orders in PostgreSQL against 1,000, one server each',
  async run() {
    // Imported here, because the module handles signals and the end of the process, which would affect the other measures.
    const { startPostgres } = await import('../../packages/server/test/helpers/postgres.ts');
    await using database = await startPostgres({ durable: true });
    await using servers = new AsyncDisposableStack();

    async function serve(orders: number): Promise<BenchServer> {
      const url = await database.newSchema();
      await copyStore({ kind: 'file', path: await storeWith(orders) }, { kind: 'postgres', url });
      return servers.use(await startBenchServer('topup.ts', { TOPUP_STORE: url }, { pinned: false }));
    }

    const [small, large] = [await serve(1_000), await serve(1_000_000)];
    const { ratio, figures, remarks } = await compare(
      { name: '1,000,000 orders', server: large, request: postOrder(large.baseUrl, bodyWithoutPromo) },
      { name: '1,000 orders', server: small, request: postOrder(small.baseUrl, bodyWithoutPromo) },
    );
    return {
      figures,
      bars: [{ name: '1,000,000 orders / 1,000 orders', value: ratio, kind: 'at least', bar: 0.9 }],
      remarks,
    };
  },
};
