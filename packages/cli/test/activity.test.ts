import { utimesSync } from 'node:fs';
import type { StoredUnit } from '@topup-kit/core/store';
import { describe, expect, it } from 'vitest';
import { callback } from '../../suites/src/store/callbacks/callback-cases.ts';
import { another, change, delivered, entry, place, unit } from '../../suites/src/store/fixtures.ts';
import { ownStore } from './helpers/own-store.ts';
import { run } from './helpers/run.ts';
import { startSandbox } from './helpers/servers.ts';

const shop = ownStore(async (path) => (await startSandbox(`file:${path}`)).close());

const topup = (...args: string[]) =>
  run(args, { environment: { TOPUP_STORE: shop.url, TOPUP_OPERATOR: 'Dewi' } });

const activity = async (...args: string[]) =>
  JSON.parse((await topup('activity', ...args, '--json')).stdout).activity;

const day = 24 * 60 * 60_000;

describe('topup activity', () => {
  it('lists what operators did to promos, keys, webhooks and the catalogue, newest first', async () => {
    await topup('promos', 'create', '--code', 'LEBARAN', '--percent', '10');
    await topup('promos', 'disable', 'LEBARAN', '--operator', 'Budi');
    await topup('promos', 'enable', 'LEBARAN', '--dry-run');
    const created = JSON.parse((await topup('keys', 'create', '--name', 'shop', '--json')).stdout);
    await topup('keys', 'rotate', created.key_id);
    await topup('keys', 'revoke', created.key_id, '--yes', '--by', 'Budi');
    const hook = ['--url', 'http://127.0.0.1:9/hooks', '--events', 'order.paid', '--json'];
    const { endpoint_id } = JSON.parse((await topup('webhooks', 'create', ...hook)).stdout);
    await topup('webhooks', 'edit', endpoint_id, '--disable');
    await topup('webhooks', 'rotate', endpoint_id);
    await topup('webhooks', 'delete', endpoint_id, '--yes');
    await topup('catalog', 'set-price', 'ML86', '23500');

    const all = await activity();
    expect(
      all.map(({ operator, action, subject }: Record<string, string>) => [operator, action, subject]),
    ).toEqual([
      ['Dewi', 'catalog.edited', 'set-price ML86'],
      ['Dewi', 'webhook.deleted', endpoint_id],
      ['Dewi', 'webhook.changed', endpoint_id],
      ['Dewi', 'webhook.changed', endpoint_id],
      ['Dewi', 'webhook.added', endpoint_id],
      ['Budi', 'key.revoked', created.key_id],
      ['Dewi', 'key.rotated', created.key_id],
      ['Dewi', 'key.created', created.key_id],
      ['Budi', 'promo.saved', 'LEBARAN'],
      ['Dewi', 'promo.saved', 'LEBARAN'],
    ]);
    expect((await activity('--operator', 'Budi')).map(({ subject }: { subject: string }) => subject)).toEqual(
      [created.key_id, 'LEBARAN'],
    );
    expect(await activity('--until', 'yesterday')).toEqual([]);
    expect(await activity('--since', 'today')).toHaveLength(10);
  });

  it('lists backups, restores, ended console sessions and replayed callbacks', async () => {
    const file = shop.fileIn('friday.db');
    await topup('backup', file, '--operator', 'Budi');
    const { alertAfter, backedUpAt } = await shop.inStore((store) => store.readBackupState());
    expect([alertAfter, Date.now() - (backedUpAt ?? 0) < 60_000]).toEqual([0, true]);
    const lastWeek = new Date(Math.floor(Date.now() / 1_000) * 1_000 - 7 * day);
    utimesSync(file, lastWeek, lastWeek);
    await topup('restore', file, '--yes');
    await shop.inStore(async (store) => {
      await store.addCallback(callback({ callbackId: 'cb_1' }));
      for (const name of ['1', '2', '3']) {
        const session = {
          sessionId: `cs_${name}`,
          hash: name,
          createdAt: Date.now(),
          expiresAt: Date.now() + day,
        };
        await store.addConsoleLink({ ...session, operator: 'Ani', usedAt: null });
        await store.openConsoleSession(name, session);
      }
    });
    await topup('callbacks', 'replay', 'cb_1', '--dry-run');
    await topup('callbacks', 'replay', 'cb_1', '--yes');
    await topup('console', 'sessions', '--end', 'cs_2', '--operator', 'Budi');
    await topup('console', 'sessions', '--end-all');
    const all = await activity();
    expect(
      all.map(({ operator, action, subject }: Record<string, string>) => [operator, action, subject]),
    ).toEqual([
      ['Dewi', 'console.ended', 'cs_3'],
      ['Dewi', 'console.ended', 'cs_1'],
      ['Budi', 'console.ended', 'cs_2'],
      ['Dewi', 'callback.replayed', 'cb_1'],
      ...['cs_3', 'cs_2', 'cs_1'].map((session) => ['Ani', 'console.login', session]),
      // The backup has what was done before it.
      ['Dewi', 'backup.restored', 'friday.db'],
    ]);
    const { stdout } = await topup('activity');
    expect(stdout).toContain('Restored a backup');
    // The alert counts from the restore, and the backup is as old as its file.
    const restored = await shop.inStore((store) => store.readBackupState());
    expect(restored.backedUpAt).toBe(lastWeek.getTime());
    expect(Date.now() - (restored.alertSince ?? 0)).toBeLessThan(60_000);
  });

  it("shows an operator's activity in a table, with the next page", async () => {
    const at = Date.UTC(2026, 2, 28, 3);
    const refunded = {
      at,
      operator: 'Dewi',
      action: 'refund.paid',
      subject: 'INV-1-R1',
      amount: 7_000,
    } as const;
    const nameless = {
      ...refunded,
      operator: '',
      action: 'order.noted',
      subject: 'INV-1',
      amount: null,
    } as const;
    await shop.inStore(async (store) => {
      await store.addActivity(nameless);
      await store.addActivity(refunded);
    });
    const first = await run(['activity', '--limit', '1'], {
      columns: 100,
      environment: { TOPUP_STORE: shop.url },
    });
    expect(first.stdout).toBe(
      'WHEN (GMT+7)           OPERATOR  DID            TO          AMOUNT\n28 Mar 2026, 10:00:00  Dewi      Paid a refund  INV-1-R1  Rp 7,000\n',
    );
    const [, number] = /topup activity --limit 1 --cursor (\d+)/.exec(first.stderr) ?? [];
    const next = await run(['activity', '--limit', '1', '--cursor', `${number}`], {
      environment: { TOPUP_STORE: shop.url },
    });
    expect(next.stdout).toContain('unknown');
    expect(next.stderr).toBe('');
  });

  it('says when there is no activity to list', async () => {
    expect(await topup('activity')).toEqual({
      code: 0,
      stdout: '',
      stderr: `No matching activity in ${shop.path}.\n`,
    });
  });

  it("rejects an invalid operator's name before it creates a key", async () => {
    const { code, stderr } = await topup('keys', 'create', '--name', 'x', '--operator', ' ');
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--operator takes a name'),
    });
    expect((await shop.inStore((store) => store.listKeys())).filter(({ name }) => name === 'x')).toEqual([]);
  });
});

describe('topup balance', () => {
  const readAt = Date.UTC(2026, 2, 28, 3);

  it('says how long each balance lasts at the pace of the last three days', async () => {
    const now = Date.now();
    const bought = (paidAt: number, letter: string, cost: number): Promise<void> =>
      shop.inStore(async (store) => {
        const order = another(letter, { createdAt: paidAt });
        await store.placeOrder(place(order));
        const units: StoredUnit[] = [
          unit(1, { state: 'delivered', supplier: 'digiflazz', cost, costSource: 'supplier' }),
        ];
        const paid = entry({ event: 'paid', by: 'gateway', at: paidAt });
        await store.changeOrder(change({ orderId: order.orderId, to: delivered, entry: paid, units }));
      });
    await bought(now - day, 'A', 200_000);
    await bought(now - 2 * day, 'B', 100_000);
    await bought(now - 4 * day, 'C', 900_000);
    await shop.inStore(async (store) => {
      await store.saveSupplierBalance({
        supplier: 'digiflazz',
        balance: 150_000,
        alertBelow: 500_000,
        readAt,
      });
      await store.saveSupplierBalance({ supplier: 'vip', balance: 900_000, alertBelow: 500_000, readAt });
    });

    expect(JSON.parse((await topup('balance', '--json')).stdout)).toEqual({
      days: 3,
      balances: [
        // 300,000 in 72 hours: half of it is for 36.
        {
          ...{ supplier: 'digiflazz', balance: 150_000, alert_below: 500_000, low: true },
          ...{ spent: 300_000, lasts_hours: 36, read_at: '2026-03-28T03:00:00.000Z' },
        },
        {
          ...{ supplier: 'vip', balance: 900_000, alert_below: 500_000, low: false },
          ...{ spent: 0, lasts_hours: null, read_at: '2026-03-28T03:00:00.000Z' },
        },
      ],
    });
    const { stdout } = await run(['balance'], { columns: 120, environment: { TOPUP_STORE: shop.url } });
    expect(stdout).toContain('digiflazz  Rp 150,000   Rp 500,000  1 day 12 hours  low');
    expect(stdout).toContain('vip        Rp 900,000   Rp 500,000  nothing bought  enough');
  });

  it('explains why there is no balance', async () => {
    const { code, stdout, stderr } = await topup('balance');
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toContain('No balance in');
  });
});
