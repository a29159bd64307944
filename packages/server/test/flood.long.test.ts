import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  type FloodResult,
  floodOnce,
  floodProgram,
  rejectWrong,
  type Sender,
} from '../../../soak/flood/index.ts';
import { bundled } from '../../../test/shared.ts';
import { startPostgres } from './helpers/postgres.ts';
import { temporaryFolder } from './helpers/sandbox.ts';
import { serverStarter } from './helpers/spawn-server.ts';

const start = serverStarter(await bundled(floodProgram));

/** So many connections took all the time of the server before rejected callbacks waited for their turn: orders took seconds. */
const connections = 300;

const flood = (store: string, sender: Sender) =>
  floodOnce({ ...{ start, store, sender, connections }, seconds: 4, seed: 9 });

/** The bar of twice as long is for a quiet machine, and `pnpm soak flood`. */
function expectQuickShop({ without, during }: FloodResult): void {
  for (const what of ['orders', 'callbacks'] as const)
    expect(during[what].p99).toBeLessThan(Math.max(1_000, 5 * without[what].p99));
}

it.each(['one address', "the gateway's own address"] as const)(
  'handles orders and genuine callbacks during a flood of forged callbacks from %s',
  async (sender) => {
    await using folder = await temporaryFolder();
    const result = await flood(`file:${join(folder.path, 'topup.db')}`, sender);
    rejectWrong(result);
    expect(result.flood.sentPerSecond).toBeLessThan(200);
    expectQuickShop(result);
  },
  60_000,
);

it('handles orders and genuine callbacks over PostgreSQL during a flood of forged callbacks from many addresses', async () => {
  await using database = await startPostgres({ durable: true });
  const result = await flood(await database.newSchema(), 'an address each');
  rejectWrong(result);
  expectQuickShop(result);
}, 120_000);
