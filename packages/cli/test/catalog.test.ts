import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sandboxCatalog } from '@topup-kit/core/sandbox';
import type { Catalog } from '@topup-kit/core/store';
import { describe, expect, it } from 'vitest';
import { fixtureOrder } from './helpers/order.ts';
import { ownStore } from './helpers/own-store.ts';
import { run, until } from './helpers/run.ts';
import { startSandbox } from './helpers/servers.ts';

const own = ownStore(async (path) => {
  await using server = await startSandbox(`file:${path}`);
  await run([...fixtureOrder, '--base-url', server.baseUrl]);
});
const { fileIn } = own;

const catalogOf = (store: string, args: string[]) =>
  run(['catalog', ...args], { columns: 80, environment: { TOPUP_STORE: `file:${store}` } });
const catalog = (...args: string[]) => catalogOf(own.path, args);
const plain = (text: string): string =>
  text.replaceAll(own.path, '<store>').replaceAll(fileIn('new.db'), '<new store>');

let files = 0;
/** Writes the sandbox's catalogue, edited, to a file. */
function edited(edit: (catalog: Catalog) => void): string {
  const json = sandboxCatalog();
  edit(json);
  files += 1;
  const file = fileIn(`edited-${files}.json`);
  writeFileSync(file, JSON.stringify({ format: 'topup-kit/catalog@1', ...json }));
  return file;
}

/** The first item of a list that the sandbox's catalogue has. */
function first<Item>(items: Item[]): Item {
  const [item] = items;
  if (item === undefined) throw new Error('an empty list');
  return item;
}

const unchanged = (): string => edited(() => {});

const cheaper = (): string =>
  edited(({ games, payment_methods, promos }) => {
    first(first(games).products).selling_price = 20_000;
    payment_methods.reverse();
    first(promos).discount.max_discount = null;
    first(promos).quota = 10;
    promos.pop();
  });

describe('catalog check', () => {
  it('accepts a valid catalogue file', async () => {
    expect(
      await catalog(
        'check',
        edited(() => {}),
      ),
    ).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/ is valid: 8 categories, 34 games, 256 products, /),
    });
  });

  it('reports the place of every broken rule, and exits with 1', async () => {
    const file = edited(({ games }) => {
      first(games).slug = 'Mobile Legends';
      Object.assign(first(games), { colour: 'red' });
      for (const game of games) game.title = '';
    });

    const { code, stdout, stderr } = await catalog('check', file);
    const document = JSON.parse((await catalog('check', file, '--json')).stdout);

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('breaks 36 rules of catalogues');
    expect(stderr).toMatch(/^ {2}games\[0\]\.slug {3,}must be lower-case words/m);
    expect(Object.keys(document.error.fields)).toHaveLength(36);
    expect(document.error.code).toBe('INVALID_CATALOG');
  });

  it.each([
    ['none.json', "can't be read", 3],
    ['broken.json', 'is not JSON', 1],
  ])('rejects %s: %s, and exits with %i', async (name, message, code) => {
    writeFileSync(fileIn('broken.json'), '{');

    expect(await catalog('check', fileIn(name))).toMatchObject({
      code,
      stderr: expect.stringContaining(message),
    });
  });

  it('checks a file without a store', async () => {
    expect(await catalogOf('/none/topup.db', ['check', edited(() => {})])).toMatchObject({ code: 0 });
  });
});

describe('catalog diff', () => {
  it("exits with 0 if two catalogues don't differ", async () => {
    expect(
      await catalog(
        'diff',
        edited(() => {}),
      ),
    ).toEqual({
      code: 0,
      stdout: '',
      stderr: `No difference to ${own.path}.\n`,
    });
  });

  it('lists the differences between two catalogues, and exits with 1', async () => {
    const { code, stdout, stderr } = await catalog('diff', cheaper());

    expect(code).toBe(1);
    expect(stdout).toMatchInlineSnapshot(`
      "CHANGE   WHAT      ID  TITLE       FIELD                  FROM → TO
      changed  product  901  86 Diamond  selling_price          22000 → 20000
      removed  promo         PAUSED10
      changed  promo         RAMADAN10   discount.max_discount  2000 → none
                                         quota                  none → 10
      changed  lists                     payment_methods        in another order
      "
    `);
    expect(plain(stderr)).toMatchInlineSnapshot(`
      "
      An import would make 3 changed, 1 removed in
      <store>.
      "
    `);
  });

  it('prints differences as a document under --json', async () => {
    const { code, stdout, stderr } = await catalog('diff', cheaper(), '--json');

    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(JSON.parse(stdout).changes[0]).toEqual({
      change: 'changed',
      kind: 'product',
      key: 901,
      title: '86 Diamond',
      fields: [{ field: 'selling_price', from: 22_000, to: 20_000 }],
    });
  });

  it('exits with a code other than 1 for an error of catalog diff', async () => {
    writeFileSync(fileIn('broken.json'), '{');

    expect(await catalog('diff', fileIn('broken.json'))).toMatchObject({ code: 2 });
    expect(await catalog('diff', fileIn('none.json'))).toMatchObject({ code: 3 });
    expect(await catalogOf(fileIn('none.db'), ['diff', edited(() => {})])).toMatchObject({ code: 3 });
  });
});

describe('catalog import', () => {
  it("shows an import's changes with --dry-run, and writes nothing", async () => {
    const { code, stdout, stderr } = await catalog('import', cheaper(), '--dry-run', '--verbose');

    expect(code).toBe(0);
    expect(stdout).toContain('22000 → 20000');
    expect(stderr).toContain('Nothing was changed.');
    expect(await catalog('diff', cheaper())).toMatchObject({ code: 1 });
  });

  it('imports a catalogue that a running server uses within a second', async () => {
    await using server = await startSandbox(own.url);
    const { code, stdout, stderr } = await catalog('import', cheaper(), '--yes');

    expect({ code, stdout, stderr: plain(stderr) }).toEqual({
      code: 0,
      stdout: '',
      stderr: 'Imported: 3 changed, 1 removed in\n<store>.\n',
    });
    await until(async () => {
      const shown = await run(['games', 'show', 'mobile-legends', '--base-url', server.baseUrl]);
      return /86 Diamond +Rp 20,000/.test(shown.stdout);
    }, 1_000);
    expect(await catalog('diff', cheaper())).toMatchObject({ code: 0 });
  });

  it('rejects a quota below the number of uses, even in a dry run', async () => {
    const file = edited(({ promos }) => {
      first(promos).quota = 0;
    });

    for (const args of [[], ['--dry-run']])
      expect(await catalog('import', file, ...args)).toMatchObject({
        code: 6,
        stdout: '',
        stderr: expect.stringContaining('Promo RAMADAN10 was used once already'),
      });
    expect(await catalog('diff', unchanged())).toMatchObject({ code: 0 });
  });

  it('asks before an import replaces another catalogue', async () => {
    expect(await catalog('import', cheaper(), '--json')).toMatchObject({
      code: 2,
      stdout: expect.stringContaining('This needs --yes: An import replaces'),
    });
    expect(await catalog('import', unchanged())).toMatchObject({ code: 0 });
  });

  it('creates a missing store for an import, except in a dry run', async () => {
    const store = fileIn('new.db');
    const file = edited(() => {});

    expect(await catalogOf(store, ['import', file, '--dry-run'])).toMatchObject({ code: 0 });
    expect(existsSync(store)).toBe(false);
    expect(await catalogOf(store, ['import', file])).toMatchObject({ code: 0 });
    expect(await catalogOf(store, ['diff', file])).toMatchObject({ code: 0 });
  });

  it('keeps the promos that promos create added, and says so', async () => {
    const store = fileIn('new.db');
    const file = edited(() => {});
    await catalogOf(store, ['import', file]);
    const environment = { TOPUP_STORE: `file:${store}` };
    await run(['promos', 'create', '--code', 'OWN', '--amount', '500'], { environment });

    expect(await catalogOf(store, ['diff', file])).toMatchObject({ code: 0 });
    const emptied = edited(({ promos }) => promos.splice(0));
    const { stderr } = await catalogOf(store, ['import', emptied, '--yes']);
    const { promos } = JSON.parse((await run(['promos', 'list', '--json'], { environment })).stdout);

    expect(plain(stderr)).toBe(
      'Imported: 11 removed in\n<new store>.\nKept 1 promo from the promos commands: OWN.\n',
    );
    expect(promos.map(({ code }: { code: string }) => code)).toEqual(['OWN']);
    expect(JSON.parse((await catalogOf(store, ['import', emptied, '--json'])).stdout)).toMatchObject({
      changes: [],
      kept_promos: ['OWN'],
    });
  });

  it('rejects a file that lacks the only game of a kept promo', async () => {
    const store = fileIn('unfitting-promo.db');
    await catalogOf(store, ['import', edited(() => {})]);
    const environment = { TOPUP_STORE: `file:${store}` };
    const own = ['--code', 'OWN', '--amount', '500', '--game', 'genshin-impact'];
    await run(['promos', 'create', ...own], { environment });

    const without = edited((file) => {
      file.games = file.games.filter(({ slug }) => slug !== 'genshin-impact');
      file.promos = [];
    });

    expect(await catalogOf(store, ['import', without, '--yes'])).toMatchObject({
      code: 6,
      stderr: expect.stringMatching(/ {2}OWN {2}must name a game .* no "genshin-impact"/),
    });
    expect((await catalogOf(store, ['diff', edited(() => {})])).code).toBe(0);
  });

  it('imports nothing from an invalid file', async () => {
    expect(
      await catalog(
        'import',
        edited((file) => Object.assign(file, { games: null })),
      ),
    ).toMatchObject({ code: 1 });
  });
});

describe('catalog export', () => {
  it('exports a file that is the same byte for byte after an import, even if promos were edited', async () => {
    const other = fileIn('other.db');
    const environment = { TOPUP_STORE: own.url };
    await run(['promos', 'create', '--code', 'NEW', '--amount', '5', '--quota', '4'], { environment });
    await run(['promos', 'disable', 'HEMAT5K'], { environment });

    expect(await catalog('export', fileIn('exported.json'))).toMatchObject({ code: 0 });
    await catalogOf(other, ['import', fileIn('exported.json')]);

    const exported = readFileSync(fileIn('exported.json'), 'utf8');
    expect((await catalogOf(other, ['export'])).stdout).toBe(exported);
    expect(JSON.parse(exported).format).toBe('topup-kit/catalog@1');
    expect(await catalog('diff', fileIn('exported.json'))).toMatchObject({ code: 0 });
  });

  it('overwrites an exported file only with --force', async () => {
    const file = fileIn('precious.json');
    writeFileSync(file, 'precious');

    expect(await catalog('export', file)).toMatchObject({
      code: 6,
      stderr: expect.stringContaining('--force'),
    });
    expect(readFileSync(file, 'utf8')).toBe('precious');
    expect(await catalog('export', file, '--force')).toMatchObject({ code: 0 });
    expect(await catalog('check', file)).toMatchObject({ code: 0 });
  });

  it('reports that an empty store has no catalogue', async () => {
    const store = fileIn('empty.db');
    await run(['keys', 'create', '--name', 'x', '--mode', 'live', '--store', `file:${store}`]);

    expect(await catalogOf(store, ['export'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There is no catalogue'),
    });
  });
});

describe('catalog import where no store exists', () => {
  it('says that an import creates a store, and creates no store with --dry-run', async () => {
    const store = join(fileIn('new.db'), 'topup.db');
    const file = edited(() => {});

    const dry = await catalogOf(store, ['import', file, '--dry-run']);
    expect(existsSync(fileIn('new.db'))).toBe(false);
    const real = await catalogOf(store, ['import', file]);

    expect([dry.code, real.code]).toEqual([0, 0]);
    expect(dry.stdout).toBe(real.stdout);
    expect(plain(dry.stderr)).toMatch(
      /^Nothing was changed\. An import would make \d+ added in the new store\n<new store>\/topup\.db\.\nTo see every change, add --verbose\.\n$/,
    );
    expect(plain(real.stderr)).toMatch(/^Imported: \d+ added in the new store\n<new store>\/topup\.db\.\n$/);
  });
});
