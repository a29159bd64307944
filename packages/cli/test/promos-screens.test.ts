import { describe, expect, it } from 'vitest';
import { fixtureOrder } from './helpers/order.ts';
import { ownStore } from './helpers/own-store.ts';
import { run } from './helpers/run.ts';
import { failureOf, screensOf } from './helpers/screens.ts';
import { startSandbox } from './helpers/servers.ts';

const own = ownStore(async (path) => {
  await using server = await startSandbox(`file:${path}`);
  for (const quantity of ['1', '2'])
    await run([...fixtureOrder, '--quantity', quantity, '--base-url', server.baseUrl]);
});

const plain = (text: string): string => text.replaceAll(own.path, '<store>');
const options = (columns?: number) => ({ columns, environment: { TOPUP_STORE: own.url } });
const { shown, failing, json } = screensOf((args) => ['promos', ...args], options, plain);
const create = (code: string, ...args: string[]): Promise<string> =>
  shown('create', '--code', code, '--dry-run', ...args);

describe('promos create shows', () => {
  it('shows a percentage with its maximum discount', async () => {
    expect(await create('A', '--percent', '12.5', '--max-discount', '2000')).toMatchInlineSnapshot(`
      "  Code      A
        Off       12.5 %, max Rp 2,000 per item
        State     active
        Used      0
        For       every order
      Nothing was changed: this was a dry run.
      exit 0"
    `);
    expect(await create('A', '--percent', '100')).toContain('Off       100 % per item\n');
    expect(await create('A', '--percent', '0.01')).toContain('Off       0.01 % per item\n');
    expect((await json('create', '--code', 'A', '--percent', '7.5', '--dry-run')).discount).toEqual({
      ...{ type: 'PERCENT', basis_points: 750, max_discount: null },
    });
  });

  it('shows the orders that a promo is for', async () => {
    expect(
      await create('A', '--amount', '1', '--minimum', '50000', '--per-customer', '2', '--quota', '9'),
    ).toMatchInlineSnapshot(`
      "  Code      A
        Off       Rp 1 per item
        State     active
        Used      0 of 9
        For       from Rp 50,000, 2 per customer
      Nothing was changed: this was a dry run.
      exit 0"
    `);
    expect(
      await create(
        'A',
        '--amount',
        '1',
        '--game',
        'free-fire',
        '--product',
        '901',
        '902',
        '--payment-method',
        '12',
        '14',
      ),
    ).toMatchInlineSnapshot(`
      "  Code      A
        Off       Rp 1 per item
        State     active
        Used      0
        For       free-fire, products 901, 902, methods 12, 14
      Nothing was changed: this was a dry run.
      exit 0"
    `);
  });

  it("shows a promo's validity and current state", async () => {
    const between = (starts: string, ends: string) =>
      create('A', '--amount', '1', '--starts', starts, '--ends', ends);
    expect(await between('2026-01-01', '2099-12-31')).toMatchInlineSnapshot(`
      "  Code      A
        Off       Rp 1 per item
        State     active until 31 Dec 2099
        Used      0
        From      01 Jan 2026, 00:00 GMT+7
        Until     01 Jan 2100, 00:00 GMT+7
        For       every order
      Nothing was changed: this was a dry run.
      exit 0"
    `);
    expect(await between('2098-01-01', '2099-12-31')).toContain('State     from 01 Jan 2098\n');
    expect(await between('2025-01-01', '2025-12-31')).toContain('State     ended 31 Dec 2025\n');
    expect(await create('A', '--amount', '1', '--quota', '0')).toContain(
      'State     used up\n  Used      0 of 0\n',
    );
    expect(await create('A', '--amount', '1', '--ends', '2099-12-31')).toContain(
      'State     active until 31 Dec 2099\n',
    );
  });

  it('reports a code that exists in another letter case, or a quota that is too low', async () => {
    expect(await failing('create', '--code', 'ramadan10', '--amount', '1')).toMatchInlineSnapshot(`
      "Error: Promo RAMADAN10 already exists.
      Nothing was changed. Add --replace to replace it.
      exit 6, PROMO_EXISTS"
    `);
    expect(
      await failing('create', '--code', 'RAMADAN10', '--amount', '1', '--replace', '--quota', '1'),
    ).toMatchInlineSnapshot(`
      "Error: Promo RAMADAN10 was used 2 times already, which is more than its new quota.
      Nothing was changed. Set a quota of at least 2, or disable the promo.
      exit 6, PROMO_QUOTA_BELOW_USES"
    `);
    expect(
      await shown('create', '--code', 'ramadan10', '--amount', '1', '--replace', '--quota', '2'),
    ).toMatchInlineSnapshot(`
      "  Code      RAMADAN10
        Off       Rp 1 per item
        State     used up
        Used      2 of 2
        For       every order
      exit 0"
    `);
  });

  it.each([
    [[]],
    [['--percent', '0']],
    [['--percent', '100.01']],
    [['--percent', '1.005']],
    [['--percent', 'x1']],
    [['--percent', '1x']],
    [['--percent', '1000']],
    [['--amount', '0']],
    [['--amount', '1', '--percent', '1']],
    [['--amount', '1', '--ends', 'soon']],
    [['--amount', '1', '--quota', '-1']],
    [['--amount', '1', '--max-discount', 'x']],
    [['--amount', '1', '--product', '1', '--product', '2', '--payment-method', '3', '--game', 'chess']],
    [['--amount', '1', '--starts', '2026-01-02', '--ends', '2026-01-01']],
    [['--amount', '1', '--starts', '2026-01-02', '--ends', '2026-01-01T00:00']],
  ])('rejects the command promos create %j', async (args) => {
    expect(await failing('create', '--code', 'NEW', ...args)).toMatchSnapshot();
  });

  it('rejects an invalid code', async () => {
    expect(await failing('create', '--code', 'a b', '--amount', '1')).toMatchInlineSnapshot(`
      "Error: This promo does not fit the catalogue.
        --code  must be letters, digits, _ and -
      exit 2, INVALID_PROMO"
    `);
    expect(await failing('create', '--amount', '1')).toMatchInlineSnapshot(`
      "Error: Required option '--code <code>' not specified.
      \`topup promos create --help\` shows how to use it.
      exit 2, USAGE"
    `);
  });
});

describe('promos enable and disable', () => {
  it("changes only the promo's state, and accepts the code in upper or lower case", async () => {
    expect(await shown('disable', 'hemat5k')).toMatchInlineSnapshot(`
      "  Code      HEMAT5K
        Off       Rp 5,000 per item
        State     disabled
        Used      0
        For       from Rp 50,000
      exit 0"
    `);
    expect(await json('disable', 'hemat5k')).toMatchObject({
      code: 'HEMAT5K',
      status: false,
      uses: 0,
      below_cost: [],
    });
    expect(await shown('enable', 'HEMAT5K', '--dry-run')).toMatchInlineSnapshot(`
      "  Code      HEMAT5K
        Off       Rp 5,000 per item
        State     active
        Used      0
        For       from Rp 50,000
      Nothing was changed: this was a dry run.
      exit 0"
    `);
    expect((await run(['promos', 'enable', 'HEMAT5K', '--quiet'], options())).stdout).toBe('HEMAT5K\n');
    expect(await failing('enable', 'NONE')).toMatchInlineSnapshot(`
      "Error: There is no promo NONE in <store>.
      This lists them:
        topup promos list
      exit 3, PROMO_NOT_FOUND"
    `);
  });
});

describe('promos list', () => {
  it('prints the promos for programs', async () => {
    expect((await json('list')).promos[0]).toMatchInlineSnapshot(`
      {
        "code": "RAMADAN10",
        "discount": {
          "basis_points": 1000,
          "max_discount": 2000,
          "type": "PERCENT",
        },
        "ends_at": null,
        "games": [],
        "minimum_purchase": 0,
        "payment_methods": [],
        "per_customer": null,
        "products": [],
        "quota": null,
        "starts_at": null,
        "status": true,
        "uses": 2,
      }
    `);
    expect((await run(['promos', 'list', '--quiet'], options())).stdout).toMatch(/^RAMADAN10\nHEMAT5K\n/);
  });

  it('says when there are no promos', async () => {
    const store = `file:${own.fileIn('new.db')}`;
    await run(['keys', 'create', '--name', 'x', '--mode', 'live', '--store', store]);
    expect(plain((await run(['promos', 'list', '--store', store])).stderr)).toBe(
      `No promos in ${own.fileIn('new.db')} yet.\n`,
    );
    expect(
      (await failureOf(['promos', 'create', '--code', 'A', '--amount', '1', '--store', store])).replaceAll(
        `${own.folder}/`,
        '<file>',
      ),
    ).toMatchInlineSnapshot(`
      "Error: There is no catalogue in <file>new.db yet.
      A sandbox has one; otherwise import your own:
        topup catalog import <file>
      exit 1, NO_CATALOG"
    `);
    expect(
      (await failureOf(['promos', 'disable', 'A', '--store', store])).replaceAll(`${own.folder}/`, '<file>'),
    ).toMatchInlineSnapshot(`
      "Error: There is no promo A in <file>new.db.
      This lists them:
        topup promos list --store file:<file>new.db
      exit 3, PROMO_NOT_FOUND"
    `);
  });
});
