import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { soon, useBrowser } from './helpers/browser.ts';
import { happen, placeOrder } from './helpers/orders.ts';
import { temporaryFolder } from './helpers/sandbox.ts';
import { usePostgres } from './helpers/shared-postgres.ts';
import { fillDisk, startOnSmallDisk } from './helpers/small-disk.ts';

const browser = useBrowser();
const postgres = usePostgres();
const english = { locale: 'en' } as const;
const setPrice = '/catalog/products/ML86/set-price';

async function fillForm(page: Page): Promise<void> {
  await page.getByLabel('New price').fill('23000');
  await page.getByLabel('Why').fill('a new list');
}

const click = (page: Page, name: string): Promise<void> => page.getByRole('button', { name }).click();

/** Waits for a form that says why nothing was done, and expects that what was typed is still there. */
async function expectFormKept(page: Page, problem: string): Promise<void> {
  await page.getByRole('alert').filter({ hasText: problem }).waitFor(soon);
  expect(await page.getByLabel('New price').inputValue()).toBe('23000');
  expect(await page.getByLabel('Why').inputValue()).toBe('a new list');
}

/** Sends a filled form, which sets the price. */
async function confirm(page: Page): Promise<void> {
  await click(page, 'Set price');
}

/** Confirms while the store accepts no changes, and once more when it does again. */
async function confirmTwice(page: Page, recover: () => Promise<void>): Promise<void> {
  await fillForm(page);
  await confirm(page);
  await expectFormKept(page, 'The store accepts no changes at the moment, so nothing was done.');
  await recover();
  await confirm(page);
  await page.getByRole('cell', { name: 'Rp 23,000' }).first().waitFor(soon);
}

const catalogLink = '?from=%2Fcatalog%3Fq%3DML86';

it("reports an ended session on the form's page, and keeps the form", async () => {
  await using live = await browser.startConsole();
  const at = `${live.server.localUrl}/console`;
  const { page } = await browser.open(at + (await live.newLink()), english);
  await click(page, 'Log in as');
  await page.getByRole('button', { name: 'account and help' }).waitFor(soon);
  await page.goto(`${at}${setPrice}${catalogLink}`);
  await fillForm(page);
  await live.store.endConsoleSessions();
  await click(page, 'Set price');
  await page.getByText('Your session has ended').waitFor(soon);

  const other = await page.context().newPage();
  await other.goto(at + (await live.newLink()));
  await click(other, 'Log in as');
  await other.getByRole('button', { name: 'account and help' }).waitFor(soon);
  await click(page, 'Set price');
  await expectFormKept(page, 'This page was out of date, so nothing was done yet.');
  await confirm(page);
  await page.getByRole('cell', { name: 'Rp 23,000' }).first().waitFor(soon);
});

it('reports a full disk for a confirmed action, which succeeds when there is space again', async () => {
  await using folder = await temporaryFolder();
  await using server = await startOnSmallDisk(join(folder.path, 'topup.db'), 640);
  await fillDisk(server);
  const console = new URL('/console', server.baseUrl).href;
  const { page } = await browser.open(`${console}${setPrice}${catalogLink}`, english);
  await confirmTwice(page, async () => {
    server.makeRoom();
    await expect.poll(server.health, soon).toBe(200);
  });
});

it('reports a locked store for a confirmed action, which succeeds when the lock ends', async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'topup.db');
  await using server = await browser.startSandbox({ TOPUP_STORE: `file:${path}` });
  using other = new DatabaseSync(path, { timeout: 1_000 });
  const { page } = await browser.open(`${server.consoleUrl}${setPrice}${catalogLink}`, english);
  other.exec('BEGIN IMMEDIATE');
  await confirmTwice(page, async () => {
    // It is known to be locked, so no page waits for it.
    const begin = performance.now();
    for (const path of ['/orders', '/catalog', '']) await fetch(`${server.consoleUrl}${path}`);
    expect(performance.now() - begin).toBeLessThan(1_500);
    const overview = await page.context().newPage();
    await overview.goto(`${server.consoleUrl}`);
    await overview.getByText('accepts no changes', { exact: true }).waitFor(soon);
    other.exec('ROLLBACK');
    await expect.poll(async () => (await fetch(`${server.localUrl}/health`)).status, soon).toBe(200);
  });
});

it('shows a page immediately while another process locks the store, and soon reports the lock', async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'topup.db');
  await using server = await browser.startSandbox({ TOPUP_STORE: `file:${path}` });
  using other = new DatabaseSync(path, { timeout: 1_000 });
  other.exec('BEGIN IMMEDIATE');
  const begin = performance.now();
  const first = await fetch(`${server.consoleUrl}`);
  expect([first.status, performance.now() - begin < 1_500]).toEqual([200, true]);
  const { page } = await browser.open(`${server.consoleUrl}`, english);
  const notice = page.getByText('The store accepts no changes at the moment.');
  await notice.waitFor(soon);
  other.exec('ROLLBACK');
  await notice.waitFor({ state: 'hidden', ...soon });
});

it('shows the content of PostgreSQL and its changes', async () => {
  await using server = await browser.startSandbox({ TOPUP_STORE: await postgres.newSchema() });
  const order = await placeOrder(server);
  const { page, complaints } = await browser.open(`${server.consoleUrl}`, english);
  for (const path of [
    '/payments',
    '/catalog',
    '/catalog/edits',
    '/catalog/promos',
    '/events',
    '/events/webhooks',
    '/sandbox',
  ]) {
    const response = await page.goto(`${server.consoleUrl}${path}`);
    expect([path, response?.status()]).toEqual([path, 200]);
  }
  await page.goto(`${server.consoleUrl}/orders`);
  await page.locator(`#order-${order.order_id} .open`).click();
  await page.getByRole('heading', { level: 1, name: order.order_id }).waitFor(soon);
  expect(await page.getByText('PAID / Proses').count()).toBe(0);
  await happen(server, order, 'pay');
  await page.getByText('PAID / Proses').first().waitFor(soon);
  // A page that is left does not wait for what it asked last.
  expect(complaints.filter((text) => !text.includes('/console/live'))).toEqual([]);
});
