import { sandboxKey } from '@topup-kit/core/contract';
import { findAlerts } from '@topup-kit/core/engine';
import { createMemoryStore } from '@topup-kit/core/store';
import { describe, expect, it, vi } from 'vitest';
import { hurryWaits } from '../../../test/hurry.ts';
import { moment } from '../../suites/src/store/fixtures.ts';
import { inspectStore, readConfig } from '../src/index.ts';
import { createRejections } from '../src/observability/rejections.ts';
import { appSettings, prepareSettings } from '../src/service/start-settings.ts';
import { startSandbox, temporaryFolder } from './helpers/sandbox.ts';

hurryWaits();

const quarter = 15 * 60_000;

describe('requests that limits reject', () => {
  it('raises an alert with the number of rejected requests, and shows it in doctor, metrics and the store', async () => {
    await using folder = await temporaryFolder();
    const path = `${folder.path}/topup.db`;
    const environment = { TOPUP_STORE: `file:${path}`, TOPUP_READS_PER_MINUTE: '2' };
    const rejected = async () =>
      (await inspectStore(path)).alerts.find(({ kind }) => kind === 'rejected-by-limits');
    await using server = await startSandbox(environment);
    const read = async (): Promise<number> =>
      (await fetch(`${server.baseUrl}/games`, { headers: { 'X-API-KEY': sandboxKey } })).status;
    for (const status of [200, 200, 429, 429, 429]) expect(await read()).toBe(status);
    await vi.waitFor(async () => expect(await rejected()).toMatchObject({ count: 3 }), 10_000);
    expect(await rejected()).toMatchObject({
      names: ['sandbox'],
      sentence: 'Limits rejected 3 requests of sandbox',
    });
    const metrics = await (await fetch(`${server.localUrl}/metrics`)).text();
    expect(metrics).toContain('topup_alerts{alert="rejected-by-limits"} 3');
    await read();
    await vi.waitFor(async () => expect(await rejected()).toMatchObject({ count: 4 }), 10_000);
  });

  it('adds up rejected requests over several servers and starts, until no requests are rejected for 15 minutes', async () => {
    const store = createMemoryStore();
    const find = (realNow: number, added?: Parameters<typeof findAlerts>[2]) =>
      findAlerts(store, { now: realNow, realNow }, added);
    const save = async (realNow: number, count: number, ...keyIds: string[]): Promise<void> => {
      const alerts = (await find(realNow, { count, keyIds })).map((alert) => ({
        ...alert,
        names: alert.subjects,
      }));
      await store.saveRaisedAlerts({ ...(await store.readRaisedAlerts()), alerts }, []);
    };
    expect(await find(moment)).toEqual([]);
    await save(moment, 20, 'key_1');
    await save(moment + quarter - 1, 1, 'key_2');
    expect(await find(moment + 2 * quarter - 2)).toMatchObject([
      { count: 21, names: ['key_1', 'key_2'], sentence: 'Limits rejected 21 requests of key_1, key_2' },
    ]);
    expect(await find(moment + 2 * quarter)).toEqual([]);
  });

  it('counts again when another server saved the alerts first', () => {
    const rejections = createRejections();
    rejections.note({ keyId: 'key_1' });
    const saved = rejections.pending();
    rejections.note({ keyId: 'key_2' });
    // Not forgotten: the store does not have it.
    expect(rejections.pending()).toEqual({ count: 2, keyIds: ['key_1', 'key_2'] });
    rejections.forget(saved);
    expect(rejections.pending()).toMatchObject({ count: 1 });
    rejections.forget({ count: 1, keyIds: [] });
    expect(rejections.pending()).toEqual({ count: 0, keyIds: [] });
  });
});

describe('by default', () => {
  const limitsOf = async (environment: Record<string, string>) => {
    const config = { ...readConfig(environment), mode: 'live' as const };
    const sandbox = await prepareSettings(readConfig({ TOPUP_MODE: 'sandbox' }), {});
    return appSettings({ ...sandbox, config }, 'https://shop.example').limits;
  };

  it('allows a live shop with one key and one address 600 orders a minute, and each customer 20', async () => {
    expect(await limitsOf({})).toMatchObject({
      ...{ readsPerMinute: 6_000, ordersPerMinute: 600 },
      ...{ customerReadsPerMinute: 120, customerOrdersPerMinute: 20 },
    });
  });

  it('applies existing settings for a key to customers', async () => {
    const environment = { TOPUP_READS_PER_MINUTE: '7', TOPUP_ORDERS_PER_MINUTE: '3' };
    expect(await limitsOf(environment)).toMatchObject({
      ...{ readsPerMinute: 7, ordersPerMinute: 3 },
      ...{ customerReadsPerMinute: 7, customerOrdersPerMinute: 3 },
    });
    const both = {
      ...environment,
      TOPUP_CUSTOMER_READS: '0',
      TOPUP_CUSTOMER_ORDERS: '1',
    };
    expect(await limitsOf(both)).toMatchObject({
      ...{ readsPerMinute: 7, ordersPerMinute: 3 },
      ...{ customerReadsPerMinute: 0, customerOrdersPerMinute: 1 },
    });
  });
});
