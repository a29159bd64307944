import { readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { another, place } from '../../suites/src/store/fixtures.ts';
import type { ActionInput } from '../src/features/console/actions.ts';
import { createBackupAction } from '../src/features/console/home/backup.ts';
import type { ConsoleDependencies, View } from '../src/features/console/view.ts';
import { verifyBackup } from '../src/internal.ts';
import { hiddenFields, sameOrigin, startConsole, wordsOf } from './helpers/console.ts';

const hour = 3_600_000;

/** A shop whose operator looks at the overview, and backs it up. */
async function startShop(settings: Record<string, string> = {}) {
  const console = await startConsole(settings);
  const cookie = await console.logIn('Dewi');
  const look = (path = '') => console.ask(path, { cookie });
  const folder = dirname(console.path);
  return {
    ...console,
    look,
    words: async () => wordsOf(await look()),
    async backUp() {
      const form = hiddenFields(await look('/backup'));
      return console.ask('/backup', { method: 'POST', cookie, headers: sameOrigin, form });
    },
    backups: (): string[] =>
      readdirSync(folder)
        .filter((file) => file.startsWith('topup.db.backup-'))
        .map((file) => join(folder, file)),
    sell: () => console.store.placeOrder(place(another('A', { createdAt: console.clock.now }))),
  };
}

describe('a backup from the console', () => {
  it('creates a verified file next to the store, ends the alert, and records the operator', async () => {
    await using shop = await startShop();
    await shop.sell();
    expect(await shop.words()).toContain('Last backup none yet Back up now');
    shop.clock.now += 26 * hour - 1;
    const cookie = await shop.logIn('Dewi');
    const look = (path = '') => shop.ask(path, { cookie });
    expect((await look()).text).not.toContain('id="alert-overdue-backup"');
    shop.clock.now += 1;
    expect((await look()).text).toContain('id="alert-overdue-backup"');

    const opened = await look('/backup');
    expect(wordsOf(opened)).toContain('next to the store');
    const form = hiddenFields(opened);
    const sent = await shop.ask('/backup', { method: 'POST', cookie, headers: sameOrigin, form });
    expect(sent.status).toBe(303);
    const [file = '', ...others] = shop.backups();
    expect(others).toEqual([]);
    expect(await verifyBackup(file)).toMatchObject({ orders: 1, sealed: true });
    const after = await look(sent.headers.location?.replace('/console', ''));
    expect(wordsOf(after)).toContain(`Backed up and verified: ${file}`);
    expect(after.text).not.toContain('id="alert-overdue-backup"');
    expect(await shop.store.listActivity({ limit: 1 })).toMatchObject([
      { operator: 'Dewi', action: 'backup.made', subject: basename(file), at: shop.clock.now },
    ]);
    expect(wordsOf(await look('/overview/activity'))).toContain('Made a backup topup.db.backup-');
    shop.clock.now += 3 * hour;
    expect(wordsOf(await look())).toContain('Last backup 3 h ago Back up now');
  });

  it('creates one backup for two forms that are sent together', async () => {
    await using shop = await startShop();
    await Promise.all([shop.backUp(), shop.backUp()]);
    expect(shop.backups()).toHaveLength(1);
  });

  it('first deletes the unfinished backup of a killed server, and no other file', async () => {
    await using shop = await startShop();
    const beside = (name: string): string => `${shop.path}.backup-${name}`;
    const left = beside('20260328T030000Z.0a1b2c3d.part');
    const others = [beside('mine.0a1b2c3d.part'), beside('20260328T030000Z')];
    for (const file of [left, `${left}-journal`, ...others]) writeFileSync(file, '');
    await shop.backUp();
    expect(shop.backups()).toEqual(expect.arrayContaining(others));
    expect(shop.backups()).toHaveLength(3);
  });

  it("names the file if the store can't record the backup", async () => {
    await using shop = await startShop();
    using other = new DatabaseSync(shop.path, { timeout: 1_000 });
    other.exec('BEGIN IMMEDIATE');
    const sent = await shop.backUp();
    expect(wordsOf(sent)).toContain(
      `The backup was made: ${shop.backups()[0]}, but the store did not record it:`,
    );
    other.exec('ROLLBACK');
  });

  it('ends a backup when the server stops, and the server waits for the end', async () => {
    const server = new AbortController();
    const resources = new AsyncDisposableStack();
    let isEnded = false;
    const backUp = () =>
      new Promise<never>((_resolve, reject) => {
        server.signal.addEventListener('abort', () =>
          setTimeout(() => {
            isEnded = true;
            reject(server.signal.reason);
          }, 20),
        );
      });
    // Safe: the action reads nothing else of both.
    const action = createBackupAction({
      resources,
      closing: server.signal,
      backUp,
      realClock: Date.now,
    } as unknown as ConsoleDependencies);
    const done = action?.perform({} as ActionInput, { visitor: { operator: 'Dewi' } } as View);
    const rejected = expect(done).rejects.toThrow('No backup was made, because the server is stopping.');
    server.abort();
    await resources.disposeAsync();
    expect(isEnded).toBe(true);
    await rejected;
  });

  it('offers no backup to read-only visitors, and no overdue backup with 0 hours', async () => {
    await using shop = await startShop({ TOPUP_CONSOLE: 'read', TOPUP_BACKUP_ALERT_HOURS: '0' });
    await shop.sell();
    shop.clock.now += 900 * hour;
    const cookie = await shop.logIn('Dewi');
    const { text } = await shop.ask('', { cookie });
    expect(text).toContain('Last backup');
    expect(text).not.toContain('/console/backup');
    expect(text).not.toContain('id="alert-overdue-backup"');
  });
});

describe('the first steps of an empty shop', () => {
  it('lists what exists and what is missing, until the first order', async () => {
    await using shop = await startShop();
    const before = await shop.words();
    expect(before).toContain('First steps 3 of 6 done');
    expect(before).toMatch(/Import what you sell \d+ products/);
    const onStore = `--store file:${shop.path}`;
    expect(before).toContain(`topup keys create --name shop --mode live ${onStore}`);
    expect(before).toContain(`--events all ${onStore}`);
    expect(before).not.toContain('TOPUP_STORE');
    expect(before).toContain('Make the first backup');
    await shop.backUp();
    expect(await shop.words()).toContain('First steps 4 of 6 done');
    await shop.store.saveProviderProblems([
      { provider: 'real-supplier', call: 'balance', problem: 'status 401', since: shop.clock.now },
    ]);
    expect(await shop.words()).toContain('real-supplier: status 401');
    await shop.sell();
    expect((await shop.look()).text).not.toContain('id="first-steps"');
  });
});
