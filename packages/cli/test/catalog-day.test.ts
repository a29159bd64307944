import { join } from 'node:path';
import { createSqliteStore, readConfig, startServer } from '@topup-kit/server/internal';
import { startSimulators } from '@topup-kit/simulators';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { freePort } from '../../../test/free-port.ts';
import { temporaryFolder } from './helpers/folder.ts';
import { run, start, until } from './helpers/run.ts';

/** An empty live store, and a supplier with a list of 60 products. */
async function startDay() {
  const folder = temporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  const simulators = await startSimulators({ port: 0 });
  onTestFinished(() => simulators.close());
  const [tripay, digiflazz] = ['tripay', 'digiflazz'].map((name) =>
    simulators.providers.find((one) => one.name === name),
  );
  const environment: Record<string, string> = {
    ...{ TOPUP_STORE: `file:${join(folder.path, 'topup.db')}`, TOPUP_OPERATOR: 'rina' },
    ...{ TOPUP_SUPPLIER: 'digiflazz', DIGIFLAZZ_BASE_URL: digiflazz?.baseUrl ?? '' },
    ...digiflazz?.credentials,
  };
  const control = async (route: string, body: object) => {
    const response = await fetch(`${simulators.url}/control/${route}`, {
      ...{ method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) },
    });
    expect(response.status).toBe(200);
  };
  /** The supplier's list, once it may be asked again. */
  const list = async (change: object) => {
    await control('digiflazz/list', change);
    await control('advance', { seconds: 301 });
  };
  const topup = (...args: string[]) => run(args, { environment });
  const json = async (...args: string[]) => JSON.parse((await topup(...args, '--json')).stdout);
  await list({ products: 60 });
  await topup('keys', 'create', '--name', 'shop', '--mode', 'live');
  return { folder, environment, tripay, control, list, topup, json, file: join(folder.path, 'new.json') };
}

let day: Awaited<ReturnType<typeof startDay>>;
beforeEach(async () => {
  day = await startDay();
});

const priceOf = async (code: string): Promise<unknown> => {
  const { products } = await day.json('catalog', 'list');
  const { price, locked, closed_by } = products.find((one: { code: string }) => one.code === code);
  return [price, locked, closed_by];
};

/** A catalogue that is proposed from the supplier's list, with a margin rule of 10 %. */
async function openShop(): Promise<void> {
  await day.topup('catalog', 'margin', 'set', '--percent', '10', '--minimum', '300');
  await day.topup('catalog', 'add', '--from', 'digiflazz', '--out', day.file);
  const { code, stderr } = await day.topup('catalog', 'import', day.file, '--yes');
  expect([code, stderr]).toEqual([0, expect.stringMatching(/^Imported: \d+ added in\n.*\n$/)]);
}

describe('from an empty store', () => {
  it('turns the supplier’s list of games into a catalogue with prices that are reviewed in a file', async () => {
    const without = await day.topup('catalog', 'add', '--from', 'digiflazz', '--out', day.file);
    expect(without).toMatchObject({ code: 6, stdout: '' });
    expect(without.stderr).toMatch(/no margin rule for mobile-legends.*catalog margin set --percent 8/);
    await openShop();
    const { products } = await day.json('catalog', 'list');
    expect(products).toHaveLength(59);
    expect(products[0]).toEqual({
      ...{
        game: 'mobile-legends',
        code: 'ml86',
        title: '86 Diamond',
        price: 21_450,
        cost: 19_500,
        margin: 1_950,
      },
      ...{ locked: false, rule: 'shop', closed_by: null },
      ...{ rule_price: 21_450, percent_above_rule: null },
    });
    const again = await day.topup('catalog', 'add', '--from', 'digiflazz', '--out', day.file);
    expect([again.code, again.stderr]).toEqual([
      0,
      expect.stringMatching(
        /no new products for the catalogue\.\nLeft out, because they are not games: 1 of Pulsa\./,
      ),
    ]);
  });
});

describe('catalog sync', () => {
  beforeEach(openShop);

  it('exits with 0 without changes and with 1 for pending prices, and writes the prices with --yes', async () => {
    expect((await day.topup('catalog', 'sync', '--yes')).stderr).toMatch(
      /^Used the list from digiflazz of .*\. No price changes\.\n$/,
    );
    await day.list({ percent: 20 });
    const waiting = await day.topup('catalog', 'sync');
    expect(waiting.code).toBe(1);
    expect(waiting.stderr).toMatch(/59 prices to change\. To write them, add --yes\.\n$/);
    expect(waiting.stdout).toMatch(/^New prices: 59\n.*\n {2}ml86 +86 Diamond +23,400 +21,450 +25,740\n/);
    expect(await priceOf('ml86')).toEqual([21_450, false, 'cost']);
    const written = await day.topup('catalog', 'sync', '--yes');
    expect([written.code, written.stderr]).toEqual([0, expect.stringMatching(/59 prices changed\.\n$/)]);
    expect(await priceOf('ml86')).toEqual([25_740, false, null]);
    expect((await day.topup('catalog', 'sync')).code).toBe(0);
  });

  it('uses the last list while the supplier limits requests, and says so', async () => {
    const { stderr } = await day.topup('catalog', 'sync');
    expect(stderr).toMatch(/, because it accepts no new request for [45] minutes/);
  });

  it('keeps a price that was set manually, and warns if the price is too low', async () => {
    expect((await day.topup('catalog', 'set-price', 'ml86', '22000')).code).toBe(0);
    await day.list({ percent: 12 });
    const { thin, prices, written } = await day.json('catalog', 'sync', '--yes');
    expect(thin).toEqual([{ code: 'ml86', cost: 21_840, price: 22_000, minimum: 300, locked: true }]);
    expect([prices.length, written, await priceOf('ml86')]).toEqual([58, true, [22_000, true, null]]);
  });

  it('rejects a list that is more than a third shorter than the last list unless --force is given', async () => {
    await day.topup('catalog', 'sync', '--yes');
    await day.list({ products: 30, percent: 20 });
    const shown = await day.topup('catalog', 'sync');
    expect([shown.code, shown.stderr]).toEqual([
      1,
      expect.stringMatching(
        /has 30 products, but had 60.*\nNo price was changed\. If the list is right, add --yes --force\./,
      ),
    ]);
    const refused = await day.topup('catalog', 'sync', '--yes');
    expect(refused.code).toBe(6);
    expect(refused.stderr).toMatch(/^Error: The list of digiflazz has 30 products, but had 60/);
    expect(await priceOf('ml86')).toEqual([21_450, false, 'cost']);
    expect((await day.topup('catalog', 'sync', '--yes', '--force')).code).toBe(0);
    expect(await priceOf('ml86')).toEqual([25_740, false, null]);
  });

  it('reports implausible costs and writes the other prices; --force accepts the costs', async () => {
    const store = createSqliteStore({ path: join(day.folder.path, 'topup.db') });
    const [list] = await store.readSupplierLists();
    if (!list) throw new Error('no list');
    const costs = new Map([
      ['ml86', 999_999_999],
      ['ml172', 3],
    ]);
    const products = list.products.map((product) => ({
      ...product,
      price: costs.get(product.code) ?? Math.ceil((product.price ?? 0) * 1.05),
    }));
    await store.saveSupplierList({ ...list, readAt: Date.now(), products });
    await store.close();
    const { TOPUP_SUPPLIER: _none, ...environment } = day.environment;
    const sync = (...args: string[]) => run(['catalog', 'sync', ...args], { environment });
    const written = await sync('--yes');
    expect([written.code, written.stderr]).toEqual([
      1,
      expect.stringMatching(/57 prices changed\. 2 products still at the previous price\./),
    ]);
    expect(written.stdout).toMatch(
      /Kept out: 2\n {2}ml86 .*above the maximum price of a catalogue\n {2}ml172 .*--force/,
    );
    expect(await priceOf('ml86')).toEqual([21_450, false, 'cost']);
    const { kept_out } = JSON.parse((await sync('--json')).stdout);
    expect(kept_out).toMatchObject([
      { code: 'ml86', why: 'limit', cost: 999_999_999, from: 21_450 },
      { code: 'ml172', why: 'far', cost: 3, to: 303 },
    ]);
    const forced = await sync('--yes', '--force');
    expect([forced.code, forced.stderr]).toEqual([
      0,
      expect.stringMatching(/1 price changed\. 1 product still at the previous price/),
    ]);
    expect(await priceOf('ml172')).toEqual([303, false, null]);
  });

  it('uses the stored list if no supplier is set; without a list, explains the next step', async () => {
    const { TOPUP_SUPPLIER: _none, ...environment } = day.environment;
    expect((await run(['catalog', 'sync'], { environment })).code).toBe(0);
    const empty = { ...environment, TOPUP_STORE: `file:${join(day.folder.path, 'empty.db')}` };
    await run(['keys', 'create', '--name', 'x', '--mode', 'live'], { environment: empty });
    const { code, stderr } = await run(['catalog', 'sync'], { environment: empty });
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/^Error: No supplier list: set TOPUP_SUPPLIER/),
    ]);
  });

  it('repeats the sync with --watch until the command is stopped', async () => {
    await day.list({ percent: 10 });
    const stop = new AbortController();
    const watching = start(['catalog', 'sync', '--watch', '--json'], {
      environment: day.environment,
      signal: stop.signal,
    });
    const line = await until(() => watching.written.stdout);
    stop.abort('SIGTERM');
    await watching.code;
    expect(JSON.parse(line)).toMatchObject({ supplier: 'digiflazz', written: true });
    expect(await priceOf('ml86')).toEqual([23_595, false, null]);
  });

  it('syncs in a server with TOPUP_SYNC_MINUTES, and records each sync in the history', async () => {
    const { environment, tripay } = day;
    const port = await freePort();
    await day.list({ percent: 10 });
    // Reads the list, and writes nothing.
    expect((await day.topup('catalog', 'sync')).code).toBe(1);
    const server = await startServer(
      readConfig({
        ...{ ...environment, ...tripay?.credentials, TRIPAY_BASE_URL: tripay?.baseUrl ?? '' },
        ...{
          TOPUP_GATEWAY: 'tripay',
          PORT: String(port),
          TOPUP_LOG_LEVEL: 'silent',
          TOPUP_SYNC_MINUTES: '1',
        },
      }),
    );
    onTestFinished(() => server.close());
    const history = await until(async () => {
      const { edits } = await day.json('catalog', 'history');
      return edits[0].command === 'sync' ? edits[0] : undefined;
    });
    expect(history).toMatchObject({ by: null, changes: expect.objectContaining({ length: 59 }) });
    expect(await priceOf('ml86')).toEqual([23_595, false, null]);
  });
});

describe('edits', () => {
  beforeEach(openShop);

  it('lists edits with their operators, and undoes them', async () => {
    await day.topup('catalog', 'close', 'ml86', '--game', 'free-fire');
    expect(await priceOf('ml86')).toEqual([21_450, false, 'operator']);
    await day.topup('catalog', 'set-price', 'ml172', '50000', '--operator', 'budi');
    const { stdout } = await run(['catalog', 'history'], { environment: day.environment, columns: 80 });
    expect(stdout.replaceAll(/\d+ \w+ \d+, [\d:]+/g, 'DAY')).toMatchInlineSnapshot(`
      "EDIT  WHEN (GMT+7)           BY    WHAT                  CHANGES
         4  DAY  budi  set-price ml172             2
         3  DAY  rina  close ml86 free-fire        2
         2  DAY  rina  import                     84
         1  DAY  rina  margin set shop             1
      "
    `);
    await day.topup('catalog', 'undo');
    const third = await run(['catalog', 'undo'], { environment: day.environment, columns: 80 });
    // Each undo goes one edit further back.
    expect(third.stdout).toMatchInlineSnapshot(`
      "WHAT     CODE       FIELD  FROM → TO
      game     free-fire  open   no → yes
      product  ml86       open   no → yes
      "
    `);
    expect(await priceOf('ml86')).toEqual([21_450, false, null]);
  });

  it.each([
    ['margin', 'set', '--percent', '80'],
    ['margin', 'set', '--game', 'mobile-legends', '--percent', '80'],
    ['margin', 'unset'],
    ['unlock', 'ml86'],
  ])(
    'asks for %s %s before rules change prices, shows the number and size of the changes, and needs --yes without a terminal',
    async (...args) => {
      await day.topup('catalog', 'margin', 'set', '--game', 'mobile-legends', '--percent', '20', '--yes');
      await day.topup('catalog', 'margin', 'set', '--product', 'ml172', '--percent', '20', '--yes');
      await day.topup('catalog', 'set-price', 'ml86', '40000');
      if (args[1] === 'unset') args.push('--game', 'mobile-legends');
      const before = await day.json('catalog', 'list');
      const dry = await day.topup('catalog', ...args, '--dry-run');
      expect([dry.code, dry.stderr]).toEqual([0, expect.stringMatching(/^This changes \d+ prices? \(/)]);
      const asked = await day.topup('catalog', ...args);
      expect([asked.code, asked.stderr]).toEqual([
        2,
        expect.stringMatching(
          /^Error: This needs --yes: This changes \d+ prices? \(.* from [\d,]+ to [\d,]+/,
        ),
      ]);
      expect(await day.json('catalog', 'list')).toEqual(before);
      expect((await day.topup('catalog', ...args, '--yes')).code).toBe(0);
      expect(await day.json('catalog', 'list')).not.toEqual(before);
    },
  );

  it('warns about a margin of 80 percent instead of 8 before the margin takes effect', async () => {
    const { stderr } = await day.topup('catalog', 'margin', 'set', '--percent', '80');
    expect(stderr).toMatch(/This changes 59 prices \(.*\+64 %\): .* from 21,450 to 35,100|and 54 more/);
    // The rule of before, so nothing changes.
    expect((await day.topup('catalog', 'margin', 'set', '--percent', '10', '--minimum', '300')).code).toBe(0);
  });

  it.each([
    [['set-price', 'ml86', '100'], 6, /ml86 costs 19,500, so a price of 100 would sell it below cost/],
    [['set-price', 'nope', '100'], 3, /The catalogue has no product nope\./],
    [['set-price', 'ml86', '-5'], 2, /invalid|unknown option/],
    [['close'], 2, /needs codes of products, --game/],
    [['margin', 'set'], 2, /needs --percent, --flat or --minimum/],
    [['margin', 'set', '--percent', '-3'], 2, /no rule sells below cost/],
    [['margin', 'set', '--percent', '3', '--game', 'chess'], 3, /no game chess/],
    [['margin', 'unset', '--game', 'free-fire'], 3, /no margin rule for game free-fire/],
    [['undo', '99'], 3, /There is no edit 99/],
    [
      ['add', '--from', 'vip-reseller', '--out', 'x.json'],
      2,
      /TOPUP_SUPPLIER is digiflazz, not vip-reseller/,
    ],
    [['sync', '--watch', '0'], 2, /whole minutes from 1 to 1440/],
  ])('rejects %j with exit code %i and one clear error', async (args, code, message) => {
    const before = await day.json('catalog', 'history');
    const ran = await day.topup('catalog', ...args);
    expect([ran.code, ran.stdout, ran.stderr]).toEqual([code, '', expect.stringMatching(message)]);
    expect(await day.json('catalog', 'history')).toEqual(before);
  });

  it('warns that a rule will change an imported price, and keeps locked prices', async () => {
    const { writeFile, readFile } = await import('node:fs/promises');
    const text = await readFile(day.file, 'utf8');
    const file = join(day.folder.path, 'own.json');
    await writeFile(file, text.replace('"selling_price": 21450', '"selling_price": 30000'));
    const { stderr } = await day.topup('catalog', 'import', file, '--yes');
    expect(stderr).toMatch(/The next sync computes 1 price of the file again, by the margin rules: ml86\./);
    await writeFile(
      file,
      text.replace('"selling_price": 21450', '"selling_price": 30000, "price_locked": true'),
    );
    expect((await day.topup('catalog', 'import', file, '--yes')).stderr).not.toMatch(/next sync/);
    // An older file says which locked prices it changes, and can be taken back.
    const older = await day.topup('catalog', 'import', day.file, '--yes');
    expect(older.stderr).toMatch(/It changes 1 locked price: ml86\./);
    expect((await day.topup('catalog', 'undo')).code).toBe(0);
    // What changes nothing is no edit.
    await day.topup('catalog', 'import', file, '--yes');
    expect((await day.json('catalog', 'history')).edits[0].command).toMatch(/^undo/);
    await day.topup('catalog', 'sync', '--yes');
    expect(await priceOf('ml86')).toEqual([30_000, true, null]);
  });
});
