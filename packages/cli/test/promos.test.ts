import { errors } from '@topup-kit/core/contract';
import { createSqliteStore, type RunningServer } from '@topup-kit/server/internal';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fixtureOrder } from './helpers/order.ts';
import { ownStore } from './helpers/own-store.ts';
import { run, until } from './helpers/run.ts';
import { startSandbox } from './helpers/servers.ts';

const order = (promo: string, { baseUrl }: RunningServer) =>
  run([...fixtureOrder, '--promo', promo, '--base-url', baseUrl]);

const own = ownStore(async (path) => {
  await using server = await startSandbox(`file:${path}`);
  await order('RAMADAN10', server);
});

const promos = (...args: string[]) =>
  run(['promos', ...args], { columns: 80, environment: { TOPUP_STORE: own.url } });

describe('promos list', () => {
  it('lists the promos with their uses, in 80 columns', async () => {
    const { code, stdout } = await promos('list');

    expect(code).toBe(0);
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(stdout).toMatchInlineSnapshot(`
      "CODE       OFF                  USED      STATE              FOR
      RAMADAN10  10 %, max Rp 2,000   1         active
      HEMAT5K    Rp 5,000             0         active             from Rp 50,000
      GENSHIN15  15 %, max Rp 25,000  0         active             genshin-impact
      WEEKLY3K   Rp 3,000             0         active             products 912
      EWALLET5   5 %, max Rp 10,000   0         active             methods 19, 20
      ONCE20     20 %, max Rp 20,000  0         active             1 per customer
      FIRST100   10 %, max Rp 5,000   0 of 100  active
      SOLDOUT10  10 %, max Rp 5,000   0 of 0    used up
      EXPIRED10  10 %, max Rp 5,000   0         ended 09 Apr 2024
      FUTURE10   10 %, max Rp 5,000   0         from 01 Jan 2099
      PAUSED10   10 %, max Rp 5,000   0         disabled
      "
    `);
  });

  it('fits promos list into 60 columns', async () => {
    const { stdout } = await run(['promos', 'list'], {
      columns: 60,
      environment: { TOPUP_STORE: own.url },
    });

    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(60);
    expect(stdout).toContain('RAMADAN10');
  });
});

describe('promos --dry-run', () => {
  const isListed = async (code: string): Promise<boolean> => (await promos('list')).stdout.includes(code);

  it('shows the promo of create without storing it', async () => {
    const { code, stdout, stderr } = await promos('create', '--code', 'TRIAL', '--percent', '5', '--dry-run');

    expect({ code, stderr }).toEqual({ code: 0, stderr: 'Nothing was changed: this was a dry run.\n' });
    expect(stdout).toContain('TRIAL');
    expect(await isListed('TRIAL')).toBe(false);
  });

  it('rejects in a dry run what create rejects', async () => {
    const args = ['--code', 'RAMADAN10', '--amount', '1000', '--replace', '--quota', '0', '--dry-run'];

    expect(await promos('create', ...args)).toMatchObject({
      code: 6,
      stderr: expect.stringContaining('which is more than its new quota'),
    });
    expect(await promos('create', '--code', 'RAMADAN10', '--amount', '1000', '--dry-run')).toMatchObject({
      code: 6,
      stderr: expect.stringContaining('Promo RAMADAN10 already exists.'),
    });
  });

  it('leaves the promo unchanged if disable is called with --dry-run', async () => {
    expect((await promos('disable', 'HEMAT5K', '--dry-run')).stdout).toContain('disabled');
    expect((await promos('list')).stdout).toMatch(/HEMAT5K .* active/);
  });
});

describe('promos validate', () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startSandbox();
  });
  afterAll(() => server.close());
  const question = ['--game', 'mobile-legends', '--product', '901', '--payment-method', '12'];
  const validate = (...args: string[]) =>
    run(['promos', 'validate', ...args, '--base-url', server.baseUrl], { columns: 80 });

  it("asks the service for a promo code's discount", async () => {
    const { code, stdout } = await validate('RAMADAN10', ...question);

    expect(code).toBe(0);
    expect(stdout).toMatchInlineSnapshot(`
      "  Code      RAMADAN10
        Off       10 % per item
        Price     Rp 22,000
        Discount  -Rp 2,000
        Then      Rp 20,000
      "
    `);
  });

  it("prints the service's promo response under --json", async () => {
    expect(JSON.parse((await validate('RAMADAN10', ...question, '--json')).stdout)).toMatchObject({
      data: { pricing: { base_price: 22_000, discount: 2_000, final_price: 20_000 } },
    });
  });

  it('explains the effect of an unusable promo code on an order', async () => {
    const { code, stderr } = await validate('EXPIRED10', ...question);

    expect(code).toBe(6);
    expect(stderr).toContain(errors.PROMO_EXPIRED.message.en);
    expect(stderr).toContain('An order with this code would be rejected');
    expect(stderr).not.toContain('--promo');
  });

  it('lists all missing flags of promos validate without a prompt', async () => {
    expect(await validate('RAMADAN10', '--game', 'mobile-legends')).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'Error: promos validate also needs --product, --payment-method.\n' +
        "This lists a game's products and payment methods:\n" +
        `  topup games show mobile-legends --base-url ${server.baseUrl}\n`,
    });
  });

  it('shows the discount even with --quiet', async () => {
    expect((await validate('RAMADAN10', ...question, '--quiet')).stdout).toContain('Then      Rp 20,000');
  });

  it('suggests games for an unknown game', async () => {
    const { code, stderr } = await validate('RAMADAN10', '--game', 'mobile-legnds', ...question.slice(2));

    expect(code).toBe(3);
    expect(stderr).toContain('Did you mean mobile-legends?');
  });

  it('contacts a service only for promos validate', async () => {
    expect(await promos('list', '--base-url', server.baseUrl)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('promos list contacts no service'),
    });
  });
});

describe('promos create', () => {
  it('creates a promo that a running server accepts within a second, until it is disabled', async () => {
    await using server = await startSandbox(own.url);
    const made = await promos('create', '--code', 'LEBARAN', '--percent', '12.5', '--quota', '1000');
    expect(made.stdout).toMatchInlineSnapshot(`
      "  Code      LEBARAN
        Off       12.5 % per item
        State     active
        Used      0 of 1000
        For       every order
      "
    `);

    await until(async () => (await order('lebaran', server)).code === 0, 1_000);
    expect((await promos('disable', 'lebaran')).stdout).toMatch(/State {5}disabled\n {2}Used {6}1 of 1000/);
    await until(async () => (await order('LEBARAN', server)).code === 6, 1_000);
    expect((await promos('enable', 'LEBARAN')).stdout).toContain('active');
  });

  it('accepts every rule of a promo', async () => {
    const rules = [
      ...[
        '--code',
        'ALL',
        '--amount',
        '3000',
        '--max-discount',
        '2500',
        '--quota',
        '9',
        '--minimum',
        '50000',
      ],
      ...['--per-customer', '1', '--starts', '2026-12-01T08:00+07:00', '--ends', '2026-12-31'],
      ...['--game', 'mobile-legends', 'free-fire', '--product', '901', '902', '--payment-method', '12', '14'],
    ];

    expect(JSON.parse((await promos('create', ...rules, '--json')).stdout)).toEqual({
      code: 'ALL',
      discount: { type: 'FIXED', value: 3000, max_discount: 2500 },
      status: true,
      starts_at: '2026-12-01T01:00:00.000Z',
      // The end of the day in Asia/Jakarta, the store's zone by default.
      ends_at: '2026-12-31T17:00:00.000Z',
      quota: 9,
      per_customer: 1,
      minimum_purchase: 50_000,
      games: ['mobile-legends', 'free-fire'],
      products: [901, 902],
      payment_methods: [12, 14],
      uses: 0,
      below_cost: [],
    });
  });

  it("reads and shows times without an offset in the store's time zone, not in this machine's time zone", async () => {
    const dates = ['--starts', '2026-12-01T08:00', '--ends', '2026-12-31'];
    const created = (timezone: string) =>
      run(['promos', 'create', '--code', 'ZONED', '--amount', '1', ...dates, '--dry-run', '--json'], {
        environment: { TOPUP_STORE: own.url, TOPUP_TIMEZONE: timezone },
      });

    expect(JSON.parse((await created('Asia/Jayapura')).stdout)).toMatchObject({
      starts_at: '2026-11-30T23:00:00.000Z',
      ends_at: '2026-12-31T15:00:00.000Z',
    });
    expect(JSON.parse((await created('America/New_York')).stdout)).toMatchObject({
      starts_at: '2026-12-01T13:00:00.000Z',
      ends_at: '2027-01-01T05:00:00.000Z',
    });
    const shown = await promos('create', '--code', 'ZONED', '--amount', '1', ...dates, '--dry-run');
    expect(shown.stdout).toMatch(/From +01 Dec 2026, 08:00 GMT\+7\n +Until +01 Jan 2027, 00:00 GMT\+7\n/);
    expect(await created('Jakarta')).toMatchObject({
      code: 2,
      stdout: expect.stringContaining('TOPUP_TIMEZONE must be a time zone such as Asia/Jakarta'),
    });
  });

  it('replaces an existing code only with --replace, and keeps the number of uses', async () => {
    const again = ['create', '--code', 'ramadan10', '--amount', '5', '--quota', '1'];

    expect(await promos(...again)).toMatchObject({ code: 6, stderr: expect.stringContaining('--replace') });
    expect(JSON.parse((await promos(...again, '--replace', '--json')).stdout)).toMatchObject({
      code: 'RAMADAN10',
      discount: { value: 5 },
      uses: 1,
    });
    expect(
      await promos('create', '--code', 'RAMADAN10', '--amount', '5', '--quota', '0', '--replace'),
    ).toEqual({
      code: 6,
      stdout: '',
      stderr:
        'Error: Promo RAMADAN10 was used once already, which is more than its new quota.\n' +
        'Nothing was changed. Set a quota of at least 1, or disable the promo.\n',
    });
  });

  describe('a product whose cost is almost its price', () => {
    // What is sold for 22,000 and 42,500, and what the operator sells below cost without any promo.
    const listed = { isAvailable: true, stock: null, isOncePerDay: false, pause: null };
    const products = [
      { ...listed, code: 'ML86', price: 21_000 },
      { ...listed, code: 'ML172', price: 42_000 },
      { ...listed, code: 'ML257', price: 900_000 },
    ];
    beforeEach(async () => {
      const store = createSqliteStore({ path: own.path });
      await store.saveSupplierList({ supplier: 'digiflazz', readAt: Date.now(), products });
      await store.close();
    });

    it('lists the products that a promo would sell below cost, with the highest loss first', async () => {
      const create = ['create', '--code', 'LOSS', '--amount', '3000', '--dry-run'];
      const { code, stderr } = await promos(...create);
      expect(code).toBe(0);
      expect(stderr).toMatchInlineSnapshot(`
        "
        Below cost with this promo: 2 products. The server rejects the promo for
        products that lose more than its TOPUP_PROMO_MAX_LOSS.
          906 ML172 (172 Diamond): sold for Rp 39,500, costs Rp 42,000
          901 ML86 (86 Diamond): sold for Rp 19,000, costs Rp 21,000
        Nothing was changed: this was a dry run.
        "
      `);
      expect(JSON.parse((await promos(...create, '--json')).stdout).below_cost).toEqual([
        { product_id: 906, code: 'ML172', price: 39_500, cost: 42_000, loss: 2_500 },
        { product_id: 901, code: 'ML86', price: 19_000, cost: 21_000, loss: 2_000 },
      ]);
    });

    it('does not warn about a promo that leaves a profit, is for other products, or is disabled', async () => {
      for (const rules of [
        ['--amount', '500'],
        ['--amount', '3000', '--game', 'free-fire'],
      ]) {
        const { stderr } = await promos('create', '--code', 'FINE', ...rules, '--replace');
        expect(stderr).toBe('');
      }
      await promos('create', '--code', 'LATER', '--amount', '3000');
      expect((await promos('disable', 'LATER')).stderr).toBe('');
      expect((await promos('enable', 'LATER')).stderr).toContain('Below cost with this promo');
    });
  });

  it('reports every broken rule with its flag', async () => {
    const references = await promos(
      ...['create', '--code', 'X', '--amount', '1', '--game', 'chess', '--product', '1'],
      ...['--payment-method', '1', '--starts', '2026-12-02', '--ends', '2026-12-01T00:00'],
    );

    expect(references.stderr).toMatchInlineSnapshot(`
      "Error: This promo does not fit the catalogue.
        --game            must name a game of the catalogue, but there is no "chess"
        --product         must name a product of the catalogue, but there is no 1
        --payment-method  must name a payment method of the catalogue, but there is no 1
        --ends            must be later than --starts
      "
    `);
  });

  it.each([
    [['--amount', '1.5'], 'whole number'],
    [['--amount', '1', '--ends', '31 Dec'], 'a time such as'],
    [['--amount', '1', '--ends', '2026-12-01T25:00'], 'a time such as'],
    [['--amount', '1', '--ends', '2026-02-31'], 'a time such as'],
  ])('exits with 2 for the invalid command promos create %j', async (args, message) => {
    expect(await promos('create', '--code', 'NEW', ...args)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(message),
    });
  });
});
