import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { readConfig, startServer } from '@topup-kit/server';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { shop } from './rendered-shop.ts';

const running = new AsyncDisposableStack();
let shopUrl: string;
let sandboxUrl: string;

beforeAll(async () => {
  const settings = { TOPUP_MODE: 'sandbox', TOPUP_STORE: 'memory:', PORT: '0', TOPUP_LOG_LEVEL: 'silent' };
  const server = running.use(await startServer(readConfig(settings)));
  vi.stubEnv('TOPUP_BASE_URL', server.baseUrl);
  vi.stubEnv('TOPUP_API_KEY', server.sandboxKey ?? '');
  sandboxUrl = `${server.localUrl}/sandbox`;
  shop.listen(0, '127.0.0.1');
  await once(shop, 'listening');
  running.defer(() => void shop.close());
  // Safe: it listens on a port.
  shopUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await running.disposeAsync();
});

/** Opens a browser that tests one page: with the header of Playwright, or with the cookie of Cypress. */
function openBrowser(world: string, how: 'header' | 'cookie') {
  const headers: Record<string, string> =
    how === 'header' ? { 'X-Topup-World': world } : { Cookie: `theme=dark; topup_world=${world}` };
  return {
    visit: async (path: string) => (await fetch(shopUrl + path, { headers })).text(),
    control: async (path: string, body: object = {}) => {
      const init = { method: 'POST', body: JSON.stringify(body) };
      const json = { 'Content-Type': 'application/json', 'X-Topup-World': world };
      expect((await fetch(sandboxUrl + path, { ...init, headers: json })).status).toBe(200);
    },
  };
}

/** Actions of a test in its world, and the text that its page then shows. Each entry is a separate story. */
const stories = [
  {
    control: (orderId: string) => [[`/orders/${orderId}/pay`], ['/advance', { by: '2s' }]] as const,
    shows: 'PAID Sukses',
  },
  { control: () => [['/advance', { by: '31m' }]] as const, shows: 'EXPIRED Batal' },
  { control: (orderId: string) => [[`/orders/${orderId}/fail`]] as const, shows: 'FAILED Batal' },
  {
    control: () => [['/add-fault', { error: 'UNAVAILABLE', operation: 'getPaymentStatus' }]] as const,
    shows: 'UNAVAILABLE',
  },
];

it('gives 20 parallel tests separate orders, faults and clocks in one rendering server', async () => {
  const tests = Array.from({ length: 20 }, async (_, number) => {
    const browser = openBrowser(`test-${number}`, number % 2 === 0 ? 'header' : 'cookie');
    const story = stories[number % stories.length];
    const orderId = await browser.visit('/buy');
    expect(await browser.visit(`/${orderId}`)).toBe('UNPAID Pending');
    for (const [path, body] of story?.control(orderId) ?? []) await browser.control(path, body);
    expect(await browser.visit(`/${orderId}`)).toBe(story?.shows);
    const neighbour = openBrowser(`test-${(number + 4) % 20}`, 'header');
    const seenByNeighbour = await neighbour.visit(`/${orderId}`);
    return { orderId, seenByNeighbour };
  });
  const seen = await Promise.all(tests);

  expect(new Set(seen.map(({ orderId }) => orderId)).size).toBe(20);
  const crossings = seen.filter(({ seenByNeighbour }) => /^[A-Z]+ /.test(seenByNeighbour));
  expect(crossings).toEqual([]);
});

it('gives a visitor without a world the first world', async () => {
  const orderId = await (await fetch(`${shopUrl}/buy`)).text();
  expect(await openBrowser('another', 'header').visit(`/${orderId}`)).toBe('INVOICE_NOT_FOUND');
  expect(await (await fetch(`${shopUrl}/${orderId}`)).text()).toBe('UNPAID Pending');
});

it.each([
  ['ts', 'rendered-shop.ts'],
  ['ts', '../recipes/next/world.ts'],
  ['ts', '../recipes/next/app/topup.ts'],
])('docs/rendered-pages.md shows the %s of %s as it is', async (language, file) => {
  const page = await readFile(new URL('../../docs/rendered-pages.md', import.meta.url), 'utf8');
  const code = await readFile(new URL(file, import.meta.url), 'utf8');
  expect(page).toContain(`\`\`\`${language}\n${code}\`\`\``);
});
