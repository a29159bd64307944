import { editCatalog, setPrice } from '@topup-kit/core/engine';
import { describe, expect, it } from 'vitest';
import { createKeyText, type RunningServer, secureRandom } from '../src/index.ts';
import { advance } from './helpers/browser.ts';
import { type Answer, ask, hiddenFields, sameOrigin, startConsole, wordsOf } from './helpers/console.ts';
import { happen, placeOrder } from './helpers/orders.ts';
import { startSandbox } from './helpers/sandbox.ts';

const english = { 'Accept-Language': 'en' };

const look = (server: RunningServer, path: string): Promise<Answer> =>
  ask(server.consoleUrl + path, { headers: english });

/** Sends the form of an action as its page would: what happens first, then it is done. */
async function act(
  server: RunningServer,
  path: string,
  fields: Record<string, string> = {},
  steps = ['check', 'perform'],
) {
  let page = await look(server, path);
  const answers: Answer[] = [];
  for (const step of steps) {
    page = await ask(server.consoleUrl + path, {
      method: 'POST',
      headers: { ...sameOrigin, ...english },
      form: { ...hiddenFields(page), ...fields, step },
    });
    answers.push(page);
  }
  return answers;
}

describe('the overview', () => {
  it('lists pending work with the next step, and says when there is no pending work', async () => {
    await using server = await startSandbox();
    expect(wordsOf(await look(server, ''))).toContain('No open work.');
    const order = await placeOrder(server);
    await happen(server, order, 'pay');
    await happen(server, order, 'fail-delivery');
    const page = await look(server, '');
    expect(wordsOf(page)).toContain('1 paid order could not be delivered and needs a retry or a refund.');
    expect(page.text).toContain(`href="/console/orders/${order.order_id}"`);
    expect(page.text).toContain(`topup orders retry ${order.order_id}`);
  });

  it('shows the turnover in the sales report, and the parts of the profit', async () => {
    await using server = await startSandbox();
    for (const outcome of ['deliver', 'fail-delivery']) {
      const order = await placeOrder(server);
      await happen(server, order, 'pay');
      await happen(server, order, outcome);
    }
    expect(wordsOf(await look(server, ''))).toMatch(
      /Turnover Rp 80,000 − paid back or owed Rp 40,000 − gateway Rp \d+ − cost .* ≤ Profit/,
    );
  });

  it("compares today's turnover with yesterday's at the same hour", async () => {
    await using server = await startSandbox();
    const sell = async (): Promise<void> => {
      const order = await placeOrder(server);
      await happen(server, order, 'pay');
      await happen(server, order, 'deliver');
    };
    await sell();
    await advance(server, '24h');
    await sell();
    await sell();
    // The order of the open points costs 40,000.
    const words = wordsOf(await look(server, ''));
    expect(words).toContain('Orders paid 2 2 placed 1 more than 1 yesterday');
    expect(words).toContain('Turnover Rp 80,000 100% more than Rp 40,000 yesterday');
    expect(words).toContain('Orders stored 3');
  });
});

describe('the catalogue', () => {
  it('sets a price with a form that shows the current price, and keeps the reason in the history', async () => {
    await using server = await startSandbox();
    const path = '/catalog/products/ML86/set-price';
    const [check, done] = await act(server, path, { price: '23000', note: 'dearer since May' });
    expect(wordsOf(check as Answer)).toMatch(/86 Diamond ML86 .*Price now Rp 22,000/);
    expect(done).toMatchObject({ status: 303 });
    expect(wordsOf(await look(server, '/catalog?q=ML86'))).toMatch(
      /open Rp 23,000 86 Diamond ML86 mobile-legends/,
    );
    expect(wordsOf(await look(server, '/catalog/edits'))).toContain(
      'console set-price ML86 23000 (dearer since May)',
    );
    await act(server, '/catalog/edits/1/undo', { note: 'a mistake' });
    expect(wordsOf(await look(server, '/catalog?q=ML86'))).toContain('Rp 22,000');
  });

  it.each(['', 'x', '-1', '22.000', '99999999999'])(
    'rejects the price %j and keeps the input',
    async (price) => {
      await using server = await startSandbox();
      const path = '/catalog/products/ML86/set-price';
      const [check] = await act(server, path, { price, note: 'kept note' }, ['perform']);
      expect([400, 409]).toContain(check?.status);
      expect(check?.text).toContain('kept note');
      expect(wordsOf(await look(server, '/catalog?q=ML86'))).toContain('Rp 22,000');
    },
  );

  it('rejects an edit without a note', async () => {
    await using server = await startSandbox();
    const [check] = await act(server, '/catalog/products/ML86/close', { note: ' ' }, ['perform']);
    expect(check?.status).toBe(400);
    expect(wordsOf(check as Answer)).toContain('Enter the reason');
    expect(wordsOf(await look(server, '/catalog?q=ML86'))).toMatch(/open Rp 22,000 86 Diamond ML86/);
  });

  it('closes and opens products, games and promos', async () => {
    await using server = await startSandbox();
    await act(server, '/catalog/products/ML86/close', { note: 'sold out' });
    expect(wordsOf(await look(server, '/catalog?state=closed'))).toMatch(/closed by an operator .* ML86 /);
    await act(server, '/catalog/products/ML86/open', { note: 'back' });
    await act(server, '/catalog/games/mobile-legends/close', { note: 'maintenance' });
    expect(wordsOf(await look(server, '/catalog?state=closed&game=mobile-legends'))).toContain('ML86');
    await act(server, '/catalog/promos/RAMADAN10/disable');
    expect(wordsOf(await look(server, '/catalog/promos'))).toMatch(/disabled \S+, max Rp 2,000 RAMADAN10/);
  });

  it('offers to open a product only if the product itself is closed, not its game', async () => {
    await using server = await startSandbox();
    await act(server, '/catalog/games/mobile-legends/close', { note: 'maintenance' });
    expect(wordsOf(await look(server, '/catalog?q=ML86'))).toMatch(
      /closed with its game Rp 22,000 86 Diamond ML86 .* 0 Set price Lock Close /,
    );
    await act(server, '/catalog/products/ML86/close', { note: 'sold out' });
    expect(wordsOf(await look(server, '/catalog?q=ML86'))).toMatch(
      /closed by an operator Rp 22,000 86 Diamond ML86 .* 0 Set price Lock Open /,
    );
  });

  it("shows locked and open states in the visitor's language", async () => {
    await using server = await startSandbox();
    const path = '/catalog/products/ML86/lock';
    const [check] = await act(server, path, { note: 'keep' }, ['check', 'perform']);
    expect(wordsOf(check as Answer)).toContain('ML86 price lock – yes');
    const indonesian = await ask(`${server.consoleUrl}/catalog/edits/1`, {
      headers: { 'Accept-Language': 'id' },
    });
    expect(wordsOf(indonesian)).toContain('ML86 kunci harga – ya');
  });

  it("counts today's sales", async () => {
    await using server = await startSandbox();
    await happen(server, await placeOrder(server), 'pay');
    expect(wordsOf(await look(server, '/catalog?q=ML86'))).toMatch(
      /open Rp 22,000 86 Diamond ML86 mobile-legends .* 2 /,
    );
  });
});

describe('the sandbox', () => {
  it('places an order through the interface, and shows it in the journal with code that repeats it', async () => {
    await using server = await startSandbox();
    const form = await look(server, '/sandbox/order');
    const fields = Object.fromEntries(
      [...form.text.matchAll(/<input name="(\w+)"[^>]* value="([^"]*)"/g)].map(
        ([, name = '', value = '']) => [name, value],
      ),
    );
    const [done] = await act(server, '/sandbox/order', fields, ['perform']);
    expect(done?.headers.location).toMatch(/^\/console\/orders\/INV-/);
    const [failed] = await act(server, '/sandbox/order', { ...fields, quantity: '0' }, ['perform']);
    expect(failed?.status).toBe(409);
    const journal = await look(server, '/sandbox/requests');
    expect(wordsOf(journal)).toMatch(/POST \/api\/order 422 VALIDATION_ERROR .*POST \/api\/order 201/);
    const [, newest = ''] = /href="\/console(\/sandbox\/requests\/\d+)"/.exec(journal.text) ?? [];
    const entry = wordsOf(await look(server, newest));
    expect(entry).toContain('curl');
    // The call alone does not run: its client is written with it.
    expect(entry).toMatch(
      /import \{ createTopupClient \} from '@topup-kit\/sdk'; const topup = .* await topup\.orders\.create\(/,
    );
    expect(entry).toContain('createMockService');
  });

  it('reports that a scenario cut the connection, and keeps the order form', async () => {
    await using server = await startSandbox();
    await act(server, '/sandbox/scenario', { name: 'offline' }, ['perform']);
    const order = { game: 'mobile-legends', product_id: '901', payment_method_id: '12', quantity: '1' };
    const customer = { id: '12345678', server: '2012', whatsapp: '081234567899' };
    const [cut] = await act(server, '/sandbox/order', { ...order, ...customer }, ['perform']);
    expect(cut?.status).toBe(409);
    expect(wordsOf(cut as Answer)).toContain('The connection was cut without a response');
    expect(cut?.text).toContain('value="081234567899"');
  });

  it('places one order when a form is sent twice', async () => {
    await using server = await startSandbox();
    const form = await look(server, '/sandbox/order');
    const fields = Object.fromEntries(
      [...form.text.matchAll(/<input name="(\w+)"[^>]* value="([^"]*)"/g)].map(
        ([, name = '', value = '']) => [name, value],
      ),
    );
    const sent = { method: 'POST', headers: sameOrigin, form: { ...hiddenFields(form), ...fields } } as const;
    const places = await Promise.all([1, 2].map(() => ask(`${server.consoleUrl}/sandbox/order`, sent)));
    expect(new Set(places.map(({ headers }) => headers.location)).size).toBe(1);
  });

  it('moves the clock, and does the work that becomes due', async () => {
    await using server = await startSandbox();
    const { order_id } = await placeOrder(server);
    expect(wordsOf(await look(server, '/sandbox'))).toContain(order_id);
    await act(server, '/sandbox/advance', { by: '31m' }, ['perform']);
    expect(wordsOf(await look(server, '/sandbox'))).toContain('No work is scheduled.');
    // Of another year, a day has its year.
    const year = order_id.slice(4, 8);
    await act(server, '/sandbox/advance', { by: '400d' }, ['perform']);
    expect(wordsOf(await look(server, '/orders'))).toMatch(
      new RegExp(`, ${year} .*${order_id.slice(-8)} \\d\\d:\\d\\d`),
    );
    const [failed] = await act(server, '/sandbox/advance', { by: 'soon' }, ['perform']);
    expect(wordsOf(failed as Answer)).toContain('"soon" is not a duration');
  });

  it('turns a fault on and off', async () => {
    await using server = await startSandbox();
    await act(server, '/sandbox/scenario', { name: 'maintenance' }, ['perform']);
    expect(
      (await fetch(`${server.baseUrl}/games`, { headers: { 'X-API-KEY': server.sandboxKey ?? '' } })).status,
    ).toBe(503);
    expect(wordsOf(await look(server, '/sandbox'))).toContain('maintenance every call fails with 503 on');
    const [failed] = await act(server, '/sandbox/scenario', { name: 'flood' }, ['perform']);
    expect(failed?.status).toBe(409);
  });

  it('resets the sandbox only after a confirmation', async () => {
    await using server = await startSandbox();
    const { order_id } = await placeOrder(server);
    await act(server, '/sandbox/reset', {}, ['check']);
    expect((await look(server, '/orders')).text).toContain(order_id);
    await act(server, '/sandbox/reset');
    expect((await look(server, '/orders')).text).not.toContain(order_id);
  });

  it('shows the world of each test key', async () => {
    await using server = await startSandbox();
    const key = createKeyText('test', secureRandom);
    const { order_id } = await placeOrder({ ...server, sandboxKey: key });
    expect((await look(server, '/orders')).text).not.toContain(order_id);
    const [done] = await act(server, '/sandbox/world', { key }, ['perform']);
    const cookie = done?.headers['set-cookie']?.split(';')[0] ?? '';
    expect(done?.headers['set-cookie']).toMatch(/HttpOnly; SameSite=Strict/);
    const shown = await ask(`${server.consoleUrl}/orders`, { cookie });
    expect(shown.text).toContain(order_id);
  });
});

describe('an action', () => {
  it("names the action's target in the form and before the action is performed", async () => {
    await using server = await startSandbox();
    const { order_id } = await placeOrder(server);
    const path = `/orders/${order_id}/note`;
    const [check] = await act(server, path, { note: 'called' }, ['check']);
    for (const page of [await look(server, path), check]) {
      expect(page?.text).toContain(`<h1>Add a note · ${order_id}</h1>`);
      expect(page?.text).toContain(`<title>Add a note · ${order_id} · Topup Kit</title>`);
    }
  });

  it('shows the exact percentages of promos', async () => {
    await using live = await startConsole();
    const promo = (await live.store.readCatalog())?.promos.find(({ code }) => code === 'RAMADAN10');
    if (!promo) throw new Error('the sandbox catalogue has RAMADAN10');
    const discount = { type: 'PERCENT', basis_points: 1225, max_discount: null } as const;
    await live.store.putPromo({ ...promo, discount });
    const page = await live.ask('/catalog/promos', { cookie: await live.logIn(), headers: english });
    expect(wordsOf(page)).toMatch(/12\.25%\D* RAMADAN10/);
  });

  it('shows the effect of an action without fields immediately, and performs it only with its form', async () => {
    await using server = await startSandbox();
    const path = '/catalog/promos/RAMADAN10/disable';
    const page = await look(server, `${path}?step=perform`);
    expect(wordsOf(page)).toContain('This promo becomes: disabled Disable Back');
    expect(wordsOf(await look(server, '/catalog/promos'))).toMatch(/active \S+, max Rp 2,000 RAMADAN10/);
    await ask(server.consoleUrl + path, {
      method: 'POST',
      headers: { ...sameOrigin, ...english },
      form: hiddenFields(page),
    });
    expect(wordsOf(await look(server, '/catalog/promos'))).toMatch(/disabled \S+, max Rp 2,000 RAMADAN10/);
  });

  it('rejects an edit of a catalogue that changed since the preview', async () => {
    await using server = await startSandbox();
    const path = '/catalog/products/ML86/set-price';
    const [seen] = await act(server, path, { price: '23000', note: 'dearer' }, ['check']);
    await act(server, path, { price: '24000', note: 'much dearer' });
    const late = await ask(server.consoleUrl + path, {
      method: 'POST',
      headers: { ...sameOrigin, ...english },
      form: { ...hiddenFields(seen as Answer), price: '23000', note: 'dearer', step: 'perform' },
    });
    expect([late.status, wordsOf(late).includes('changed in the meantime')]).toEqual([409, true]);
    expect(wordsOf(await look(server, '/catalog?q=ML86'))).toContain('Rp 24,000');
  });

  it('rejects an edit of a catalogue that another process just changed', async () => {
    await using live = await startConsole();
    const sent = { cookie: await live.logIn(), headers: { ...sameOrigin, ...english } };
    const path = '/catalog/products/ML86/set-price';
    const post = async (form: Record<string, string>, step: string): Promise<Answer> =>
      live.ask(path, { ...sent, method: 'POST', form: { ...form, step } });
    const form = hiddenFields(await live.ask(path, sent));
    const deps = { store: live.store, realClock: () => live.clock.now, operator: 'Rina' };
    await editCatalog(deps, 'set-price ML86', setPrice('ML86', 24_000));
    const late = await post({ ...form, price: '23000', note: 'dearer' }, 'perform');
    expect([late.status, wordsOf(late).includes('changed in the meantime')]).toEqual([409, true]);
    expect(wordsOf(await live.ask('/catalog?q=ML86', sent))).toContain('Rp 24,000');
  });

  it('logs the operator and the reason, even if there is no history', async () => {
    await using live = await startConsole();
    const cookie = await live.logIn('Dewi');
    const path = '/catalog/promos/RAMADAN10/disable';
    const form = { ...hiddenFields(await live.ask(path, { cookie })), step: 'perform' };
    expect((await live.ask(path, { method: 'POST', cookie, form, headers: sameOrigin })).status).toBe(303);
    const logged = live.lines.map((line) => JSON.parse(line)).find(({ action }) => action !== undefined);
    expect(logged).toMatchObject({
      operator: 'Dewi',
      action: '/catalog/promos/:code/disable',
      about: { code: 'RAMADAN10' },
    });
  });

  it("rejects another visitor's token, and keeps the input", async () => {
    await using live = await startConsole();
    const [dewi, budi] = [await live.logIn('Dewi'), await live.logIn('Budi')];
    const path = '/catalog/products/ML86/close';
    const fields = hiddenFields(await live.ask(path, { cookie: budi }));
    const form = { ...fields, step: 'perform', note: 'what I typed' };
    const rejected = await live.ask(path, { method: 'POST', cookie: dewi, headers: sameOrigin, form });
    expect(rejected.status).toBe(403);
    expect(rejected.text).toContain('what I typed');
    expect((await live.store.listCatalogEdits(10)).map(({ command }) => command)).toEqual([]);
    const done = await live.ask(path, { method: 'POST', cookie: budi, headers: sameOrigin, form });
    expect(done.status).toBe(303);
    expect((await live.store.listCatalogEdits(1))[0]).toMatchObject({
      by: 'Budi',
      command: 'close ML86 (what I typed)',
    });
  });
});
