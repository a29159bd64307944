import { readFileSync, writeFileSync } from 'node:fs';
import { sandboxCatalog } from '@topup-kit/core/sandbox';
import { createSqliteStore } from '@topup-kit/server/internal';
import { describe, expect, it } from 'vitest';
import { ownStore } from './helpers/own-store.ts';
import { run } from './helpers/run.ts';
import { screensOf } from './helpers/screens.ts';

const readAt = Date.parse('2026-03-29T10:00:00+07:00');
const item = { isAvailable: true, stock: null, isOncePerDay: false, pause: null };

/** A store with the sandbox's catalogue, and a list of the supplier that a server has read. */
async function makeStore(path: string, products: readonly { code: string; price?: number; name?: string }[]) {
  const store = createSqliteStore({ path });
  await store.replaceCatalog(sandboxCatalog('en'));
  const listed = products.map((product) => ({ ...item, ...product }));
  await store.saveSupplierList({ supplier: 'digiflazz', readAt, products: listed });
  await store.close();
}
const own = ownStore((path) =>
  makeStore(path, [
    { code: 'ML86', price: 20_000 },
    { code: 'ML172', price: 43_000 },
    { code: 'NEW1', price: 1_234, name: 'New one' },
    { code: 'NEW2' },
  ]),
);

const steady = (text: string): string =>
  text
    .replaceAll(own.path, '<store>')
    .replaceAll(`${own.folder}/`, '<file>')
    .replaceAll(/\d{1,2} \w{3,4} \d{4}, [\d:]{8}/g, '<second>')
    .replaceAll(/(\(GMT\+7\)|<second>) {2,}/g, '$1  ');
const options = (columns?: number) => ({
  columns,
  environment: { TOPUP_STORE: own.url, TOPUP_OPERATOR: 'rina' },
});
const { shown, failing, json } = screensOf(
  (args) => ['catalog', ...args],
  () => options(100),
  steady,
);

describe('catalog margin', () => {
  it('sets a margin, computes the prices, and shows the undo command', async () => {
    expect(
      await shown('margin', 'set', '--yes', '--percent', '8.25', '--round-up', '100'),
    ).toMatchInlineSnapshot(`
      "WHAT     CODE   FIELD  FROM → TO
      margin   shop   rule   none → 8.25 %, up to Rp 100
      product  ML86   price  22,000 → 21,700
      product  ML172  price  43,800 → 46,600

      3 changes. To take them back:
        topup catalog undo
      exit 0"
    `);
    expect(
      await shown('margin', 'set', '--yes', '--product', 'ML86', '--flat', '500', '--operator', 'budi'),
    ).toMatchInlineSnapshot(`
      "WHAT     CODE          FIELD  FROM → TO
      margin   product ML86  rule   none → Rp 500
      product  ML86          price  21,700 → 20,500

      2 changes. To take them back:
        topup catalog undo
      exit 0"
    `);
    expect(
      await shown('margin', 'set', '--yes', '--product', 'ML86', '--flat', '500'),
    ).toMatchInlineSnapshot(`
      "Nothing to change: <store> already has these values.
      exit 0"
    `);
  });

  it('lists margin rules, starting with the most specific rule, with a column for each part', async () => {
    const rules = [
      ['--product', 'ML172', '--minimum', '300', '--floor', '1000', '--end-900'],
      ['--game', 'mobile-legends', '--flat', '500'],
      ['--percent', '8', '--flat', '250', '--round-up', '500'],
      ['--category', '1', '--percent', '9.5'],
    ];
    for (const rule of rules)
      expect(await run(['catalog', 'margin', 'set', '--yes', ...rule], options())).toMatchObject({ code: 0 });
    expect(await shown('margin', 'list')).toMatchInlineSnapshot(`
      "FOR                  PERCENT    FLAT  MINIMUM     FLOOR  ROUNDED
      product ML172                          Rp 300  Rp 1,000  up to …900
      game mobile-legends           Rp 500
      category 1             9.5 %
      shop                     8 %  Rp 250                     up to Rp 500
      exit 0"
    `);
    expect((await json('margin', 'list')).margins[0]).toEqual({
      ...{ scope: 'product', key: 'ML172' },
      rule: { percent: 0, flat: 0, minimum: 300, floor: 1_000, rounding: 'end-900' },
    });
    expect((await run(['catalog', 'margin', 'list', '--quiet'], options())).stdout).toBe(
      'product ML172\ngame mobile-legends\ncategory 1\nshop\n',
    );
    const { edits } = await json('history');
    expect(edits.map(({ command }: { command: string }) => command)).toEqual([
      ...[
        'margin set category 1',
        'margin set shop',
        'margin set game mobile-legends',
        'margin set product ML172',
      ],
    ]);
    expect(await shown('history', '1')).toMatchInlineSnapshot(`
      "EDIT  WHEN (GMT+7)  BY    WHAT                      CHANGES
         1  <second>  rina  margin set product ML172        2

      WHAT     CODE           FIELD  FROM → TO
      margin   product ML172  rule   none → at least Rp 300, from Rp 1,000, up to …900
      product  ML172          price  43,800 → 43,900
      exit 0"
    `);
  });

  it('explains how to set a margin if there are no margin rules', async () => {
    expect(await shown('margin', 'list')).toMatchInlineSnapshot(`
      "No margin rules in <store> yet. To set one for the whole shop:
        topup catalog margin set --percent 8 --round-up 100
      exit 0"
    `);
  });

  it('unsets a margin rule', async () => {
    await run(
      [
        'catalog',
        'margin',
        'set',
        '--yes',
        '--game',
        'mobile-legends',
        '--percent',
        '8',
        '--flat',
        '20',
        '--minimum',
        '1',
        '--floor',
        '100',
        '--round-up',
        '100',
      ],
      options(),
    );
    expect(await shown('margin', 'unset', '--game', 'mobile-legends', '--dry-run')).toMatchInlineSnapshot(`
      "WHAT    CODE                 FIELD  FROM → TO
      margin  game mobile-legends  rule   8 % + Rp 20, at least Rp 1, from Rp 100, up to Rp 100 → none
      Nothing was changed: this was a dry run.
      exit 0"
    `);
    expect((await json('margin', 'list')).margins).toHaveLength(1);
    expect(await shown('margin', 'unset', '--game', 'mobile-legends')).toMatchInlineSnapshot(`
      "WHAT    CODE                 FIELD  FROM → TO
      margin  game mobile-legends  rule   8 % + Rp 20, at least Rp 1, from Rp 100, up to Rp 100 → none

      1 change. To take it back:
        topup catalog undo
      exit 0"
    `);
    expect(await failing('margin', 'unset', '--category', '1')).toMatchInlineSnapshot(`
      "Error: There is no margin rule for category 1.
      Nothing was changed. List the existing ones:
        topup catalog margin list
      exit 3, NO_RULE"
    `);
  });

  it.each([
    [['--percent', '10000']],
    [['--percent', '1.234']],
    [['--percent', 'x1']],
    [['--flat', '1e3']],
    [['--flat', '1234567890']],
    [['--percent', '1', '--round-up', '0']],
    [['--percent', '1', '--round-up', '100', '--end-900']],
    [['--percent', '1', '--game', 'a', '--category', '1']],
    [['--percent', '1', '--product', 'a', '--game', 'a']],
    [['--percent', '1', '--product', 'a', '--category', '1']],
    [['--floor', '1']],
  ])('rejects margin set %j', async (args) => {
    expect(await failing('margin', 'set', ...args)).toMatchSnapshot();
  });
});

describe('catalog set-price, lock, unlock, close and open', () => {
  it('shows catalogue changes, and adds them to the history', async () => {
    expect(await shown('set-price', 'ML86', '23500')).toMatchInlineSnapshot(`
      "WHAT     CODE  FIELD   FROM → TO
      product  ML86  price   22,000 → 23,500
      product  ML86  locked  no → yes

      2 changes. To take them back:
        topup catalog undo
      exit 0"
    `);
    expect(await shown('unlock', 'ML86', '--yes')).toMatchInlineSnapshot(`
      "WHAT     CODE  FIELD   FROM → TO
      product  ML86  locked  yes → no

      1 change. To take it back:
        topup catalog undo
      exit 0"
    `);
    expect(await shown('lock', 'ML86', 'ML172')).toMatchInlineSnapshot(`
      "WHAT     CODE   FIELD   FROM → TO
      product  ML86   locked  no → yes
      product  ML172  locked  no → yes

      2 changes. To take them back:
        topup catalog undo
      exit 0"
    `);
    expect(await shown('close', 'ML86', '--game', 'free-fire')).toMatchInlineSnapshot(`
      "WHAT     CODE       FIELD  FROM → TO
      game     free-fire  open   yes → no
      product  ML86       open   yes → no

      2 changes. To take them back:
        topup catalog undo
      exit 0"
    `);
    expect(await shown('open', 'ML86')).toMatchInlineSnapshot(`
      "WHAT     CODE  FIELD  FROM → TO
      product  ML86  open   no → yes

      1 change. To take it back:
        topup catalog undo
      exit 0"
    `);
    expect(await shown('open', 'ML86')).toMatchInlineSnapshot(`
      "Nothing to change: <store> already has these values.
      exit 0"
    `);
    const { edits } = await json('history');
    expect(edits.map(({ command, by }: { command: string; by: string }) => `${by}: ${command}`)).toEqual([
      ...['rina: open ML86', 'rina: close ML86 free-fire', 'rina: lock ML86 ML172', 'rina: unlock ML86'],
      'rina: set-price ML86',
    ]);
  });

  it('changes no catalogue in a dry run', async () => {
    expect(await shown('set-price', 'ML86', '23500', '--dry-run')).toMatchInlineSnapshot(`
      "WHAT     CODE  FIELD   FROM → TO
      product  ML86  price   22,000 → 23,500
      product  ML86  locked  no → yes
      Nothing was changed: this was a dry run.
      exit 0"
    `);
    expect(await json('set-price', 'ML86', '23500', '--dry-run')).toMatchObject({
      ...{ command: 'set-price ML86', dry_run: true },
      changes: [
        { kind: 'product', key: 'ML86', field: 'selling_price', from: 22_000, to: 23_500 },
        { kind: 'product', key: 'ML86', field: 'price_locked', to: true },
      ],
    });
    expect((await run(['catalog', 'lock', 'ML86', '--dry-run', '--quiet'], options())).stdout).toBe('ML86\n');
    expect(await json('history')).toEqual({ edits: [] });
  });

  it.each([
    [['set-price', 'ML86', '0']],
    [['set-price', 'ML86', '1000000001']],
    [['set-price', 'ML86', '22.000']],
    [['set-price', 'ML86', '19999']],
    [['set-price', 'NOPE', '100']],
    [['lock', 'NOPE']],
    [['close']],
    [['open']],
    [['close', '--game', 'chess']],
  ])('rejects catalogue edit %j', async (args) => {
    expect(await failing(...args)).toMatchSnapshot();
  });

  it('accepts the highest price that a catalogue allows', async () => {
    expect(await json('set-price', 'ML86', '1000000000', '--dry-run')).toMatchObject({ dry_run: true });
  });
});

describe('catalog list', () => {
  it('lists price, cost, margin, rule and state', async () => {
    await run(['catalog', 'margin', 'set', '--yes', '--game', 'mobile-legends', '--percent', '5'], options());
    await run(['catalog', 'lock', 'ML86'], options());
    await run(['catalog', 'close', 'ML86'], options());
    expect(await shown('list', '--game', 'mobile-legends')).toMatchInlineSnapshot(`
      "CODE        TITLE                  PRICE    COST  MARGIN  RULE                 STATE
      ML86        86 Diamond            21,000  20,000   1,000  locked               closed by you
      ML5         5 Diamond              1,600                  game mobile-legends  open
      ML12        12 Diamond             3,600                  game mobile-legends  open
      ML28        28 Diamond             7,800                  game mobile-legends  open
      ML59        59 Diamond            15,900                  game mobile-legends  open
      ML172       172 Diamond           42,500  43,000    -500  game mobile-legends  open
      ML257       257 Diamond           65,300                  game mobile-legends  open
      ML344       344 Diamond           87,200                  game mobile-legends  open
      ML429       429 Diamond          108,800                  game mobile-legends  open
      ML706       706 Diamond          169,000                  game mobile-legends  open
      ML2195      2195 Diamond         527,000                  game mobile-legends  open
      MLWDP       Weekly Diamond Pass   26,900                  game mobile-legends  open
      MLTWILIGHT  Twilight Pass        149,000                  game mobile-legends  open

      13 products, 1 closed.
      exit 0"
    `);
    expect(await shown('list', '--game', 'mobile-legends', '--closed')).toMatchInlineSnapshot(`
      "CODE  TITLE        PRICE    COST  MARGIN  RULE    STATE
      ML86  86 Diamond  21,000  20,000   1,000  locked  closed by you

      1 product, 1 closed.
      exit 0"
    `);
    expect((await json('list', '--game', 'mobile-legends')).products[0]).toEqual({
      ...{ game: 'mobile-legends', code: 'ML86', title: '86 Diamond', price: 21_000, cost: 20_000 },
      ...{ margin: 1_000, locked: true, rule: 'game mobile-legends', closed_by: 'operator' },
      ...{ rule_price: 21_000, percent_above_rule: null },
    });
    expect((await run(['catalog', 'list', '--game', 'mobile-legends', '--quiet'], options())).stdout).toMatch(
      /^ML86\n/,
    );
  });

  it('rejects an unknown game in catalog list', async () => {
    expect(await failing('list', '--game', 'chess')).toMatchInlineSnapshot(`
      "Error: There is no game chess in <store>.
      This lists them:
        topup catalog list
      exit 3, GAME_NOT_FOUND"
    `);
  });
});

describe('catalog sync', () => {
  it("shows all changes in a supplier's list, and waits for --yes", async () => {
    await run(['catalog', 'margin', 'set', '--yes', '--percent', '10'], options());
    await run(['catalog', 'set-price', 'ML86', '20100'], options());
    expect(await shown('sync')).toMatchInlineSnapshot(`
      "Closed by the list: 241
        ML5         5 Diamond            closed: not listed
        ML12        12 Diamond           closed: not listed
        ML28        28 Diamond           closed: not listed
        ML59        59 Diamond           closed: not listed
        ML172       172 Diamond          closed: below cost
        ML257       257 Diamond          closed: not listed
        ML344       344 Diamond          closed: not listed
        ML429       429 Diamond          closed: not listed
        ML706       706 Diamond          closed: not listed
        ML2195      2195 Diamond         closed: not listed
        MLWDP       Weekly Diamond Pass  closed: not listed
        MLTWILIGHT  Twilight Pass        closed: not listed
        FF140       140 Diamonds         closed: not listed
        FF5         5 Diamonds           closed: not listed
        FF12        12 Diamonds          closed: not listed
        FF50        50 Diamonds          closed: not listed
        FF70        70 Diamonds          closed: not listed
        FF355       355 Diamonds         closed: not listed
        FF720       720 Diamonds         closed: not listed
        FF1450      1450 Diamonds        closed: not listed
        and 221 more; --json lists all

      Not listed by the supplier: 240
        ML5
        ML12
        ML28
        ML59
        ML257
        ML344
        ML429
        ML706
        ML2195
        MLWDP
        MLTWILIGHT
        FF140
        FF5
        FF12
        FF50
        FF70
        FF355
        FF720
        FF1450
        FFWEEK
        and 220 more; --json lists all

      Listed, and not in the catalogue: 2
        NEW1  New one  1,234
        NEW2

      Used the list from digiflazz of 29 Mar 2026, 10:00 GMT+7. No price changes.
      exit 0"
    `);
    const document = await json('sync');
    expect({
      ...document,
      unlisted: document.unlisted.length,
      closed: document.closed.length,
    }).toMatchInlineSnapshot(`
      {
        "closed": 241,
        "distrust": null,
        "kept_out": [],
        "prices": [],
        "read_at": "2026-03-29T03:00:00.000Z",
        "reopened": [],
        "supplier": "digiflazz",
        "thin": [],
        "unlisted": 240,
        "without_product": [
          {
            "brand": null,
            "code": "NEW1",
            "name": "New one",
            "price": 1234,
          },
          {
            "brand": null,
            "code": "NEW2",
            "name": null,
            "price": null,
          },
        ],
        "without_rule": 0,
        "written": false,
      }
    `);
  });

  it("writes the changes in a supplier's list with --yes", async () => {
    await run(['catalog', 'margin', 'set', '--yes', '--product', 'ML172', '--flat', '1000'], options());
    await run(['catalog', 'margin', 'set', '--yes', '--product', 'ML86', '--flat', '9000'], options());
    const store = createSqliteStore({ path: own.path });
    const products = [
      { ...item, code: 'ML86', price: 21_000 },
      { ...item, code: 'ML172', price: 43_000 },
    ];
    await store.saveSupplierList({ supplier: 'digiflazz', readAt: Date.now(), products });
    await store.close();
    expect((await shown('sync')).split('\n').at(-2)).toMatch(
      /1 price to change\. .* To write it, add --yes\.$/,
    );
    expect((await shown('sync', '--yes')).split('\n').at(-2)).toMatch(/1 price changed\. /);
    expect((await shown('sync')).split('\n').at(-2)).toMatch(/No price changes\. /);
  });

  it.each(['0', '1441', 'x', '1.5', '12345'])('rejects catalog sync --watch %s', async (minutes) => {
    expect(await failing('sync', '--watch', minutes)).toContain('Give whole minutes from 1 to 1440.');
  });
});

describe('catalog add', () => {
  it('requires a known supplier for catalog add', async () => {
    expect(await failing('add', '--from', 'nobody', '--out', own.fileIn('new.json'))).toMatchInlineSnapshot(`
      "Error: No supplier list: set TOPUP_SUPPLIER, or start the server once. No server has read a list into <store> yet.
      Run this with the settings of the server, such as those of its EnvironmentFile:
        set -a; . /etc/topup/topup.env; set +a
      exit 2, USAGE"
    `);
  });
});

describe('catalog history and undo', () => {
  it('describes an empty history', async () => {
    expect(await shown('history')).toBe('<store> has no edits yet.\nexit 0');
    expect(await failing('undo')).toMatchInlineSnapshot(`
      "Error: <store> has no edit to take back.
      This lists them:
        topup catalog history
      exit 3, EDIT_NOT_FOUND"
    `);
    expect(await failing('history', '7')).toMatchInlineSnapshot(`
      "Error: There is no edit 7 in <store>.
      This lists them:
        topup catalog history
      exit 3, EDIT_NOT_FOUND"
    `);
    expect(await failing('history', '--limit', '0')).toMatchInlineSnapshot(`
      "Error: --limit must be a whole number from 1.
      exit 2, USAGE"
    `);
  });

  it('undoes the newest active edit, then the edit before it, and any edit by its number', async () => {
    await run(['catalog', 'set-price', 'ML86', '23500'], options());
    await run(['catalog', 'set-price', 'ML86', '24500'], options());
    expect(await shown('undo', '--dry-run')).toMatchInlineSnapshot(`
      "WHAT     CODE  FIELD  FROM → TO
      product  ML86  price  24,500 → 23,500
      Edit 2: set-price ML86, 1 change.

      Nothing was changed: this was a dry run.
      exit 0"
    `);
    expect(await shown('undo')).toMatchInlineSnapshot(`
      "WHAT     CODE  FIELD  FROM → TO
      product  ML86  price  24,500 → 23,500
      Edit 2: set-price ML86, 1 change.


      1 change. To take it back:
        topup catalog undo 3
      exit 0"
    `);
    expect((await json('undo')).command).toBe('undo 1');
    expect(await failing('undo')).toContain('has no edit to take back.');
    // Each undo is an edit, which can be taken back by its number: the edit that it took back stands again.
    expect((await json('undo', '4')).command).toBe('undo 4');
    expect((await json('undo')).command).toBe('undo 1');
    expect((await json('undo', '6')).command).toBe('undo 6');
    expect((await json('history')).edits[0]).toMatchObject({
      ...{ number: 7, by: 'rina', command: 'undo 6' },
      changes: [{ field: 'selling_price', from: 22_000, to: 23_500 }, { field: 'price_locked' }],
    });
    expect((await json('history', '--limit', '2')).edits).toHaveLength(2);
    expect((await run(['catalog', 'history', '--quiet', '--limit', '2'], options())).stdout).toBe('7\n6\n');
    expect(await json('history', '1')).toMatchObject({ number: 1, command: 'set-price ML86' });
  });
});

describe('catalog files', () => {
  it('shows the content of a checked catalogue file', async () => {
    const file = own.fileIn('c.json');
    expect(await shown('export', file)).toMatchInlineSnapshot(`
      "Wrote 8 categories, 34 games, 256 products, 12 payment methods, 11 promos
      to <file>c.json.
      exit 0"
    `);
    expect(await shown('check', file)).toMatchInlineSnapshot(`
      "<file>c.json is valid: 8 categories, 34 games, 256 products, 12 payment methods, 11 promos.
      exit 0"
    `);
    expect(await json('check', file)).toMatchObject({ games: 34, payment_methods: 12 });
    expect(await failing('export', file)).toMatchInlineSnapshot(`
      "Error: <file>c.json already exists.
      Use another file, or overwrite it with --force.
      exit 6, FILE_EXISTS"
    `);
    expect(await failing('export', own.path, '--force')).toMatchInlineSnapshot(`
      "Error: <store> is a store, or one of a store's files.
      Nothing was written. Use another file.
      exit 1, FILE"
    `);
    expect(await failing('export', '/dev/null', '--force')).toMatchInlineSnapshot(`
      "Error: /dev/null is not a regular file.
      Nothing was written. Use another file.
      exit 1, FILE"
    `);
    for (const name of ['', `${own.fileIn('d')}/`])
      expect(await failing('export', name)).toMatchInlineSnapshot(`
      "Error: Give the name of the file to write.
      exit 2, USAGE"
    `);
    expect(await failing('export', `${own.fileIn('d')}/e`)).toMatch(
      /^Error: <file>d\/e can't be written: ENOENT: .*\.part'\.\nexit 1, FILE$/,
    );
  });

  it('reports each rule that a catalogue file breaks', async () => {
    const file = own.fileIn('c.json');
    await run(['catalog', 'export', file], options());
    const catalog = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, JSON.stringify({ ...catalog, promos: null }));
    expect(await failing('check', file)).toMatchInlineSnapshot(`
      "Error: <file>c.json breaks a rule of catalogues.
        promos  Invalid input: expected array, received null
      exit 1, INVALID_CATALOG"
    `);
    writeFileSync(file, '[]');
    expect(await failing('check', file)).toMatchInlineSnapshot(`
      "Error: <file>c.json breaks a rule of catalogues.
        (file)  Invalid input: expected object, received array
      exit 1, INVALID_CATALOG"
    `);
    writeFileSync(file, '{');
    expect(await failing('check', file)).toMatchInlineSnapshot(`
      "Error: <file>c.json is not JSON: Expected property name or '}' in JSON at position 1 (line 1 column 2).
      exit 1, CATALOG_FILE"
    `);
    expect(await failing('check', own.fileIn('none.json'))).toMatchInlineSnapshot(`
      "Error: <file>none.json can't be read: ENOENT: no such file or directory, open '<file>none.json'.
      exit 3, CATALOG_FILE"
    `);
  });

  it('compares catalogue files field by field', async () => {
    const file = own.fileIn('c.json');
    await run(['catalog', 'export', file], options());
    const catalog = JSON.parse(readFileSync(file, 'utf8'));
    const [game, ...games] = catalog.games;
    const [first, ...products] = game.products;
    const changed = {
      ...game,
      developers: 'M',
      description: '',
      products: [{ ...first, status: false }, ...products],
    };
    const methods = catalog.payment_methods.slice(1);
    writeFileSync(
      file,
      JSON.stringify({
        ...catalog,
        games: [changed, ...games],
        payment_methods: methods,
        promos: catalog.promos.toReversed(),
      }),
    );
    expect(await shown('diff', file)).toMatchInlineSnapshot(`
      "CHANGE   WHAT      ID  TITLE                      FIELD        FROM → TO
      changed  game      11  Mobile Legends: Bang Bang  developers   Moonton → M
                                                        description  Five heroes against five on a map of…
      changed  product  901  86 Diamond                 status       true → false
      removed  method    12  QRIS
      changed  lists                                    promos       in another order

      An import would make 3 changed, 1 removed in
      <store>.
      exit 1"
    `);
    expect(await shown('import', file, '--dry-run')).toMatchInlineSnapshot(`
      "Nothing was changed. An import would make 3 changed, 1 removed in
      <store>.
      To see every change, add --verbose.
      exit 0"
    `);
    expect(await shown('import', file)).toMatchInlineSnapshot(`
      "Error: This needs --yes: An import replaces the catalogue of <store>: 3 changed, 1 removed.
      Nothing was done.
      exit 2"
    `);
    expect(await shown('import', file, '--yes', '--verbose')).toMatchInlineSnapshot(`
      "CHANGE   WHAT      ID  TITLE                      FIELD        FROM → TO
      changed  game      11  Mobile Legends: Bang Bang  developers   Moonton → M
                                                        description  Five heroes against five on a map of…
      changed  product  901  86 Diamond                 status       true → false
      removed  method    12  QRIS
      changed  lists                                    promos       in another order

      Imported: 3 changed, 1 removed in
      <store>.
      exit 0"
    `);
    expect(await shown('import', file)).toMatchInlineSnapshot(`
      "No difference to <store>.
      exit 0"
    `);
  });

  it('reports locked prices that a file changes', async () => {
    const file = own.fileIn('c.json');
    await run(['catalog', 'export', file], options());
    await run(['catalog', 'lock', 'ML86', 'ML172', 'ML257', 'ML344', 'ML429', 'ML706'], options());
    expect(await shown('import', file, '--yes')).toMatchInlineSnapshot(`
      "Imported: 6 changed in
      <store>.
      It changes 6 locked prices: ML86, ML172, ML257, ML344, ML429 and 1 more.
      exit 0"
    `);
  });
});
