import { StatementSync } from 'node:sqlite';
import { editCatalog, setMargin } from '@topup-kit/core/engine';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { another, change, entry, moment, place, promo, unit } from '../../suites/src/store/fixtures.ts';
import { axeViolations, phoneFaults, useBrowser, widthsTooNarrow } from './helpers/browser.ts';
import { type Answer, hiddenFields, sameOrigin, startConsole, wordsOf } from './helpers/console.ts';
import { story } from './helpers/orders.ts';

const { open, startSandbox } = useBrowser();

/** A shop whose operator works in the console. */
async function startShop(settings: Record<string, string> = {}) {
  const console = await startConsole({ TOPUP_SYNC_MINUTES: '0', ...settings });
  const cookie = await console.logIn('Dewi');
  const look = (path: string, language = 'en') =>
    console.ask(path, { cookie, headers: { 'Accept-Language': language } });
  const send = (path: string, form: Record<string, string>, language = 'en') =>
    console.ask(path, {
      method: 'POST',
      cookie,
      headers: { ...sameOrigin, 'Accept-Language': language },
      form,
    });
  return {
    ...console,
    look,
    /** Opens a form, fills it in, and sees what will happen. */
    async check(path: string, fields: Record<string, string>, language = 'en'): Promise<Answer> {
      const form = hiddenFields(await look(path));
      return send(path, { ...form, note: 'as agreed', ...fields, step: 'check' }, language);
    },
    async perform(path: string, fields: Record<string, string> = {}): Promise<Answer> {
      const form = hiddenFields(await look(path));
      return send(path, { ...form, note: 'as agreed', ...fields, step: 'perform' });
    },
    async product(code: string) {
      const catalog = await console.store.readCatalog();
      return catalog?.games.flatMap(({ products }) => products).find((product) => product.code === code);
    },
    async method(code: string) {
      return (await console.store.readCatalog())?.payment_methods.find((method) => method.code === code);
    },
    async promo(code: string) {
      return (await console.store.readCatalog())?.promos.find((promo) => promo.code === code);
    },
    /** Says what the supplier asks for a product. */
    costs: (products: Record<string, number>) =>
      console.store.saveSupplierList({
        supplier: 'real-supplier',
        readAt: console.clock.now,
        products: Object.entries(products).map(([code, price]) => ({
          ...{ code, price, isAvailable: true, stock: null, isOncePerDay: false, pause: null },
        })),
      }),
    did: async () =>
      (await console.store.listActivity({ limit: 10 })).map(
        ({ operator, action, subject }) => `${operator} ${action} ${subject}`,
      ),
  };
}

const firstMethod = async ({ store }: Awaited<ReturnType<typeof startShop>>) => {
  const [method] = (await store.readCatalog())?.payment_methods ?? [];
  if (!method) throw new Error('the catalogue has no payment method');
  return method;
};

/** What the fields of a form are filled in with. */
const filledIn = ({ text }: Answer): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/<input name="(\w+)"[^>]* value="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  );

describe('payment methods in the console', () => {
  it('closes and opens payment methods, with a note in the history', async () => {
    await using shop = await startShop();
    const { code, name } = await firstMethod(shop);
    expect(wordsOf(await shop.look('/catalog/methods'))).toContain(name);
    expect(wordsOf(await shop.check(`/catalog/methods/${code}/close`, {}))).toContain(`Method ${name}`);
    expect((await shop.perform(`/catalog/methods/${code}/close`, { note: 'the bank is down' })).status).toBe(
      303,
    );
    expect((await shop.method(code))?.status).toBe(false);
    expect(await shop.did()).toContain(`Dewi catalog.edited close ${code} (the bank is down)`);
    await shop.perform(`/catalog/methods/${code}/open`);
    expect((await shop.method(code))?.status).toBe(true);
  });

  it('opens a method again when its closing is undone', async () => {
    await using shop = await startShop();
    const { code } = await firstMethod(shop);
    await shop.perform(`/catalog/methods/${code}/close`);
    const [edit] = await shop.store.listCatalogEdits(1);
    expect((await shop.perform(`/catalog/edits/${edit?.number}/undo`)).status).toBe(303);
    expect((await shop.method(code))?.status).toBe(true);
  });

  it('rejects an unknown method, and lists the known methods', async () => {
    await using shop = await startShop();
    const { code } = await firstMethod(shop);
    const page = await shop.perform('/catalog/methods/NOPE/close');
    expect(page.status).toBe(409);
    expect(wordsOf(page)).toContain('The catalogue has no payment method NOPE');
    expect(wordsOf(page)).toContain(code);
  });
});

describe('margins in the console', () => {
  it('shows the price changes of a rule before it applies them', async () => {
    await using shop = await startShop();
    await shop.costs({ ML86: 20_000 });
    const rule = { percent: '8,5', rounding: '100' };
    const page = await shop.check('/catalog/margins/set', rule);
    // 20,000 and 8.5 % are 21,700.
    expect(wordsOf(page)).toMatch(/ML86 price Rp 22,000 Rp 21,700/);
    expect((await shop.product('ML86'))?.selling_price).toBe(22_000);
    expect((await shop.perform('/catalog/margins/set', rule)).status).toBe(303);
    expect((await shop.product('ML86'))?.selling_price).toBe(21_700);
    expect(wordsOf(await shop.look('/catalog/margins'))).toMatch(/The whole shop .*8.5% .*up to Rp 100/);
  });

  it.each([
    ['Mobile Legends: Bang Bang', { scope: 'game', key: 'mobile-legends' }],
    ['mobile-legends', { scope: 'game', key: 'mobile-legends' }],
    ['ml86', { scope: 'product', key: 'ML86' }],
    ['category 1', { scope: 'category', key: '1' }],
  ])('sets a margin rule for %s', async (name, at) => {
    await using shop = await startShop();
    await shop.perform('/catalog/margins/set', { for: name, flat: '500' });
    const rule = { percent: 0, flat: 500, minimum: 0, floor: 0, rounding: null };
    expect(await shop.store.readMargins()).toEqual([{ ...at, rule }]);
    await shop.perform('/catalog/margins/unset', { for: name });
    expect(await shop.store.readMargins()).toEqual([]);
  });

  it("fills a rule's form with the rule's values", async () => {
    await using shop = await startShop();
    const rule = { percent: 825, flat: 500, minimum: 300, floor: 1_000, rounding: 'end-900' as const };
    const edit = { store: shop.store, realClock: () => shop.clock.now, operator: 'rina' };
    await editCatalog(edit, 'margin set', setMargin({ scope: 'game', key: 'mobile-legends' }, rule));
    const { text } = await shop.look('/catalog/margins');
    const [, path = ''] = /href="\/console(\/catalog\/margins\/set\?[^"]*;for=[^"]+)"/.exec(text) ?? [];
    const form = await shop.look(path.replaceAll('&amp;', '&'));
    const fields = {
      for: 'game mobile-legends',
      percent: '8.25',
      flat: '500',
      minimum: '300',
      floor: '1000',
    };
    for (const [name, value] of Object.entries({ ...fields, rounding: 'end-900' }))
      expect(form.text).toMatch(new RegExp(`name="${name}"[^>]* value="${value}"`));
  });

  it.each([
    [{ percent: 'eight' }, 'Enter a percentage from 0 to 9999'],
    [{ flat: '1.000' }, 'whole rupiah without separators'],
    [{}, 'a minimum margin'],
    [{ for: 'chess', percent: '8' }, 'The catalogue has no "chess"'],
  ])('rejects the margin %j, and lists the accepted values', async (fields, words) => {
    await using shop = await startShop();
    const page = await shop.check('/catalog/margins/set', fields);
    expect([page.status, wordsOf(page)]).toEqual([409, expect.stringContaining(words)]);
    expect(await shop.store.readMargins()).toEqual([]);
  });
});

describe('promos in the console', () => {
  const lebaran = {
    code: 'LEBARAN',
    off: '10%',
    most: '2000',
    quota: '100',
    perCustomer: '1',
    minimum: '20000',
    starts: '2026-04-01',
    ends: '2026-04-30',
    only: 'Mobile Legends: Bang Bang, ml172',
  };

  it('creates a promo after a preview, and records the operator', async () => {
    await using shop = await startShop();
    const page = await shop.check('/catalog/promos/create', lebaran);
    expect(wordsOf(page)).toMatch(
      /10%, max Rp 2,000 .*Mobile Legends: Bang Bang.*Orders that may use it 100/,
    );
    expect(await shop.promo('LEBARAN')).toBeUndefined();
    expect((await shop.perform('/catalog/promos/create', lebaran)).status).toBe(303);
    expect(await shop.promo('LEBARAN')).toEqual({
      code: 'LEBARAN',
      discount: { type: 'PERCENT', basis_points: 1_000, max_discount: 2_000 },
      status: true,
      starts_at: '2026-04-01T00:00:00+07:00',
      // The end of a day is the begin of the next.
      ends_at: '2026-05-01T00:00:00+07:00',
      ...{ quota: 100, per_customer: 1, minimum_purchase: 20_000 },
      games: ['mobile-legends'],
      products: [(await shop.product('ML172'))?.id],
      payment_methods: [],
    });
    expect(await shop.did()).toContain('Dewi promo.saved LEBARAN');
  });

  it('keeps unchanged fields when a promo is edited', async () => {
    await using shop = await startShop();
    await shop.perform('/catalog/promos/create', lebaran);
    const path = '/catalog/promos/LEBARAN/edit';
    await shop.perform(path, { ...filledIn(await shop.look(path)), quota: '500' });
    const { starts_at, ends_at, quota, games, products } = (await shop.promo('LEBARAN')) ?? {};
    expect([starts_at, ends_at, quota]).toEqual([
      '2026-04-01T00:00:00+07:00',
      '2026-05-01T00:00:00+07:00',
      500,
    ]);
    expect([games?.length, products?.length]).toEqual([1, 1]);
  });

  it('keeps the product and the seconds of a promo when another field is edited', async () => {
    await using shop = await startShop();
    const { code } = await firstMethod(shop);
    const catalog = await shop.store.readCatalog();
    const product = await shop.product('ML86');
    if (!catalog || !product) throw new Error('the catalogue has no ML86');
    const games = catalog.games.map((game) => ({
      ...game,
      products: game.products.map((one) => (one.id === product.id ? { ...one, code } : one)),
    }));
    const edit = { store: shop.store, realClock: () => shop.clock.now, operator: 'rina' };
    await editCatalog(edit, 'catalog import', ({ margins }) => ({ catalog: { ...catalog, games }, margins }));
    const limits = {
      ...{ games: ['mobile-legends'], products: [product.id], payment_methods: [] },
      ...{ starts_at: '2026-04-01T00:00:30+07:00', ends_at: '2026-04-30T23:59:59+07:00' },
    };
    await shop.store.putPromo(promo({ code: 'DIAMOND', ...limits }));
    const path = '/catalog/promos/DIAMOND/edit';
    await shop.perform(path, { ...filledIn(await shop.look(path)), quota: '500' });
    expect(await shop.promo('DIAMOND')).toMatchObject({ ...limits, quota: 500 });
  });

  it('keeps a quota of 0, which allows no use, when a promo is edited', async () => {
    await using shop = await startShop();
    const form = await shop.look('/catalog/promos/SOLDOUT10/edit');
    expect(form.text).toMatch(/name="quota" value="0"/);
    await shop.perform('/catalog/promos/SOLDOUT10/edit', { off: '10%', quota: '0' });
    expect((await shop.promo('SOLDOUT10'))?.quota).toBe(0);
  });

  it('rejects an unknown code without a change', async () => {
    await using shop = await startShop();
    const path = '/catalog/promos/NONE/edit';
    for (const { status, text } of [await shop.look(path), await shop.perform(path, lebaran)])
      expect([status, text]).toEqual([
        409,
        expect.stringMatching(/Tidak ada promo NONE|There is no promo NONE/),
      ]);
    expect(await shop.promo('NONE')).toBeUndefined();
  });

  it('records the operator who enables or disables a promo', async () => {
    await using shop = await startShop();
    await shop.perform('/catalog/promos/create', lebaran);
    await shop.perform('/catalog/promos/LEBARAN/disable');
    expect((await shop.promo('LEBARAN'))?.status).toBe(false);
    expect((await shop.did()).filter((line) => line.includes('promo.saved'))).toHaveLength(2);
  });

  it.each([
    [{ off: '110%' }, 'A discount must be up to 100%'],
    [{ off: '2.000' }, 'whole rupiah without separators'],
    [{ ends: '2026-03-31' }, 'The promo ends before it begins'],
    [{ starts: '2026-02-30' }, 'Write a day such as 2026-12-31'],
    [{ only: 'chess' }, 'The catalogue has no "chess"'],
    [{ quota: 'ten' }, 'Write a whole number from 0'],
    [{ code: 'two words' }, 'breaks a rule of catalogues'],
  ])('rejects the promo %j, and lists the accepted values', async (fields, words) => {
    await using shop = await startShop();
    const page = await shop.check('/catalog/promos/create', { ...lebaran, ...fields });
    expect([page.status, wordsOf(page)]).toEqual([409, expect.stringContaining(words)]);
  });

  it('reports all invalid and missing fields together, and takes times from a picker', async () => {
    await using shop = await startShop();
    const wrong = { off: 'x', quota: 'ten', starts: '2026-02-30', only: 'chess' };
    const words = wordsOf(await shop.check('/catalog/promos/create', { ...lebaran, ...wrong }));
    for (const problem of ['A discount must be up to', 'not "ten"', 'Write a day', 'no "chess"'])
      expect(words).toContain(problem);
    const empty = await shop.check('/catalog/promos/create', { code: '', off: '' });
    expect(wordsOf(empty)).toContain('Fill in: Code that customers type, Discount of each item.');
    expect(empty.text.match(/<input [^>]*autofocus/g)).toEqual(['<input name="code" required autofocus']);
    expect(empty.text.match(/name="(starts|ends)" type="datetime-local"/g)).toHaveLength(2);
  });

  it("rejects an existing code in the operator's language", async () => {
    await using shop = await startShop();
    await shop.perform('/catalog/promos/create', lebaran);
    const page = await shop.check('/catalog/promos/create', { ...lebaran, code: 'lebaran' }, 'id');
    expect([page.status, wordsOf(page)]).toEqual([409, expect.stringContaining('Promo LEBARAN sudah ada.')]);
  });
});

/** Has an order paid and delivered at the moment of the fixtures. */
async function sell({ store }: Awaited<ReturnType<typeof startShop>>, letter: string): Promise<void> {
  await store.placeOrder(place(another(letter)));
  const units = [unit(1, { state: 'delivered', nextAt: null, askedAt: moment, serialNumber: 'SN' })];
  const to = { paymentStatus: 'PAID', buyStatus: 'Sukses' } as const;
  const { orderId } = another(letter);
  await store.changeOrder(change({ orderId, units, to, entry: { ...entry(), to } }));
}

describe('the sales report in the console', () => {
  const day = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Jakarta' }).format(moment);
  const query = `from=${day}&to=${day}`;

  it('adds up the sales of a period by the selected grouping, with a total', async () => {
    await using shop = await startShop();
    await sell(shop, 'A');
    await sell(shop, 'B');
    const sum = new Intl.NumberFormat('en').format(2 * another('A').pricing.total_price);
    for (const by of ['day', 'game', 'product', 'method', 'account', 'supplier']) {
      const page = await shop.look(`/overview/reports?${query}&by=${by}`);
      expect([page.status, wordsOf(page)]).toEqual([200, expect.stringContaining(`Total 2`)]);
      expect(wordsOf(page)).toContain(`Rp ${sum}`);
    }
    expect(wordsOf(await shop.look('/overview/reports?from=2020-01-01&to=2020-01-31'))).toContain(
      'No sales in this period.',
    );
  });

  it.each([
    ['en', 'not yet submitted 1'],
    ['id', 'belum dikirim 1'],
  ])('names sales without a supplier and shows a single total, in %s', async (language, row) => {
    await using shop = await startShop();
    await sell(shop, 'A');
    const words = wordsOf(await shop.look(`/overview/reports?${query}&by=supplier`, language));
    expect(words).toContain(row);
    expect(words.match(/Total 1/g)).toHaveLength(1);
  });

  it('downloads the same file that the command writes', async () => {
    await using shop = await startShop();
    await sell(shop, 'A');
    const { text, headers } = await shop.look(`/overview/reports/sales.csv?${query}&by=product`);
    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(headers['content-disposition']).toBe(`attachment; filename="sales-${day}-${day}-product.csv"`);
    const [titles, row, end] = text.slice(1).split('\r\n');
    expect(titles).toBe(
      'product,orders,units,turnover,discounts,returned,gateway_fees,cost,profit,gateway_fees_reported,cost_listed,units_without_cost,title',
    );
    const { product, pricing } = another('A');
    expect(row?.split(',').slice(0, 4)).toEqual([product.code, '1', '1', String(pricing.total_price)]);
    expect(end).toBe('');
    expect((await shop.look(`/overview/reports/sales.csv?${query}`, 'id')).text).toContain(
      'day;orders;units',
    );
  });

  it('adds up at most five years, and explains the limit', async () => {
    await using shop = await startShop();
    const reads = vi.spyOn(StatementSync.prototype, 'all');
    onTestFinished(() => reads.mockRestore());
    const period = 'from=0206-03-01&to=2026-03-31';
    const page = await shop.look(`/overview/reports?${period}`);
    expect(wordsOf(page)).toContain('Choose a period of at most five years.');
    const file = await shop.look(`/overview/reports/sales.csv?${period}`);
    expect([file.status, file.headers.location]).toEqual([
      303,
      expect.stringContaining(`/overview/reports?${period}`),
    ]);
    expect(reads.mock.calls.length).toBeLessThan(1_000);
    const longest = await shop.look('/overview/reports?from=2021-03-01&to=2026-02-28');
    expect(wordsOf(longest)).toContain('No sales in this period.');
  });

  it("rejects a reversed period and a day that doesn't exist", async () => {
    await using shop = await startShop();
    expect(wordsOf(await shop.look('/overview/reports?from=2026-03-02&to=2026-03-01'))).toContain(
      'The last day is before the first.',
    );
    expect((await shop.look('/overview/reports?from=2026-02-30')).status).toBe(400);
    expect((await shop.look('/overview/reports?from=9999-12-31&to=9999-12-31')).status).toBe(200);
    expect((await shop.look('/overview/reports/sales.csv?by=customer')).status).toBe(400);
  });
});

describe('the activity in the console', () => {
  it('lists actions from all places with their operators, newest first', async () => {
    await using shop = await startShop();
    const { code } = await firstMethod(shop);
    await shop.perform(`/catalog/methods/${code}/close`);
    const key = { at: shop.clock.now, operator: 'rina', action: 'key.created', subject: 'key_1' } as const;
    await shop.store.addActivity({ ...key, amount: null });
    const words = wordsOf(await shop.look('/overview/activity'));
    expect(words).toMatch(
      /rina Created a key key_1 .*Dewi Edited the catalogue close .*Dewi Logged in to the console/,
    );
    expect(wordsOf(await shop.look('/overview/activity', 'id'))).toContain('Mengubah katalog');
  });

  it('names the operator who disabled a webhook', async () => {
    await using shop = await startShop();
    await shop.store.addWebhookEndpoint({
      ...{ endpointId: 'wh_1', accountId: null, url: 'https://crm.example/', types: ['order.paid'] },
      ...{ description: '', secret: 's', previousSecret: null, previousUntil: null, disabled: null },
      ...{ createdAt: 0, failingSince: null, version: 1 },
    });
    await shop.perform('/events/webhooks/wh_1/disable');
    expect(await shop.did()).toContain('Dewi webhook.changed wh_1');
  });

  it('filters actions by operator and by days', async () => {
    await using shop = await startShop();
    const add = (at: string, subject: string) =>
      shop.store.addActivity({
        at: Date.parse(at),
        operator: 'rina',
        action: 'key.created',
        subject,
        amount: null,
      });
    await add('2026-03-01T23:59:59+07:00', 'key_first');
    await add('2026-03-02T00:00:00+07:00', 'key_second');
    expect(wordsOf(await shop.look('/overview/activity?operator=rina'))).not.toContain('Dewi Logged');
    const words = wordsOf(await shop.look('/overview/activity?from=2026-03-01&to=2026-03-01'));
    expect([words.includes('key_first'), words.includes('key_second')]).toEqual([true, false]);
  });

  it('links to older pages', async () => {
    await using shop = await startShop();
    for (let number = 1; number <= 60; number += 1)
      await shop.store.addActivity({
        ...{ at: number, operator: 'rina', action: 'key.created', subject: `key_${number}.`, amount: null },
      });
    const first = await shop.look('/overview/activity?operator=rina');
    expect(wordsOf(first)).not.toContain('key_10.');
    const [, older = ''] = /rel="next" href="\/console([^"]+)"/.exec(first.text) ?? [];
    const second = wordsOf(await shop.look(older.replaceAll('&amp;', '&')));
    expect([second.includes('key_10.'), second.includes('key_11.')]).toEqual([true, false]);
  });
});

describe('has no accessibility violations, and fits a phone', () => {
  it.each([
    '/overview/reports?by=product',
    '/overview/activity',
    '/catalog/margins',
    '/catalog/methods',
    '/catalog/promos',
    '/catalog/margins/set',
    '/catalog/promos/create',
  ])('has no accessibility violations, and fits a phone: %s', async (path) => {
    await using server = await startSandbox();
    await story(server, ['pay', 'deliver']);
    const { page, complaints } = await open(server.consoleUrl + path, { bypassCSP: true });
    expect(await axeViolations(page)).toEqual([]);
    expect(await widthsTooNarrow(page)).toEqual([]);
    expect(await phoneFaults(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
