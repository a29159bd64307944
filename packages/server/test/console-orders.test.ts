import { createMemoryStore, type Store, StoreError } from '@topup-kit/core/store';
import { describe, expect, it } from 'vitest';
import { callback } from '../../suites/src/store/callbacks/callback-cases.ts';
import {
  another,
  change,
  entry,
  order,
  place,
  reconciliation,
  refund,
  reserve,
  unit,
} from '../../suites/src/store/fixtures.ts';
import { type ActionResult, runAction } from '../src/features/console/actions.ts';
import { createOrderActions } from '../src/features/console/orders/order-actions.ts';
import { createPaymentActions } from '../src/features/console/payments/payment-actions.ts';
import { createPaymentsPage } from '../src/features/console/payments/payments-page.ts';
import type { RunningServer } from '../src/index.ts';
import { type Answer, ask, hiddenFields, sameOrigin, startConsole, wordsOf } from './helpers/console.ts';
import { story } from './helpers/orders.ts';
import { overStore } from './helpers/over-store.ts';
import { startSandbox } from './helpers/sandbox.ts';

const english = { 'Accept-Language': 'en' };

const look = (server: RunningServer, path: string, cookie = ''): Promise<Answer> =>
  ask(server.consoleUrl + path, { headers: english, cookie });

const send = (server: RunningServer, path: string, form: Record<string, string>): Promise<Answer> =>
  ask(server.consoleUrl + path, { method: 'POST', headers: { ...sameOrigin, ...english }, form });

/** Goes through an action as a browser would: its form says what it is about, and then it is done. */
async function act(server: RunningServer, path: string, fields: Record<string, string> = {}) {
  const form = await look(server, path);
  const sent = { ...hiddenFields(form), ...fields };
  return { form, sent, done: await send(server, path, sent) };
}

/** The orders that a list shows, in its order. */
const listed = ({ text }: Answer): string[] =>
  [...text.matchAll(/<tr id="order-([^"]+)"/g)].map(([, orderId = '']) => orderId);

describe('the list of orders', () => {
  it('lists the newest orders first, 50 on a page', async () => {
    await using server = await startSandbox();
    const ids: string[] = [];
    for (let count = 0; count < 52; count += 1) ids.unshift(await story(server, ['expire']));
    const first = await look(server, '/orders');
    expect(listed(first)).toEqual(ids.slice(0, 50));
    const [, next = ''] = /rel="next" href="\/console([^"]+)"/.exec(first.text) ?? [];
    const second = await look(server, next.replaceAll('&amp;', '&'));
    expect(listed(second)).toEqual(ids.slice(50));
    expect(second.text).not.toContain('rel="next"');
  });

  it('filters by state, game, account, day and problem', async () => {
    await using server = await startSandbox();
    const unpaid = await story(server);
    const failed = await story(server, ['pay', 'fail-delivery']);
    const lost = await story(server, ['pay', 'lose-delivery']);
    const contradicted = await story(server, ['pay', 'deliver', 'contradict-delivery']);
    const today = new Date(Date.now() + 7 * 3_600_000).toISOString().slice(0, 10);
    const found = async (query: string): Promise<string[]> => listed(await look(server, `/orders?${query}`));
    expect(await found('payment=UNPAID')).toEqual([unpaid]);
    expect(await found('payment=PAID&delivery=Gagal')).toEqual([failed]);
    expect(await found('problem=stuck')).toEqual([lost]);
    expect(await found('problem=contradicted')).toEqual([contradicted]);
    expect(await found('problem=contradicted&payment=UNPAID')).toEqual([]);
    expect(await found('game=valorant')).toEqual([]);
    expect(await found('game=unheard-of')).toEqual([]);
    expect(await found('game=mobile-legends&payment=UNPAID')).toEqual([unpaid]);
    expect(await found('account=nobody')).toEqual([]);
    expect(await found(`since=${today}&payment=UNPAID`)).toEqual([unpaid]);
    expect(await found(`until=${today}&payment=UNPAID`)).toEqual([unpaid]);
    expect(await found('until=2026-01-01')).toEqual([]);
  });

  it('searches like the command, with at least three characters', async () => {
    await using server = await startSandbox();
    const one = await story(server, [], { email: 'ani@example.com' });
    const other = await story(server, [], { whatsapp: '081299999999' });
    expect(listed(await look(server, '/orders?q=ani%40ex'))).toEqual([one]);
    expect(listed(await look(server, '/orders?q=0812+9999+9999'))).toEqual([other]);
    const short = await look(server, '/orders?q=an');
    expect(wordsOf(short)).toContain('Enter at least 3 characters to search.');
    expect(listed(short)).toEqual([]);
  });

  it('redirects to the order that a search names', async () => {
    await using server = await startSandbox();
    const orderId = await story(server);
    await story(server);
    for (const q of [orderId, orderId.toLowerCase(), orderId.slice(-8)])
      expect(await look(server, `/orders?q=${q}`)).toMatchObject({
        status: 303,
        headers: { location: `/console/orders/${orderId}` },
      });
  });

  it('keeps saved filters in a cookie for TLS only, if the console uses TLS', async () => {
    for (const [url, isSecure] of [
      ['https://shop.example', true],
      ['http://127.0.0.1:4000', false],
    ] as const) {
      await using live = await startConsole({ TOPUP_PUBLIC_URL: url });
      const cookie = await live.logIn();
      const { headers } = await live.ask('/orders?q=0812345678&save=Budi', { cookie });
      expect(headers['set-cookie']?.endsWith('; Secure')).toBe(isSecure);
    }
  });

  it('keeps named filters in a cookie of the visitor', async () => {
    await using server = await startSandbox();
    const saved = await look(server, '/orders?payment=PAID&account=toko&save=Toko+%3Cb%3E');
    expect(saved).toMatchObject({
      status: 303,
      headers: { location: '/console/orders?payment=PAID&account=toko' },
    });
    const [cookie = '', ...attributes] = saved.headers['set-cookie']?.split('; ') ?? [];
    expect(attributes).toEqual(['Path=/console', 'Max-Age=31536000', 'HttpOnly', 'SameSite=Strict']);
    const page = await look(server, '/orders', cookie);
    expect(page.text).toContain('href="/console/orders?payment=PAID&amp;account=toko">Toko &lt;b&gt;</a>');
    const forgotten = await look(server, '/orders?forget=Toko+%3Cb%3E', cookie);
    const [rest = ''] = forgotten.headers['set-cookie']?.split('; ') ?? [];
    expect((await look(server, '/orders', rest)).text).not.toContain('Toko');
  });

  it.each(['%', 'a'.repeat(4_000), '%00=%00', '=&=&='])(
    'shows the list whatever the cookie %# contains',
    async (value) => {
      await using server = await startSandbox();
      expect((await look(server, '/orders', `topup-filters=${value}`)).status).toBe(200);
    },
  );
});

describe('the page of an order', () => {
  it('shows all events of an order with their operators', async () => {
    await using server = await startSandbox();
    const orderId = await story(server, ['pay', 'fail-delivery'], { email: 'ani@example.com' });
    await act(server, `/orders/${orderId}/note`, { note: 'called <b>him</b>' });
    const page = await look(server, `/orders/${orderId}`);
    const words = wordsOf(page);
    expect(words).toMatch(/Note [\d:]+ · console called <b>him<\/b>/);
    expect(words).toMatch(/Delivery failed .* PAID \/ Proses → PAID \/ Gagal .* Paid .* Order placed/);
    expect(words).toContain('items 1, 2, attempt 1');
    expect(words).toContain(`${orderId}-2-1`);
    for (const shown of ['ani@example.com', '081234567890', 'Rp 44,000', 'Profit Rp 0'])
      expect(words).toContain(shown);
    expect(page.text).toMatch(/href="http[^"]+\/pay\/SIM/);
  });

  it('shows callbacks and webhooks with their bodies, without secrets', async () => {
    await using live = await startConsole();
    const order = another('A');
    await live.store.placeOrder(place(order));
    await live.store.changeOrder(change({ entry: entry(), units: [unit(1)] }));
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const body = Buffer.from(JSON.stringify({ status: 'PAID', api_key: 'very-secret-1' }));
    await live.store.addCallback(callback({ body, headers: { 'x-callback-signature': 'abcdef' } }));
    await live.store.addCallback(
      callback({
        ...{ callbackId: 'cb_2', orderId: another('B').orderId },
        // As it is kept of a header that held a secret of the settings.
        headers: { 'x-callback-signature': '[secret 1]' },
      }),
    );
    await live.store.addWebhookEndpoint({
      ...{ endpointId: 'ep_1', accountId: null, types: ['order.paid'] },
      url: 'https://shop.example/hooks?token=very-secret-2',
      ...{ description: '', secret, previousSecret: null, previousUntil: null, disabled: null },
      ...{ createdAt: 0, failingSince: null, version: 1 },
    });
    const timestamp = new Date(entry().at).toISOString();
    const event = {
      ...({ eventId: 'evt_1', type: 'order.paid', accountId: null, orderId: order.orderId } as const),
      ...{ createdAt: live.clock.now, body: JSON.stringify({ type: 'order.paid', timestamp, data: {} }) },
    };
    await live.store.addWebhookEvents([{ event, endpointIds: ['ep_1'] }], null);
    const cookie = await live.logIn();
    const page = await live.ask(`/orders/${order.orderId}`, { cookie });
    const words = wordsOf(page);
    expect(words).toContain('Callback of provider: applied');
    expect(words).toContain('"status": "PAID"');
    expect(page.text).not.toContain('very-secret-1');
    expect(page.text).not.toContain('abcdef');
    expect(page.text).not.toContain('cb_2');
    expect(page.text).not.toContain(secret);
    expect(wordsOf(await live.ask('/events/callbacks/cb_2', { cookie }))).toContain(
      'x-callback-signature: [secret 1] Body',
    );
    const own = await live.ask(`/events/callbacks/${callback().callbackId}`, { cookie });
    expect(wordsOf(own)).toContain('"status": "PAID"');
    expect(own.text).not.toContain('very-secret-1');
    expect(own.text).not.toContain('abcdef');
    for (const path of ['/events/webhooks', '/events/webhooks/ep_1/disable']) {
      const told = await live.ask(path, { cookie });
      expect(told.text).toContain('https://shop.example/hooks');
      expect(told.text).not.toContain('very-secret-2');
      expect(told.text).not.toContain(secret);
    }
    // With the payment that it tells of.
    expect(words).toMatch(/Paid [^·]* · gateway .*Webhook order\.paid ep_1/);
  });

  it('shows the cost and the profit of a delivered order', async () => {
    await using live = await startConsole();
    await live.store.placeOrder(place(another('A')));
    const delivered = { state: 'delivered', cost: 20_000, costSource: 'listed', askedAt: 1 } as const;
    const to = { paymentStatus: 'PAID', buyStatus: 'Sukses' } as const;
    await live.store.changeOrder(change({ to, entry: entry({ to, fee: 700 }), units: [unit(1, delivered)] }));
    const words = wordsOf(await live.ask(`/orders/${another('A').orderId}`, { cookie: await live.logIn() }));
    expect(words).toContain('Kept by the gateway -Rp 700 Cost -Rp 20,000 listed price Profit Rp 1,300');
  });

  it('reports an unknown order', async () => {
    await using server = await startSandbox();
    const form = await look(server, '/orders/INV-20260328100000-AAAAAAAA/retry');
    expect(wordsOf(form)).toContain('There is no such order.');
    expect((await look(server, '/orders/INV-20260328100000-AAAAAAAA')).status).toBe(404);
  });

  it('shows only buttons for possible actions, and no buttons to read-only visitors', async () => {
    await using live = await startConsole({ TOPUP_CONSOLE: 'read' });
    await live.store.placeOrder(place(another('A')));
    await live.store.addReconciliation(reconciliation());
    const cookie = await live.logIn();
    const path = `/orders/${another('A').orderId}`;
    for (const page of [path, '/payments'])
      expect((await live.ask(page, { cookie })).text).not.toMatch(
        /href="[^"]*\/(note|settle|return|retry)\b/,
      );
    const rejected = await live.ask(`${path}/note`, {
      ...{ method: 'POST', cookie, headers: sameOrigin },
      form: { note: 'x', step: 'perform' },
    });
    expect(rejected.status).toBe(403);
    // The server may have expired it meanwhile.
    const history = await live.store.findHistory(another('A').orderId);
    expect(history.map(({ event }) => event)).not.toContain('noted');
  });

  it('abandons an order with an unclear payment', async () => {
    await using live = await startConsole();
    const { orderId } = another('A');
    await live.store.reserveOrder(reserve(another('A')));
    const cookie = await live.logIn();
    const page = await live.ask(`/orders/${orderId}`, { cookie });
    expect(wordsOf(page)).toContain('It is unknown whether the gateway has a payment for this order.');
    const seen = await live.ask(`/orders/${orderId}/abandon`, { cookie });
    expect(wordsOf(seen)).toContain(`${orderId} will be FAILED / Batal, and its promo code`);
    expect(await live.store.findReservedOrder(orderId)).not.toBeNull();
    const form = { ...hiddenFields(seen), note: 'not there' };
    const sent = { method: 'POST', cookie, headers: sameOrigin } as const;
    await live.ask(`/orders/${orderId}/abandon`, { ...sent, form });
    expect(await live.store.findReservedOrder(orderId)).toBeNull();
    expect(await live.store.findOrder(orderId)).toMatchObject({
      paymentStatus: 'FAILED',
      buyStatus: 'Batal',
    });
    const late = await live.ask(`/orders/${orderId}/abandon`, { ...sent, form });
    expect(late.status).toBe(409);
    expect(wordsOf(late)).toContain(`${orderId} can't be abandoned: it has a payment.`);
  });
});

describe('actions on an order', () => {
  it("retries an order with a form that shows it, and records the operator's name and note in the history", async () => {
    await using server = await startSandbox();
    const orderId = await story(server, ['pay', 'fail-delivery']);
    const { form, done } = await act(server, `/orders/${orderId}/retry`, { note: 'stock is back' });
    expect(wordsOf(form)).toMatch(
      /86 Diamond × 2 .*Rp 44,000 Delivered 0 of 2 .*Not delivered Rp 44,000 .*Highest cost of an item Rp 22,000 /,
    );
    expect(done.status).toBe(303);
    const words = wordsOf(await look(server, `/orders/${orderId}`));
    expect(words).toMatch(/Retried [\d:]+ · console .* stock is back item 1, attempt 1 .*-1-1 \) failed:/);
  });

  it('marks one unit or all units', async () => {
    await using server = await startSandbox();
    const orderId = await story(server, ['pay', 'lose-delivery']);
    const path = `/orders/${orderId}/mark`;
    const one = { outcome: 'delivered', unit: '2', serialNumber: 'SN-7', note: 'seen there' };
    await act(server, path, one);
    expect(wordsOf(await look(server, `/orders/${orderId}`))).toMatch(
      /PAID \/ Proses .* 2 delivered .* SN-7/,
    );
    await act(server, path, { outcome: 'failed', note: 'nothing there' });
    const words = wordsOf(await look(server, `/orders/${orderId}`));
    expect(words).toContain('PAID / Gagal');
    expect(words).toContain('nothing there');
    expect(wordsOf(await look(server, path))).toContain(
      'These delivered items will count as NOT delivered, and a retry buys them again: item 2.',
    );
    const wrong = await act(server, path, { outcome: 'failed', unit: 'two', note: 'kept note' });
    expect([wrong.done.status, wrong.done.text.includes('kept note')]).toEqual([409, true]);
  });

  it('refunds the undelivered part, another amount, or everything', async () => {
    await using server = await startSandbox();
    const orderId = await story(server, ['pay', 'fail-delivery']);
    const path = `/orders/${orderId}/refund`;
    const { form } = await act(server, path, { all: 'amount', amount: '10000', note: 'part of it' });
    expect(wordsOf(form)).toMatch(/what was not delivered Rp 44,000 .*another amount .*Refund Rp 44,000/);
    const tooMuch = await act(server, path, { all: 'amount', amount: '99999', note: 'kept note' });
    expect(tooMuch.done.status).toBe(409);
    expect(wordsOf(tooMuch.done)).toContain('exceeds the rest of the payment: Rp 34,000');
    expect(tooMuch.done.text).toContain('kept note');
    for (const amount of ['', '10.000', '1e3', '0'])
      expect(wordsOf((await act(server, path, { all: 'amount', amount, note: 'x' })).done)).toContain(
        'An amount is written without separators',
      );
    await act(server, path, { all: 'all', note: 'the rest' });
    const words = wordsOf(await look(server, '/payments'));
    expect(words).toContain('Rp 44,000 refunds to pay');
    expect(words).toMatch(/to pay Rp 34,000 .* the rest/);
  });

  it('refunds a delivered order with a reason, and shows the loss', async () => {
    await using server = await startSandbox();
    const orderId = await story(server, ['pay', 'deliver']);
    const path = `/orders/${orderId}/refund`;
    const { form, done } = await act(server, path, { all: 'owed', note: 'nothing is owed' });
    expect(wordsOf(form)).toMatch(/Delivered 2 of 2 .*another amount everything that was paid Rp 44,000/);
    expect(wordsOf(done)).toContain('Everything was delivered, so nothing is owed');
    await act(server, path, { all: 'amount', amount: '5000', note: 'goodwill' });
    const words = wordsOf(await look(server, `/orders/${orderId}`));
    expect(words).toContain('PAID / Sukses');
    expect(words).toMatch(/goodwill/);
    expect(words).toMatch(/Paid back or owed -?\D*5,000/);
    const tooMuch = await act(server, path, { all: 'amount', amount: '39001', note: 'x' });
    expect(wordsOf(tooMuch.done)).toContain('exceeds the rest of the payment: Rp 39,000');
  });

  it('retries with an accepted loss per unit, which the history keeps', async () => {
    await using server = await startSandbox();
    const orderId = await story(server, ['pay', 'fail-delivery']);
    const path = `/orders/${orderId}/retry`;
    const wrong = await act(server, path, { maxLoss: '1.000', note: 'kept note' });
    expect(wordsOf(wrong.done)).toContain('An amount is written without separators');
    const { done } = await act(server, path, { maxLoss: '1000', note: 'dearer now' });
    expect(done.status).toBe(303);
  });

  it.each([
    ['refund', { all: 'owed', amount: '5000' }, '"another amount" is not chosen'],
    ['refund', { all: 'all', amount: '5000' }, '"another amount" is not chosen'],
    ['mark', { outcome: 'failed', serialNumber: 'SN-1' }, 'A serial number is only for delivered items.'],
  ])('rejects a %s with %j, because the input contradicts itself', async (action, fields, why) => {
    await using server = await startSandbox();
    const orderId = await story(server, ['pay', action === 'mark' ? 'lose-delivery' : 'fail-delivery']);
    const { done } = await act(server, `/orders/${orderId}/${action}`, { ...fields, note: 'kept note' });
    expect([done.status, wordsOf(done).includes(why)]).toEqual([409, true]);
    expect(done.text).toContain('kept note');
  });

  it('keeps a long input when another field is corrected', async () => {
    await using server = await startSandbox();
    const path = `/orders/${await story(server)}/note`;
    const note = 'long '.repeat(5_000).trim();
    const sent = hiddenFields(await look(server, path));
    const changed = await send(server, path, { ...sent, note, step: 'change' });
    expect(changed.status).toBe(200);
    expect(changed.text).toContain(`${note}</textarea>`);
  });

  it('accepts the longest note that the field allows, with any characters', async () => {
    await using server = await startSandbox();
    const path = `/orders/${await story(server)}/note`;
    const [, longest = ''] = /<textarea[^>]* maxlength="(\d+)"/.exec((await look(server, path)).text) ?? [];
    const note = '\u0e01'.repeat(Number(longest));
    expect((await act(server, path, { note })).done.status).toBe(303);
    expect(wordsOf(await look(server, path.replace('/note', '')))).toContain(note);
  });

  it('acts once when a form is sent twice, even simultaneously', async () => {
    await using server = await startSandbox();
    const orderId = await story(server, ['pay', 'fail-delivery']);
    for (const [action, fields] of [
      ['note', { note: 'once' }],
      ['refund', { all: 'amount', amount: '1000', note: 'once' }],
    ] as const) {
      const path = `/orders/${orderId}/${action}`;
      const form = { ...hiddenFields(await look(server, path)), ...fields };
      const twice = await Promise.all([0, 1].map(() => send(server, path, form)));
      expect(twice.map(({ status }) => status).toSorted()).toEqual([303, 409]);
      const late = await send(server, path, form);
      expect(late.status).toBe(409);
      expect(wordsOf(late)).toContain('The order has changed since this page was opened');
      expect(late.text).toContain('once</textarea>');
    }
    const words = wordsOf(await look(server, `/orders/${orderId}`));
    expect(words.match(/Note [\d:]+ ·/g)).toHaveLength(1);
    expect(words.match(/Refunded [\d:]+ ·/g)).toHaveLength(1);
  });

  it.each([
    ['en', 'Ask the supplier, then mark the order.'],
    ['id', 'Cari tahu di pemasok, lalu tandai pesanannya.'],
  ])('rejects actions on units with an unknown outcome, and explains why in %s', async (locale, why) => {
    await using server = await startSandbox();
    const orderId = await story(server, ['pay', 'lose-delivery']);
    const path = `/orders/${orderId}/retry`;
    const rejected = await ask(server.consoleUrl + path, { headers: { 'Accept-Language': locale } });
    expect(rejected.status).toBe(409);
    expect(wordsOf(rejected)).toContain(why);
    expect(rejected.text).not.toContain('name="note"');
  });

  it('keeps the input after a conflict', async () => {
    await using server = await startSandbox();
    const orderId = await story(server, ['pay', 'fail-delivery']);
    const path = `/orders/${orderId}/retry`;
    const first = { ...hiddenFields(await look(server, path)), note: 'my note' };
    await act(server, `/orders/${orderId}/note`, { note: 'of a colleague' });
    const conflict = await send(server, path, first);
    expect([conflict.status, conflict.text.includes('my note')]).toEqual([409, true]);
    const again = await send(server, path, { ...hiddenFields(conflict), note: 'my note' });
    expect(again.status).toBe(303);
  });
});

describe('money that waits for an operator', () => {
  it('settles a payment for its order, or marks it as returned, once', async () => {
    await using server = await startSandbox();
    const late = await story(server, ['expire', 'pay-late']);
    const wrong = await story(server, ['pay-wrong-amount']);
    const page = await look(server, '/payments');
    const [settle = '', giveBack = ''] = [late, wrong].map((orderId) => {
      const item = page.text.split('class="row bad"').find((part) => part.includes(orderId)) ?? '';
      return /href="\/console\/payments\/([^/]+)\/settle/.exec(item)?.[1] ?? '';
    });
    const settled = await act(server, `/payments/${settle}/settle`, { note: 'came late' });
    expect(wordsOf(settled.form)).toMatch(
      /86 Diamond × 2 .*The payment of Rp 44,000 will count as payment for .*Total of the order Rp 44,000 .*Accept Rp 44,000/,
    );
    expect(wordsOf(await look(server, `/orders/${late}`))).toMatch(
      /Payment accepted by an operator [\d:]+ · console .* came late/,
    );
    const accepted = await act(server, `/payments/${giveBack}/return`, { note: 'by transfer 7781' });
    expect(wordsOf(accepted.form)).toMatch(
      /will be recorded as returned to the customer. .*Mark Rp 43,999 as returned/,
    );
    const again = await send(server, `/payments/${giveBack}/return`, accepted.sent);
    expect([again.status, wordsOf(again).includes('is already returned.')]).toEqual([409, true]);
    expect(wordsOf(await look(server, '/payments'))).toContain('All payments match their orders.');
    const closed = wordsOf(await look(server, '/payments?closed=1'));
    expect(closed).toMatch(/returned .* console, .* by transfer 7781/);
  });

  it('accepts another amount with a form that shows the missing part', async () => {
    await using server = await startSandbox();
    const orderId = await story(server, ['pay-wrong-amount']);
    const [, id = ''] =
      /payments\/([^/]+)\/settle/.exec((await look(server, `/orders/${orderId}`)).text) ?? [];
    const { form } = await act(server, `/payments/${id}/settle`, { note: 'close enough' });
    expect(wordsOf(form)).toMatch(
      /That is Rp 1 less than its total. You lose the missing amount. .*Amount Rp 43,999 Total of the order Rp 44,000 .*Accept Rp 43,999/,
    );
    expect(wordsOf(await look(server, `/orders/${orderId}`))).toContain('PAID / Proses');
  });

  it('requires an order id for a payment without a known order', async () => {
    await using server = await startSandbox();
    const orderId = await story(server, ['pay-unknown']);
    const [, id = ''] = /payments\/([^/]+)\/settle/.exec((await look(server, '/payments')).text) ?? [];
    const missing = await act(server, `/payments/${id}/settle`, { note: 'whose?' });
    expect([missing.done.status, wordsOf(missing.done)]).toEqual([
      400,
      expect.stringContaining('Fill in: Order id'),
    ]);
    const unknown = await act(server, `/payments/${id}/settle`, { order: 'inv-1', note: 'kept note' });
    expect(wordsOf(unknown.done)).toContain('There is no order INV-1. Enter its full id');
    expect(unknown.done.text).toContain('kept note');
    await act(server, `/payments/${id}/settle`, { order: orderId.toLowerCase(), note: 'its sender called' });
    expect(wordsOf(await look(server, `/orders/${orderId}`))).toContain('PAID / Proses');
  });

  it.each([
    ['paid', 'paid', 'Reference 7781'],
    ['cancel', 'cancelled', 'Because 7781'],
  ])('marks a refund as %s, once', async (action, state, shown) => {
    await using live = await startConsole();
    await live.store.placeOrder(place(another('A')));
    await live.store.changeOrder(change({ entry: entry(), units: [unit(1)], refunds: [refund()] }));
    const cookie = await live.logIn();
    const path = `/refunds/${refund().refundId}/${action}`;
    const sent = { method: 'POST', cookie, headers: sameOrigin } as const;
    const seen = await live.ask(path, { cookie });
    expect(wordsOf(seen)).toContain('Rp 7,334');
    const form = { ...hiddenFields(seen), note: '7781' };
    for (const status of [303, 409]) expect((await live.ask(path, { ...sent, form })).status).toBe(status);
    expect(await live.store.findRefunds(another('A').orderId)).toMatchObject([{ state, closedBy: 'Dewi' }]);
    expect(wordsOf(await live.ask('/payments?closed=1', { cookie }))).toContain(shown);
  });
});

describe('a sandbox', () => {
  it('pays, delivers and expires immediately, with a button for each possible action', async () => {
    await using server = await startSandbox();
    const orderId = await story(server);
    const path = `/orders/${orderId}`;
    const page = await look(server, path);
    expect(page.text).toContain('name="action" value="pay"');
    expect(page.text).not.toContain('name="action" value="deliver"');
    const { token = '' } = hiddenFields(page);
    const done = await send(server, `${path}/sandbox`, { token, from: path, step: 'perform', action: 'pay' });
    expect(done).toMatchObject({ status: 303 });
    const paid = await look(server, path);
    expect(wordsOf(paid)).toContain('PAID / Proses');
    expect(paid.text).toContain('name="action" value="deliver"');
    const twice = await send(server, `${path}/sandbox`, {
      token,
      from: path,
      step: 'perform',
      action: 'pay',
    });
    expect(twice.status).toBe(409);
  });
});

class FullDisk extends StoreError {
  readonly retryAfter = null;
  readonly isReported = true;
}

describe('the page of money that waits for an operator', () => {
  it('sends the store the same number of queries for any number of refunds', async () => {
    const memory = createMemoryStore();
    let asked: string[] = [];
    const store = new Proxy(memory, {
      get(target, name, receiver) {
        asked.push(String(name));
        return Reflect.get(target, name, receiver);
      },
    });
    const [deps] = overStore(store);
    const page = createPaymentsPage(
      { ...deps, position: async () => 0, tabs: () => ({}) },
      createPaymentActions(deps),
    );
    const render = async (): Promise<[questions: number, shown: string]> => {
      asked = [];
      const [, view] = overStore(store);
      const result = await page.render(view, { params: {}, query: {}, cookie: () => undefined });
      if (result === null || result instanceof Response) throw new Error('no page');
      return [asked.length, String(await result.content)];
    };
    const letters = 'ABCD';
    const questions: number[] = [];
    for (const letter of letters) {
      const { orderId } = another(letter);
      await memory.placeOrder(place(another(letter)));
      const contradiction = letter === 'C' ? 'It was delivered after all.' : null;
      const refunds = [refund({ orderId, refundId: `${orderId}-R1` })];
      await memory.changeOrder(change({ orderId, units: [unit(1, { contradiction })], refunds }));
      questions.push((await render())[0]);
    }
    expect(new Set(questions).size).toBe(1);
    const items = (await render())[1].split('class="row bad"').slice(1);
    expect(items.map((item) => item.includes('find out what was delivered first'))).toEqual([
      false,
      false,
      true,
      false,
    ]);
    for (const item of items) expect(item).toContain(order().contact.whatsapp);
  });
});

describe('a store that fails', () => {
  /** Sends a form to a store of which some methods fail. */
  async function sendTo(failing: Partial<Store>): Promise<ActionResult> {
    const memory = createMemoryStore();
    await memory.placeOrder(place(another('A')));
    const [deps, view] = overStore({ ...memory, ...failing });
    const params = { id: another('A').orderId };
    const given = { token: 'token', step: 'perform', version: '1', note: 'what I typed' };
    return runAction(createOrderActions(deps).one.note, { method: 'POST', params, given }, view, deps);
  }
  const fail = async (): Promise<never> => {
    throw new FullDisk('the disk is full');
  };

  it.each<[what: string, failing: Partial<Store>]>([
    ['accepts no changes', { changeOrder: fail }],
    ['does not even respond', { changeOrder: fail, findOrder: fail }],
  ])('keeps the input if a store fails and %s', async (_what, failing) => {
    const result = await sendTo(failing);
    if (!('page' in result)) throw new Error('it was done');
    expect(result.page.status).toBe(503);
    const shown = String(await result.page.content);
    expect(shown).toContain('The store accepts no changes at the moment');
    expect(shown).toContain('what I typed</textarea>');
  });
});
