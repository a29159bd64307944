import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { editCatalog, readCatalogFile, setMargin } from '@topup-kit/core/engine';
import { sandboxCatalogFile } from '@topup-kit/core/sandbox';
import { emptyCatalog } from '@topup-kit/core/store';
import { expect, it, onTestFinished } from 'vitest';
import { openStore, readConfig, startServer, upgradeStore } from '../src/index.ts';
import { formats, keptStore } from './formats/formats.ts';
import { livePartsOn } from './helpers/live-parts.ts';
import { tempFolder } from './helpers/store-file.ts';

const isSync = (line: string): boolean => line.includes('TOPUP_SYNC_MINUTES');

/** A live shop with a rule of 10 % and a product that costs 20,000, and a server that is started on its store. */
async function startShop({
  isOlder = false,
  ...settings
}: {
  isOlder?: boolean;
  TOPUP_SYNC_MINUTES?: string;
}) {
  const path = join(tempFolder(), 'topup.db');
  const clock = { now: Date.parse('2026-03-29T10:00:00+07:00') };
  const realClock = () => clock.now;
  const store = openStore({ kind: 'file', path });
  onTestFinished(() => store.close());
  await store.claimMode('live');
  if (isOlder) {
    using db = new DatabaseSync(path);
    db.exec("DELETE FROM revisions WHERE name = 'defaults'");
  }
  const read = readCatalogFile(sandboxCatalogFile);
  await store.replaceCatalog('catalog' in read ? read.catalog : emptyCatalog);
  const rule = { percent: 1_000, flat: 0, minimum: 0, floor: 0, rounding: null };
  const edit = { store, realClock, operator: 'rina' };
  await editCatalog(edit, 'margin set', setMargin({ scope: 'shop', key: '' }, rule));
  const list = async (price: number): Promise<void> => {
    const product = { code: 'ML86', price, isAvailable: true, stock: null, isOncePerDay: false, pause: null };
    await store.saveSupplierList({ supplier: 'real-supplier', readAt: clock.now, products: [product] });
  };
  await list(20_000);
  const lines: string[] = [];
  const config = readConfig({
    TOPUP_STORE: `file:${path}`,
    PORT: '0',
    TOPUP_LOG_FORMAT: 'json',
    ...settings,
  });
  const log = { write: (line: string) => void lines.push(line) };
  const server = await startServer(config, { ...livePartsOn(realClock), realClock, log });
  onTestFinished(() => server.close());
  return {
    ...{ list, clock, store },
    said: () => lines.filter(isSync).map((line) => JSON.parse(line)),
    async price() {
      const games = (await store.readCatalog())?.games ?? [];
      return games.flatMap(({ products }) => products).find(({ code }) => code === 'ML86')?.selling_price;
    },
    /** Waits until the server has looked at what there is now, by what it would do then. */
    async followed(cost: number) {
      await list(cost);
      clock.now += 60_000;
      await expect.poll(this.price, { timeout: 5_000 }).toBe((cost * 11) / 10);
    },
  };
}

it("uses the supplier's prices in a new store with rules, and logs the interval at the start", async () => {
  const shop = await startShop({});
  expect(shop.said()).toMatchObject([
    { level: 30, minutes: 1, msg: expect.stringMatching(/follow the supplier's list, .* every minute/) },
  ]);
  // The rise of 12 % that closed a shop.
  await shop.followed(22_400);
  await shop.followed(20_000);
});

it("keeps the prices in an earlier version's store, and explains at the start how to use the supplier's prices", async () => {
  const shop = await startShop({ isOlder: true });
  expect(shop.said()).toMatchObject([
    {
      level: 40,
      msg: expect.stringMatching(/do not follow .* topup catalog sync --yes, and set TOPUP_SYNC_MINUTES=1/),
    },
  ]);
  await shop.list(22_400);
  expect(await shop.store.listCatalogEdits(1)).toMatchObject([{ command: 'margin set' }]);
});

it.each([
  ['0', false],
  ['5', true],
])('prefers TOPUP_SYNC_MINUTES=%s in any store', async (TOPUP_SYNC_MINUTES, isOlder) => {
  const shop = await startShop({ TOPUP_SYNC_MINUTES, isOlder });
  if (TOPUP_SYNC_MINUTES === '0') return expect(shop.said()).toEqual([]);
  expect(shop.said()).toMatchObject([{ level: 30, minutes: 5 }]);
  shop.clock.now += 240_000;
  await shop.followed(22_400);
});

it('distinguishes stores of earlier versions from new stores', async () => {
  const kept = formats.filter(({ engine, version }) => engine === 'sqlite' && version > 16 && version < 19);
  for (const format of kept) {
    const path = join(tempFolder(), 'topup.db');
    writeFileSync(path, keptStore(format));
    await upgradeStore({ kind: 'file', path });
    const store = openStore({ kind: 'file', path });
    const mode = (await store.readMode()) ?? 'sandbox';
    await store.claimMode(mode);
    expect([format.name, await store.readDefaults()]).toEqual([format.name, 0]);
    await store.close();
  }
  expect(kept).not.toHaveLength(0);
});
