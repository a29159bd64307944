import type { ConformanceTarget } from '@topup-kit/conformance';
import type { CreateOrderResponse } from '@topup-kit/core/contract';
import { createMockService } from '@topup-kit/mock/in-process';
import { type MockService, mockTopup, topupFixtures } from '@topup-kit/mock/playwright';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { connectBrowser } from '../../../server/test/helpers/browser.ts';
import { sampleOrder } from '../helpers/shop.ts';
import { recordJourney } from './journey.ts';
import { mockTarget } from './mock-target.ts';
import { normalise } from './normalise.ts';

const app = 'https://shop.test';

let browser: Browser;
let context: BrowserContext;
let page: Page;
beforeAll(async () => {
  browser = await connectBrowser();
}, 30_000);
beforeEach(async () => {
  context = await browser.newContext();
  page = await context.newPage();
  vi.spyOn(console, 'warn').mockImplementation(() => {});
});
afterEach(async () => {
  await context.close();
  vi.restoreAllMocks();
});
afterAll(() => browser?.close());

/** Opens the app, which is an empty page. */
async function openApp(opened: Page = page): Promise<void> {
  const html = '<!doctype html><link rel="icon" href="data:,"><title>Shop</title>';
  await opened.route(`${app}/`, (route) => route.fulfill({ contentType: 'text/html', body: html }));
  await opened.goto(app);
}

interface Received {
  status: number;
  headers: [string, string][];
  body: string;
}

interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** Sends a request from a page by its own fetch. */
const sendFrom = (sender: Page, url: string, sent: Sent = {}): Promise<Received> =>
  sender.evaluate(
    async ([to, { body = null, ...init }]) => {
      const response = await fetch(to, { ...init, body });
      return { status: response.status, headers: [...response.headers], body: await response.text() };
    },
    [url, sent] as const,
  );

/** Places an order from a page. */
async function order(sender: Page, { baseUrl, apiKey }: MockService): Promise<CreateOrderResponse> {
  const headers = { 'X-API-KEY': apiKey, 'Content-Type': 'application/json' };
  const body = JSON.stringify(sampleOrder);
  return JSON.parse((await sendFrom(sender, `${baseUrl}/order`, { method: 'POST', headers, body })).body);
}

async function paymentStatus(sender: Page, { baseUrl, apiKey }: MockService, id: string): Promise<string> {
  const headers = { 'X-API-KEY': apiKey };
  const { body } = await sendFrom(sender, `${baseUrl}/invoice/${id}/payment-status`, { headers });
  return JSON.parse(body).data.payment_status;
}

it("responds to a page's whole journey as in-process, except ids and times", async () => {
  const inProcess = createMockService();
  const expected = await recordJourney(mockTarget(inProcess, inProcess.fetch));
  const mock = await mockTopup(page, { baseUrl: `${app}/api` });
  await openApp();
  const fetchInPage: ConformanceTarget['fetch'] = async (url, init) => {
    // Safe: the journey sends plain headers and texts.
    const { status, headers, body } = await sendFrom(page, String(url), init as Sent);
    return new Response(body, { status, headers });
  };

  const received = await recordJourney(mockTarget(mock, fetchInPage));

  expect(normalise(received, mock.baseUrl)).toEqual(normalise(expected, inProcess.baseUrl));
});

it("offers the service's controls for payments, clock and requests", async () => {
  const mock = await mockTopup(page, { baseUrl: `${app}/api` });
  await openApp();
  const [paid, expired] = [await order(page, mock), await order(page, mock)];

  await mock.orders.pay(paid.orderId);
  await mock.clock.advance('31m');

  expect(await paymentStatus(page, mock, paid.orderId)).toBe('PAID');
  expect(await paymentStatus(page, mock, expired.orderId)).toBe('EXPIRED');
  expect(mock.requests.map(({ operation }) => operation)).toEqual([
    'createOrder',
    'createOrder',
    'getPaymentStatus',
    'getPaymentStatus',
  ]);
});

it('responds to a page from another origin, which may read the headers', async () => {
  const mock = await mockTopup(page, { baseUrl: 'https://api.test' });
  await openApp();

  const { status, headers } = await sendFrom(page, `${mock.baseUrl}/games`, {
    headers: { 'X-API-KEY': mock.apiKey },
  });

  expect(status).toBe(200);
  expect(Object.fromEntries(headers)).toHaveProperty('x-request-id');
});

/** Whether a page can show a picture. */
const draws = (page: Page, url: string): Promise<boolean> =>
  page.evaluate((src) => {
    const image = Object.assign(new Image(), { src });
    return image.decode().then(
      () => true,
      () => false,
    );
  }, url);

it('draws the pictures of responses, and leaves other files in their folders to the app', async () => {
  await page.route(`${app}/assets/games/own.txt`, (route) => route.fulfill({ body: 'of the app' }));
  const mock = await mockTopup(page, { baseUrl: `${app}/api` });
  await openApp();
  const { data } = await order(page, mock);

  expect(await draws(page, `${app}/assets/games/mobile-legends.svg`)).toBe(true);
  expect(await draws(page, String(data.qr_url))).toBe(true);
  expect((await sendFrom(page, `${app}/assets/games/own.txt`)).body).toBe('of the app');
});

it("cuts the page's connection in the scenario offline", async () => {
  const mock = await mockTopup(page, { baseUrl: `${app}/api`, scenario: 'offline' });
  await openApp();

  await expect(sendFrom(page, `${mock.baseUrl}/games`)).rejects.toThrow('Failed to fetch');
});

it.each([
  ['closes', () => page.close()],
  ['closes with its context', () => context.close()],
  ['is left', () => page.reload()],
  ['no longer waits', () => page.evaluate('stop.abort()')],
])('fails quietly if the page %s before the response', async (_how, leave) => {
  const mock = await mockTopup(page, { baseUrl: `${app}/api`, latency: 100 });
  await openApp();
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  await page.evaluate(`
    globalThis.stop = new AbortController();
    void fetch('/api/games', { signal: stop.signal }).catch(() => {});
  `);
  await vi.waitFor(() => expect(mock.requests).toHaveLength(1));

  await leave();

  await vi.waitFor(() => expect(mock.requests[0]?.status).not.toBeNull());
  await new Promise((resolve) => setTimeout(resolve, 50));
  process.off('unhandledRejection', unhandled);
  expect(unhandled).not.toHaveBeenCalled();
});

it('gives all pages of a context the same service, and another context a separate service', async () => {
  const mock = await mockTopup(context, { baseUrl: `${app}/api` });
  await openApp();
  const { orderId } = await order(page, mock);
  const second = await context.newPage();
  await openApp(second);
  await using otherContext = await browser.newContext();
  const other = await mockTopup(otherContext, { baseUrl: `${app}/api` });
  const third = await otherContext.newPage();
  await openApp(third);

  expect(await paymentStatus(second, mock, orderId)).toBe('UNPAID');
  await expect(paymentStatus(third, other, orderId)).rejects.toThrow();
  expect(other.requests).toMatchObject([{ status: 404 }]);
});

it('lets the page open a payment page of the app', async () => {
  const mock = await mockTopup(page, {
    baseUrl: `${app}/api`,
    paymentUrl: (reference) => `/bank?reference=${reference}`,
  });
  await page.route(`${app}/bank?*`, (route) => route.fulfill({ contentType: 'text/html', body: 'Bank' }));
  await openApp();
  const { data } = await order(page, mock);

  await page.goto(data.payment_url);

  expect(await page.textContent('body')).toBe('Bank');
});

it('rejects an unknown option by name', async () => {
  // @ts-expect-error -- the compiler rejects it too
  await expect(mockTopup(page, { baseURL: app })).rejects.toThrow('Did you mean baseUrl?');
});

it("resolves the service's path against the app's address in a fixture", async () => {
  const [fixture] = topupFixtures.mock;
  const mockOptions = { baseUrl: '/api', seed: 7 };
  const use = vi.fn(async ({ baseUrl, seed }: MockService) => {
    expect({ baseUrl, seed }).toEqual({ baseUrl: `${app}/api`, seed: 7 });
  });

  await fixture({ context, baseURL: app, mockOptions }, use);

  expect(use).toHaveBeenCalledOnce();
});
