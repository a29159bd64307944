import { describe, expect, it } from 'vitest';
import { another, order, place } from '../../suites/src/store/fixtures.ts';
import type { RunningServer } from '../src/index.ts';
import { axeViolations, hurryClock, soon, useBrowser } from './helpers/browser.ts';
import { type Answer, ask, hiddenFields, sameOrigin, startConsole, wordsOf } from './helpers/console.ts';
import { happen, story } from './helpers/orders.ts';
import { startSandbox } from './helpers/sandbox.ts';

const english = { 'Accept-Language': 'en' };

const look = (server: RunningServer, path: string): Promise<Answer> =>
  ask(server.consoleUrl + path, { headers: english });

/** The form of an action with several, as the boxes of a list send their ids. */
const choose = (server: RunningServer, path: string, ids: readonly string[]): Promise<Answer> =>
  look(server, `${path}?${new URLSearchParams(ids.map((id) => ['id', id]))}`);

const send = (server: RunningServer, path: string, form: Record<string, string>): Promise<Answer> =>
  ask(server.consoleUrl + path, { method: 'POST', headers: { ...sameOrigin, ...english }, form });

/** What is wanted of each of some orders. */
const stories = (server: RunningServer, count: number, actions: readonly string[]): Promise<string[]> =>
  Promise.all(Array.from({ length: count }, () => story(server, actions)));

const historyOf = async (server: RunningServer, orderId: string): Promise<string> =>
  wordsOf(await look(server, `/orders/${orderId}`));

describe('orders that are selected in a list', () => {
  it("refunds each selected order's owed amount together, after showing the number and the total", async () => {
    await using server = await startSandbox();
    const ids = await stories(server, 3, ['pay', 'fail-delivery']);
    const form = await choose(server, '/orders/refund', ids);
    expect(wordsOf(form)).toMatch(/3 of 3 Rp 132,000 .*You send the money yourself.*Refund Rp 132,000 Back/);
    const done = await send(server, '/orders/refund', { ...hiddenFields(form), note: 'outage' });
    expect([done.status, wordsOf(done)]).toEqual([200, expect.stringContaining('Refund: 3 of 3')]);
    for (const id of ids) expect(await historyOf(server, id)).toMatch(/Refunded .* outage/);
    expect(wordsOf(done).match(/Rp 44,000/g)).toHaveLength(3);
    expect(wordsOf(done)).not.toContain('Rp 0');
    // What is owed is not done: the refunds are still to be paid.
    expect(wordsOf(done).match(/Refund to pay/g)).toHaveLength(3);
    expect(wordsOf(await look(server, '/payments'))).toContain('Rp 132,000 refunds to pay');
  });

  it('retries the selected orders for which a retry is possible, and names the other orders with the reason', async () => {
    await using server = await startSandbox();
    const failed = await story(server, ['pay', 'fail-delivery']);
    const unpaid = await story(server);
    const form = await choose(server, '/orders/retry', [unpaid, failed]);
    expect(wordsOf(form)).toMatch(
      /1 of 2 Rp 44,000 .*Failed 86 Diamond × 2 .*Not possible for: .*Waiting for payment .*does not allow this: UNPAID \/ Pending\. .*Retry 1 Back/,
    );
    const done = await send(server, '/orders/retry', { ...hiddenFields(form), note: 'again' });
    expect(wordsOf(done)).toContain('Retry: 1 of 1');
    expect(await historyOf(server, failed)).toMatch(/Retried .* again/);
  });

  it('shows no button if no selected order allows the action, and says when no order is selected', async () => {
    await using server = await startSandbox();
    const unpaid = await story(server);
    const form = await choose(server, '/orders/retry', [unpaid]);
    expect(form.text).not.toContain('<button class="main">');
    const none = await look(server, '/orders/retry');
    expect([none.status, wordsOf(none)]).toEqual([409, expect.stringContaining('Select at least one row')]);
  });

  it('acts only once when a form is sent twice, and gives the reason for each order', async () => {
    await using server = await startSandbox();
    const ids = await stories(server, 2, ['pay', 'fail-delivery']);
    for (const action of ['note', 'refund']) {
      const path = `/orders/${action}`;
      const sent = { ...hiddenFields(await choose(server, path, ids)), note: 'once' };
      expect((await send(server, path, sent)).status).toBe(200);
      const again = await send(server, path, sent);
      expect([again.status, wordsOf(again)]).toEqual([409, expect.stringContaining(': 0 of 2')]);
      expect(wordsOf(again).match(/The order has changed since this page was opened/g)).toHaveLength(2);
    }
    for (const id of ids) {
      const words = await historyOf(server, id);
      expect(words.match(/Note [\d:]+ ·/g)).toHaveLength(1);
      expect(words.match(/Refunded [\d:]+ ·/g)).toHaveLength(1);
    }
  });

  it('skips an order that changed in the meantime, and continues with the other orders', async () => {
    await using server = await startSandbox();
    const [one = '', other = ''] = await stories(server, 2, ['pay', 'lose-delivery']);
    const form = await choose(server, '/orders/mark', [one, other]);
    expect(wordsOf(form)).toContain('Mark 2 as not delivered');
    await happen(server, { order_id: one }, 'deliver');
    expect(form.text.match(/name="outcome" required value="\w+">/g)).toHaveLength(2);
    const sent = { ...hiddenFields(form), note: 'asked them' };
    const unknown = await send(server, '/orders/mark', sent);
    expect([unknown.status, wordsOf(unknown)]).toEqual([
      400,
      expect.stringContaining('Fill in: What you found out.'),
    ]);
    const done = await send(server, '/orders/mark', { ...sent, outcome: 'failed' });
    expect(wordsOf(done)).toMatch(/Mark: 1 of 2 .*The order has changed/);
    expect(await historyOf(server, one)).toContain('PAID / Sukses');
    expect(await historyOf(server, other)).toContain('PAID / Gagal');
  });

  it('never marks selected orders as failed together if at least one of them was delivered', async () => {
    await using server = await startSandbox();
    const delivered = await story(server, ['pay', 'deliver']);
    const form = await choose(server, '/orders/mark', [delivered]);
    expect(wordsOf(form)).toContain('This order was delivered: mark it on its own page.');
  });

  it('limits a form to the rows of a list, and says how many rows are missing', async () => {
    await using live = await startConsole();
    const cookie = await live.logIn();
    const ids = Array.from(
      { length: 201 },
      (_, index) => `INV-20260328100000-${String(index).padStart(8, 'A')}`,
    );
    for (const orderId of ids) {
      const payment = { ...order().payment, reference: orderId };
      await live.store.placeOrder(place(order({ orderId, payment })));
    }
    const form = async (chosen: readonly string[]): Promise<string> =>
      wordsOf(
        await live.ask(`/orders/note?${new URLSearchParams(chosen.map((id) => ['id', id]))}`, { cookie }),
      );
    const whole = await form(ids.slice(1));
    expect([whole, whole.includes('left out')]).toEqual([expect.stringContaining('200 of 200'), false]);
    expect(await form(ids)).toMatch(/200 of 200 .*Select the remaining ones again later: 1 /);
  });

  it('shows no checkboxes to read-only visitors', async () => {
    await using live = await startConsole({ TOPUP_CONSOLE: 'read' });
    const cookie = await live.logIn();
    expect((await live.ask('/orders', { cookie })).text).not.toContain('type="checkbox"');
    expect((await live.ask('/orders/refund?id=x', { cookie })).status).toBe(403);
  });

  it('logs all ids of selected orders', async () => {
    await using live = await startConsole();
    const cookie = await live.logIn();
    const ids = ['A', 'B'].map((letter) => another(letter).orderId);
    for (const letter of ['A', 'B']) await live.store.placeOrder(place(another(letter)));
    const path = `/orders/note?id=${ids[0]}&id=${ids[1]}`;
    const form = { ...hiddenFields(await live.ask(path, { cookie })), note: 'called both' };
    await live.ask('/orders/note', { method: 'POST', cookie, headers: sameOrigin, form });
    const logged = live.lines.map((line) => JSON.parse(line)).find(({ action }) => action === '/orders/note');
    expect(logged).toMatchObject({ operator: 'Dewi', note: 'called both' });
    for (const id of ids) expect(logged.about.id).toContain(id);
  });
});

describe('refunds that are selected in a list', () => {
  it('marks selected refunds as paid together, once', async () => {
    await using server = await startSandbox();
    const ids = await stories(server, 2, ['pay', 'fail-delivery']);
    const refund = await choose(server, '/orders/refund', ids);
    await send(server, '/orders/refund', { ...hiddenFields(refund), note: 'outage' });
    const refunds = ids.map((id) => `${id}-R1`);
    const form = await choose(server, '/refunds/paid', refunds);
    expect(wordsOf(form)).toMatch(
      /2 of 2 Rp 88,000 .*86 Diamond × 2 Mobile Legends: Bang Bang · 0812345678\d+ .*Rp 44,000 .*Mark Rp 88,000 as paid/,
    );
    const sent = { ...hiddenFields(form), note: 'TRX-77' };
    expect(wordsOf(await send(server, '/refunds/paid', sent))).toContain('Mark as paid: 2 of 2');
    const again = await send(server, '/refunds/paid', { ...sent, note: 'TRX-78' });
    expect([again.status, wordsOf(again).match(/is already paid/g)]).toEqual([409, expect.any(Array)]);
    expect(wordsOf(await look(server, '/payments?closed=1'))).not.toContain('TRX-78');
    expect(wordsOf(await look(server, '/orders'))).not.toContain('Refund to pay');
  });
});

describe('in a real browser, an operator', () => {
  const browser = useBrowser();
  const desktop = { locale: 'en', viewport: { width: 1440, height: 900 }, bypassCSP: true } as const;

  it('solves seven failed orders of one outage in eight clicks', async () => {
    await using server = await browser.startSandbox();
    await stories(server, 7, ['pay', 'lose-delivery']);
    const { page } = await browser.open(`${server.consoleUrl}`, desktop);
    let clicks = 0;
    const click = async (role: 'link' | 'button' | 'radio', name: string | RegExp): Promise<void> => {
      clicks += 1;
      await page.getByRole(role, { name, exact: true }).and(page.locator(':visible')).first().click();
    };
    // Who writes why has no need of a click.
    const why = (text: string): Promise<void> => page.getByRole('textbox').last().fill(text);
    await click('link', 'Resolve');
    await page.getByText('7 chosen').or(page.locator('.bulk')).first().waitFor(soon);
    await click('button', 'Mark');
    await page.getByRole('dialog').waitFor(soon);
    expect(await axeViolations(page)).toEqual([]);
    await click('radio', 'not delivered');
    await why('the supplier says so');
    await click('button', 'Mark 7 as not delivered');
    await page.getByText(': 7 of 7').waitFor(soon);
    await click('link', 'Refund');
    await page.getByRole('dialog').waitFor(soon);
    await why('outage');
    await click('button', 'Refund Rp 308,000');
    await page.getByText(': 7 of 7').waitFor(soon);
    await click('link', 'Mark as paid');
    await page.getByRole('dialog').waitFor(soon);
    await why('TRX-1 to TRX-7');
    await click('button', 'Mark Rp 308,000 as paid');
    // Until then the page still says what the refund did.
    await page.getByRole('dialog').waitFor({ ...soon, state: 'detached' });
    await page.getByText(': 7 of 7').waitFor(soon);
    expect(clicks).toBeLessThanOrEqual(8);
    await page.goto(`${server.consoleUrl}`);
    await page.getByText('No open work.').waitFor(soon);
  });

  it('sees the results of retried orders without reloading the page', async () => {
    await using server = await browser.startSandbox();
    const [orderId = ''] = await stories(server, 2, ['pay', 'fail-delivery']);
    const { page } = await browser.open(`${server.consoleUrl}/orders?choose=all`, desktop);
    await page.locator('.bulk').getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('dialog').getByRole('textbox').last().fill('again');
    await page.getByRole('button', { name: 'Retry 2' }).click();
    await page.getByText('Retry: 2 of 2').waitFor(soon);
    await hurryClock(page);
    await happen(server, { order_id: orderId }, 'deliver');
    await page.locator(`#now-${orderId}`).getByText('Delivered').waitFor({ timeout: 30_000 });
  });

  it('refunds an order in three clicks, with a dialog that shows the amount on its button', async () => {
    await using server = await browser.startSandbox();
    const orderId = await story(server, ['pay', 'fail-delivery']);
    const { page, complaints } = await browser.open(`${server.consoleUrl}`, desktop);
    await page.getByRole('link', { name: 'Resolve' }).click();
    await page.getByRole('link', { name: 'Refund', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Refund' });
    await dialog.waitFor(soon);
    await dialog.getByRole('radio', { name: 'another amount' }).check();
    expect(await dialog.getByRole('button', { name: 'Refund this amount' }).isVisible()).toBe(true);
    await dialog.getByRole('radio', { name: /what was not delivered/ }).check();
    await dialog.getByRole('textbox').last().fill('sold out');
    await dialog.getByRole('button', { name: 'Refund Rp 44,000' }).click();
    await page.locator('#order-head').getByText('Refund to pay').waitFor(soon);
    expect(new URL(page.url()).pathname).toMatch(new RegExp(`/orders/${orderId}$`));
    expect(complaints).toEqual([]);
  });

  it('returns from a dialog to the unchanged list with its selection', async () => {
    await using server = await browser.startSandbox();
    await stories(server, 2, ['pay', 'fail-delivery']);
    const { page } = await browser.open(`${server.consoleUrl}/orders`, desktop);
    await page.getByRole('checkbox', { name: 'Choose all' }).check();
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('dialog').waitFor(soon);
    await page.getByRole('link', { name: 'Back' }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden', ...soon });
    expect(await page.locator('tbody :checked').count()).toBe(2);
  });

  it('selects orders on a phone, and without JavaScript', async () => {
    await using server = await browser.startSandbox();
    const orderId = await story(server, ['pay', 'fail-delivery']);
    const { page } = await browser.open(`${server.consoleUrl}/orders`, {
      ...{ locale: 'en', javaScriptEnabled: false, viewport: { width: 390, height: 844 } },
    });
    const box = page.getByRole('checkbox', { name: orderId });
    expect(await box.isVisible()).toBe(false);
    await page.getByText('Choose').click();
    await box.check();
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('textbox').last().fill('stock is back');
    await page.getByRole('button', { name: 'Retry 1' }).click();
    await page.getByText('Retry: 1 of 1').waitFor(soon);
  });
});
