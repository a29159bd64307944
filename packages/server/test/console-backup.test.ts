import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { another, place } from '../../suites/src/store/fixtures.ts';
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
  it('is a verified file next to the store, ends the alert, and says who made it', async () => {
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

  it('is made once for two forms that are sent together', async () => {
    await using shop = await startShop();
    await Promise.all([shop.backUp(), shop.backUp()]);
    expect(shop.backups()).toHaveLength(1);
  });

  it('is not offered to a reader, and never overdue with 0 hours', async () => {
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
  it('say what is there and what is missing, until the first order', async () => {
    await using shop = await startShop();
    const before = await shop.words();
    expect(before).toContain('First steps 3 of 6 done');
    expect(before).toMatch(/Import what you sell \d+ products/);
    expect(before).toContain('topup keys create --name shop --mode live');
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
