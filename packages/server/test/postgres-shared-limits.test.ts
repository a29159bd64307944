import { headers, sandboxKey } from '@topup-kit/core/contract';
import { describe, expect, it, vi } from 'vitest';
import { hurryWaits } from '../../../test/hurry.ts';
import { countStatuses, send } from './helpers/fleet.ts';
import { connectTo } from './helpers/postgres.ts';
import { startSandbox } from './helpers/sandbox.ts';
import { usePostgres } from './helpers/shared-postgres.ts';

const database = usePostgres();
hurryWaits();

describe('two servers on one PostgreSQL', () => {
  it('shares the limit of orders per minute between two servers, and gives it to the remaining server', async () => {
    const url = await database.newSchema();
    await using sql = connectTo(url);
    const start = () =>
      startSandbox({ TOPUP_STORE: url, TOPUP_ORDERS_PER_MINUTE: '10', TOPUP_READS_PER_MINUTE: '1000' });
    const running = async (): Promise<string[]> =>
      (await sql`SELECT address FROM servers ORDER BY server_id`).map(({ address }) => address);
    const first = await start();
    expect(await running()).toEqual([expect.stringMatching(/, 127\.0\.0\.1:\d+$/)]);
    const second = await start();
    expect(await running()).toHaveLength(2);
    // The first server looks for others every three seconds; then each request counts twice.
    const readsLeft = async (): Promise<number> => {
      const response = await fetch(`${first.baseUrl}/games`, { headers: { [headers.apiKey]: sandboxKey } });
      return Number(/;r=(\d+);/.exec(response.headers.get(headers.rateLimit) ?? '')?.[1]);
    };
    await vi.waitFor(async () => expect((await readsLeft()) - (await readsLeft())).toBe(2), 10_000);
    const sent = [];
    for (let count = 0; count < 15; count += 1)
      for (const { baseUrl } of [first, second]) sent.push(await send(baseUrl));
    expect(countStatuses(sent)).toEqual({ 201: 10, 429: 20 });
    await first.close();
    expect(await running()).toHaveLength(1);
    await second.close();
    expect(await running()).toEqual([]);
    const alone = await start();
    const again = [];
    for (let count = 0; count < 15; count += 1) again.push(await send(alone.baseUrl));
    expect(countStatuses(again)).toEqual({ 201: 10, 429: 5 });
    await alone.close();
  });
});
