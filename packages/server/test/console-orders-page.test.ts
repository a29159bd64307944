import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ownClipboard } from '../../../test/clipboard.ts';
import { callback } from '../../suites/src/store/callbacks/callback-cases.ts';
import { openStore, type RunningServer } from '../src/index.ts';
import { axeViolations, hurryClock, phoneFaults, soon, useBrowser, usePage } from './helpers/browser.ts';
import { happen, story } from './helpers/orders.ts';
import { temporaryFolder } from './helpers/sandbox.ts';

const { open, startSandbox } = useBrowser();
const english = { locale: 'en', viewport: { width: 1280, height: 900 } } as const;

/** Whether what a browser complains of is about the page itself. A question for changes is cut off when its page is left. */
const isOfPage = (text: string): boolean => !/favicon\.ico|\/console\/live\?\S* failed$/.test(text);

describe('each page of orders', () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startSandbox();
  });
  afterAll(() => server.close());
  const goTo = usePage({ ...english, bypassCSP: true });

  async function expectFitting(page: Page): Promise<void> {
    expect(await axeViolations(page)).toEqual([]);
    for (const width of [320, 390, 768, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      expect([width, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([width, width]);
    }
  }

  it.each<[what: string, actions: string[], path: string]>([
    ['an order that waits for its payment', [], ''],
    ['an order in delivery', ['pay', 'lose-delivery'], ''],
    ['an order that failed', ['pay', 'fail-delivery'], ''],
    [
      'an order that is contradicted and was paid twice',
      ['pay', 'deliver', 'contradict-delivery', 'pay-again'],
      '',
    ],
    ['the form of a mark', ['pay', 'fail-delivery'], '/mark?unit=2'],
    ['the form of a refund', ['pay', 'fail-delivery'], '/refund'],
  ])('shows an order with %s accessibly, light and dark, at each width', async (_what, actions, path) => {
    const orderId = await story(server, actions);
    const { page, complaints } = await goTo(`${server.consoleUrl}/orders/${orderId}${path}`);
    expect(await phoneFaults(page)).toEqual([]);
    await page.setViewportSize(english.viewport);
    await expectFitting(page);
    expect(complaints.filter(isOfPage)).toEqual([]);
  });

  it.each(['/payments', '/orders?payment=PAID&since=2026-01-01'])(
    'shows %s accessibly at each width',
    async (path) => {
      await story(server, ['expire', 'pay-late']);
      await story(server, ['pay', 'fail-delivery']);
      const { page } = await goTo(`${server.consoleUrl}${path}`);
      await page.setViewportSize(english.viewport);
      await expectFitting(page);
    },
  );
});

describe('the pages of orders', () => {
  it('can be used with the keyboard', async () => {
    await using server = await startSandbox();
    const older = await story(server);
    await story(server);
    const { page } = await open(`${server.consoleUrl}/orders`, english);
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/console/orders/${older}`);
    await page.keyboard.press('/');
    await page.keyboard.type(older.slice(-8));
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/console/orders/${older}`);
  });

  it('refreshes a row in place, and offers new orders without moving the other rows', async () => {
    await using server = await startSandbox();
    const orderId = await story(server);
    const { page, complaints } = await open(`${server.consoleUrl}/orders`, english);
    const other = await story(server);
    await page.getByText('Show new orders: 1').waitFor();
    expect(await page.locator('main tr.row').count()).toBe(1);
    await happen(server, { order_id: orderId }, 'pay');
    await expect.poll(() => page.locator(`#order-${orderId}`).textContent(), soon).toContain('In delivery');
    await page.getByText('Show new orders: 1').click();
    await page.locator(`#order-${other}`).waitFor();
    expect(complaints.filter(isOfPage)).toEqual([]);
  });

  it('shows an order in a filtered list that was placed right after the list was read', async () => {
    await using server = await startSandbox();
    const { page } = await open(`${server.consoleUrl}/orders?payment=UNPAID`, english);
    // A page is also renewed by its age, but this one not within the test.
    await page.evaluate("document.body.dataset.every = '1000'");
    await hurryClock(page);
    const orderId = await story(server);
    await page.locator(`#order-${orderId}`).waitFor(soon);
  });

  it('shows the message of an action once, and not after a reload', async () => {
    await using server = await startSandbox();
    const orderId = await story(server);
    const { page } = await open(`${server.consoleUrl}/orders/${orderId}`, english);
    await page.getByRole('button', { name: 'Pay', exact: true }).click();
    await page.getByText('Done: Sandbox').waitFor();
    await page.reload();
    await page.locator('#order-head').waitFor();
    expect(await page.getByText('Done: Sandbox').count()).toBe(0);
  });

  it('refreshes an order when it changes, with the buttons of its new state', async () => {
    await using server = await startSandbox();
    const orderId = await story(server);
    const { page } = await open(`${server.consoleUrl}/orders/${orderId}`, english);
    await page.getByRole('button', { name: 'Deliver', exact: true }).waitFor({ state: 'detached' });
    await happen(server, { order_id: orderId }, 'pay');
    await page.getByRole('button', { name: 'Deliver', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Deliver', exact: true }).click();
    await page.getByText('Done: Sandbox').waitFor();
    expect(await page.locator('#order-head').textContent()).toContain('PAID / Sukses');
  });

  it('keeps opened parts open after a refresh', async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'topup.db');
    await using server = await startSandbox({ TOPUP_STORE: `file:${path}` });
    const orderId = await story(server);
    const store = openStore({ kind: 'file', path });
    await store.addCallback(callback({ orderId, receivedAt: Date.now() }));
    await store.close();
    const { page, complaints } = await open(`${server.consoleUrl}/orders/${orderId}`, english);
    await page.getByText('Raw body').click();
    await page.getByText('x-callback-signature').waitFor();
    await happen(server, { order_id: orderId }, 'pay');
    await expect.poll(() => page.locator('#order-head').textContent(), soon).toContain('PAID / Proses');
    expect(await page.locator('#order-story').textContent()).toContain('UNPAID / Pending → PAID / Proses');
    expect(await page.getByText('x-callback-signature').isVisible()).toBe(true);
    expect(complaints.filter(isOfPage)).toEqual([]);
  });

  it('refreshes more often while an order is in delivery', async () => {
    await using server = await startSandbox();
    const [delivered, delivering] = [
      await story(server, ['pay', 'deliver']),
      await story(server, ['pay', 'lose-delivery']),
    ];
    const { page } = await open(`${server.consoleUrl}/orders/${delivering}`, english);
    expect(await page.locator('body').getAttribute('data-every')).toBe('5');
    await page.goto(`${server.consoleUrl}/orders/${delivered}`);
    expect(await page.locator('body').getAttribute('data-every')).toBe('30');
  });

  it("copies an order's id", async () => {
    await using server = await startSandbox();
    const orderId = await story(server);
    const { page } = await open(`${server.consoleUrl}/orders/${orderId}`, {
      ...english,
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const copied = await ownClipboard(page);
    await page.getByRole('button', { name: 'Copy the id' }).click();
    await expect.poll(copied, soon).toBe(orderId);
  });

  it('retries an order without JavaScript', async () => {
    await using server = await startSandbox();
    const orderId = await story(server, ['pay', 'fail-delivery']);
    const { page } = await open(`${server.consoleUrl}/orders/${orderId}`, {
      ...english,
      javaScriptEnabled: false,
      hurried: false,
    });
    await page.getByRole('link', { name: 'Retry' }).click();
    await page.getByLabel('Why').fill('stock is back\nsince noon');
    expect(await page.getByText('Highest cost of an item').count()).toBe(1);
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.waitForURL(`**/console/orders/${orderId}?*`);
    // How the order is, not that something was done.
    expect(await page.getByRole('status').filter({ hasText: '86 Diamond' }).textContent()).toMatch(
      /In delivery|Delivered/,
    );
    expect(await page.locator('#order-story').textContent()).toContain('stock is back');
    expect(await page.evaluate("document.querySelector('.note').innerText")).toBe(
      'stock is back\nsince noon',
    );
  });
});
