import { renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sandboxCatalogFile } from '@topup-kit/core/sandbox';
import { describe, expect, it } from 'vitest';
import { readConfig, startServer } from '../src/internal.ts';
import { liveParts } from './helpers/live-parts.ts';
import { temporaryFolder } from './helpers/sandbox.ts';
import { fillDisk, startOnSmallDisk } from './helpers/small-disk.ts';

const soon = { timeout: 5_000 };

describe('a server whose disk is full', () => {
  it("acknowledges no order that a full disk couldn't store, reports the full disk, and continues when there is space", async () => {
    await using folder = await temporaryFolder();
    await using server = await startOnSmallDisk(join(folder.path, 'topup.db'), 640);
    expect(await server.health()).toBe(200);
    const { acknowledged, rejected } = await fillDisk(server);
    expect(rejected.status).toBe(500);
    expect(await rejected.json()).toEqual({ success: false, message: 'Gagal menyimpan pesanan.' });
    for (let count = 0; count < 20; count += 1) expect((await server.order()).status).toBe(500);
    expect(await server.health()).toBe(503);
    for (const orderId of acknowledged) expect(await server.readStatus(orderId)).toBe(200);
    // Due work runs meanwhile.
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    expect(server.logged()).toMatchObject([{ level: 50, err: { problem: 'writes_paused' } }]);

    server.makeRoom();
    await expect.poll(server.health, soon).toBe(200);
    const stored = await server.order();
    expect(stored.status).toBe(201);
    acknowledged.push((await stored.json()).orderId);
    expect(server.logged().map(({ msg }) => msg)).toEqual([
      'the store accepts no writes',
      'the store accepts writes again',
    ]);
    await server.kill();
    await using again = await startOnSmallDisk(join(folder.path, 'topup.db'), 'unlimited');
    for (const orderId of acknowledged) expect(await again.readStatus(orderId)).toBe(200);
  }, 30_000);

  it('serves reads after a restart with a full disk', async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'topup.db');
    const first = await startOnSmallDisk(path, 640);
    const { acknowledged } = await fillDisk(first);
    await first.kill();
    // SQLite needs 32 KiB for the index of its log, which it gave back when it ended.
    await using server = await startOnSmallDisk(path, 32);
    for (const orderId of acknowledged) expect(await server.readStatus(orderId)).toBe(200);
    expect((await server.order()).status).toBe(500);
    expect(await server.health()).toBe(503);
    server.makeRoom();
    await expect.poll(server.health, soon).toBe(200);
    expect((await server.order()).status).toBe(201);
  }, 30_000);

  it('starts after an upgrade without the new alert about overdue backups', async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'topup.db');
    const catalog = join(folder.path, 'catalog.json');
    writeFileSync(catalog, JSON.stringify(sandboxCatalogFile));
    const lines: string[] = [];
    const start = (hours: string) =>
      startServer(
        readConfig({
          PORT: '0',
          TOPUP_STORE: `file:${path}`,
          TOPUP_CATALOG: catalog,
          TOPUP_BACKUP_ALERT_HOURS: hours,
        }),
        {
          ...liveParts,
          log: { write: (line: string) => void lines.push(line) },
        },
      );
    await (await start('0')).close();
    {
      using db = new DatabaseSync(path);
      db.exec(
        "CREATE TRIGGER full BEFORE INSERT ON revisions BEGIN SELECT RAISE(ABORT, 'the disk is full'); END",
      );
    }
    await using server = await start('26');
    expect(lines.join('')).toContain('the alert about overdue backups could not be set');
    expect((await fetch(`${server.baseUrl}/games`)).status).toBe(401);
  });
});

describe('a server whose store file', () => {
  it.each([
    ['is deleted', (path: string, _other: string) => unlinkSync(path)],
    ['is replaced', (path: string, other: string) => renameSync(other, path)],
  ])(
    'rejects writes with 503 when the store file %s, fails its health check within a second and logs it once',
    async (_what, harm) => {
      await using folder = await temporaryFolder();
      const other = join(folder.path, 'other.db');
      const maker = await startOnSmallDisk(other, 'unlimited');
      await maker.order();
      await maker.kill();
      const path = join(folder.path, 'topup.db');
      await using server = await startOnSmallDisk(path, 'unlimited');
      const { orderId } = await (await server.order()).json();
      harm(path, other);
      const rejected = await server.order();
      expect(rejected.status).toBe(503);
      expect(rejected.headers.get('Retry-After')).toBe('10');
      expect(await rejected.json()).toMatchObject({ error_code: 'UNAVAILABLE' });
      await expect.poll(server.health, { timeout: 1_000 }).toBe(503);
      expect(await server.readStatus(orderId)).toBe(200);
      for (let count = 0; count < 5; count += 1) expect((await server.order()).status).toBe(503);
      expect(server.logged()).toMatchObject([{ level: 50, err: { problem: 'file_gone' } }]);
    },
    30_000,
  );
});
