import { readFile } from 'node:fs/promises';
import { defaultLimits } from '@topup-kit/core/app';
import {
  errors,
  eventTypes,
  operations,
  routes,
  sandboxScenarios,
  testEventType,
} from '@topup-kit/core/contract';
import { sandboxActionRoutes, sandboxWorldRoutes } from '@topup-kit/core/features/sandbox';
import { describe, expect, it } from 'vitest';
import { createApiPage } from '../src/pages/api-page.ts';
import { allRoutes } from './helpers/all-routes.ts';
import { useBrowser, widthsTooNarrow } from './helpers/browser.ts';

const { open, startSandbox } = useBrowser();
const desk = { width: 1280, height: 720 };

describe('the API page', () => {
  it('shows every operation with its fields, errors and sources, in real Chromium of any width', async () => {
    await using server = await startSandbox();
    const { page, complaints, requests } = await open(`${server.publicUrl}/docs#createOrder`, {
      viewport: desk,
    });
    expect(await page.title()).toBe('Game top-up service: API');
    for (const operation of operations) {
      const section = page.locator(`#${operation}`);
      const { method, path, summary, source } = routes[operation];
      const text = await section.textContent();
      for (const shown of [summary, `${method} ${path}`, source, 'UNAUTHORIZED', 'Unauthorized'])
        expect(text).toContain(shown);
    }
    const order = page.locator('#createOrder');
    expect(await order.textContent()).toContain(errors.PROMO_EXPIRED.message.id);
    expect(await order.textContent()).toContain(errors.PROMO_EXPIRED.message.en);
    expect(await order.textContent()).toContain('required: whatsapp or messenger_number');
    await order.getByText('Request body', { exact: true }).click();
    expect(await order.locator('details[open]').getByText('"promo_code": "RAMADAN10"').isVisible()).toBe(
      true,
    );
    await order.getByRole('link', { name: 'CreateOrderRequest' }).first().click();
    expect(await page.locator('.card:visible').textContent()).toContain('messenger_number');
    expect(await page.getByText(server.baseUrl, { exact: true }).isVisible()).toBe(true);
    expect(complaints).toEqual([]);
    expect(requests).toEqual([`${server.publicUrl}/docs`]);
    expect(await widthsTooNarrow(page)).toEqual([]);
  });

  it.each(['', '#contents', '#no-such-operation'])(
    'begins with the rules for all operations on a desktop, even at "%s"',
    async (hash) => {
      await using server = await startSandbox();
      const { page } = await open(`${server.publicUrl}/docs${hash}`, { viewport: desk });
      const cards = page.locator('.card:visible');
      expect(await cards.evaluateAll((all) => all.map(({ id }) => id))).toEqual(['start']);
      expect(await page.locator('nav').isVisible()).toBe(true);
    },
  );

  it.each([true, false])(
    'shows a single operation, event or control route in three phone screens (script: %s)',
    async (javaScriptEnabled) => {
      await using server = await startSandbox();
      const { page } = await open(`${server.publicUrl}/docs`, { javaScriptEnabled });
      const html = await (await fetch(`${server.publicUrl}/docs`)).text();
      const ids = [...html.matchAll(/class="card" id="((?!object-)[^"]+)"/g)].map(([, id = '']) => id);
      expect(ids).toEqual(expect.arrayContaining([...operations, ...eventTypes, 'sandbox-act']));
      const screens = async () => (await page.locator('body').boundingBox())?.height;
      expect(await page.locator('.card:visible').count()).toBe(0);
      expect(await screens()).toBeLessThan(3 * 740);
      for (const id of ids) {
        await page.goto(`${server.publicUrl}/docs#${id}`);
        expect(await page.locator('.card:visible').evaluateAll((cards) => cards.map(({ id }) => id))).toEqual(
          [id],
        );
        expect(await page.locator('nav').isVisible()).toBe(false);
        expect(await screens(), id).toBeLessThan(3 * 740);
      }
      expect(await page.locator('.scripted:visible').count()).toBe(javaScriptEnabled ? 2 : 0);
      await page.getByRole('link', { name: 'Contents' }).last().click();
      expect(await page.locator('nav').isVisible()).toBe(true);
    },
  );

  it('shows every event type with its headers, an example and the responses', async () => {
    await using server = await startSandbox();
    const { page, complaints } = await open(`${server.publicUrl}/docs`, { viewport: desk });
    for (const type of [...eventTypes, testEventType]) {
      const text = await page.locator(`[id="${type}"]`).textContent();
      for (const shown of [type, 'ours', 'webhook-signature', `"type": "${type}"`, '410'])
        expect(text).toContain(shown);
    }
    const failed = page.locator('[id="order.failed"]');
    await page.locator('nav').getByRole('link', { name: 'The payment or the delivery' }).click();
    expect(page.url()).toBe(`${server.publicUrl}/docs#order.failed`);
    await failed.getByText('Request body', { exact: true }).click();
    expect(await failed.getByText('"failure_reason": "account_not_found"').isVisible()).toBe(true);
    await failed.getByRole('link', { name: 'OrderEventBody' }).click();
    expect(await page.locator('#object-OrderEventBody').textContent()).toContain('timestamp');
    expect(await page.locator('#object-OrderEventData').textContent()).toContain('InvoiceOrder');
    expect(complaints).toEqual([]);
    expect(await widthsTooNarrow(page)).toEqual([]);
  });

  it('finds operations and objects by code, field or path', async () => {
    await using server = await startSandbox();
    const { page, complaints } = await open(`${server.publicUrl}/docs`, { viewport: desk });
    const search = page.getByRole('searchbox', { name: 'Search' });
    const contents = (): Promise<string[]> =>
      page
        .locator('nav li:visible a')
        .evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
    for (const [words, found] of [
      ['PROMO_EXPIRED', ['validatePromo', 'createOrder']],
      ['promo_expired idempotency-key', ['createOrder']],
      ['contradict-delivery', ['sandbox-act']],
      ['qris_url_of_nobody', []],
    ] as const) {
      await search.fill(words);
      expect([words, await contents()]).toEqual([words, found.map((id) => `#${id}`)]);
      const status = found.length === 0 ? 'Nothing found' : `${found.length} found`;
      expect(await page.locator('search output').textContent()).toBe(status);
    }
    await search.fill('payment-status');
    expect(await contents()).toContain('#getPaymentStatus');
    // The objects are folded until something is searched for.
    await search.fill('failure_reason');
    await page.locator('nav').getByRole('link', { name: 'InvoiceOrder', exact: true }).click();
    expect(await page.locator('.card:visible').textContent()).toContain('failure_reason');
    await search.fill('');
    expect((await contents()).length).toBeGreaterThan(60);
    expect(await page.locator('search output').textContent()).toBe('');
    expect(complaints).toEqual([]);
  });

  it('documents each control route of a sandbox as the guide does, and no control route in live mode', async () => {
    const documented = [...sandboxActionRoutes, ...sandboxWorldRoutes];
    expect(
      documented.map(({ method, path }) => `${method} ${path.replace('{order_id}', ':order_id')}`).sort(),
    ).toEqual(
      allRoutes
        .filter(({ access }) => access === 'control')
        .map(({ method, path }) => `${method} ${path}`)
        .sort(),
    );
    const guide = await readFile(new URL('../../../docs/sandbox.md', import.meta.url), 'utf8');
    for (const { method, path, effect, example } of documented) {
      const body = example
        ? ` \`${JSON.stringify(example).replaceAll('":', '": ').replaceAll(',"', ', "')}\``
        : '';
      expect(guide).toContain(`| \`${method} ${path}\`${body} | ${effect} |`);
    }
    const { none, ...scenarios } = sandboxScenarios;
    for (const [name, effect] of Object.entries(scenarios))
      expect(guide).toContain(`| \`${name}\` | ${effect} |`);
    await using server = await startSandbox();
    const { page } = await open(`${server.publicUrl}/docs`, { viewport: desk });
    const cards = await page.locator('.card[id^=sandbox-]').allTextContents();
    const text = cards.join();
    for (const effect of ['X-Topup-Scenario', none, ...Object.values(scenarios)])
      expect(text).toContain(effect);
    for (const { effect } of sandboxActionRoutes) expect(text).toContain(effect.replaceAll('`', ''));
    for (const { method, path } of sandboxWorldRoutes) expect(text).toContain(`${method} ${path}`);

    const live = createApiPage(
      {
        publicUrl: 'https://shop.example',
        basePath: '/api',
        timezone: 'Asia/Jakarta',
        locale: 'id',
        currency: 'IDR',
        limits: defaultLimits,
      },
      'live',
      [],
    );
    const html = await (await live()).text();
    expect(html).toContain('X-API-KEY: $TOPUP_API_KEY');
    expect(html).not.toMatch(/\/sandbox\/|tk_(test|live)_/);
  });

  it('sends a control request from "Try it" to the root of the server', async () => {
    await using server = await startSandbox();
    const { page } = await open(`${server.publicUrl}/docs#sandbox-advance`, { viewport: desk });
    const advance = page.locator('#sandbox-advance');
    await advance.getByText('Try it', { exact: true }).click();
    await advance.getByRole('button', { name: 'Send the request' }).click();
    await advance.getByText('Response: status 200').waitFor();
    expect(await advance.locator('output').textContent()).toContain('"ahead_ms": 1860000');
  });

  it('contains no broken links', async () => {
    await using server = await startSandbox();
    const html = await (await fetch(`${server.publicUrl}/docs`)).text();
    const targets = [...html.matchAll(/href="#([^"]+)"/g)].map(([, target]) => target);
    expect(targets.length).toBeGreaterThan(50);
    expect(targets.filter((target) => !html.includes(`id="${target}"`))).toEqual([]);
    expect(html).toContain('href="openapi.json"');
    expect((await fetch(`${server.publicUrl}/openapi.json`)).status).toBe(200);
  });

  it('allows only its own script and host in its policy', async () => {
    await using server = await startSandbox();
    const response = await fetch(`${server.publicUrl}/docs`);
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/default-src 'none'; .*script-src 'sha256-\S+'; connect-src 'self';/);
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    // Else the server, when it stops, waits for its reader.
    await response.body?.cancel();
  });

  it('sends a request from "Try it" to this server, and shows the request and the response', async () => {
    await using server = await startSandbox();
    const { page, complaints } = await open(`${server.publicUrl}/docs#createOrder`, { viewport: desk });
    const order = page.locator('#createOrder');
    await order.getByText('Try it', { exact: true }).click();
    await order.getByLabel('Idempotency-Key, header, optional').fill('tried-1');
    await order.getByRole('button', { name: 'Send the request' }).click();
    await order.getByText('Response: status 201').waitFor();
    const shown = (await order.locator('output').textContent()) ?? '';
    expect(shown).toContain('POST /api/order\n');
    expect(shown).toContain('Idempotency-Key: tried-1\n');
    expect(shown).toContain('idempotency-key: tried-1\n');
    const [, orderId = ''] = /"orderId": "(INV-[^"]+)"/.exec(shown) ?? [];

    await page.getByRole('link', { name: 'Poll the state of an order' }).click();
    const status = page.locator('#getPaymentStatus');
    await status.getByText('Try it', { exact: true }).click();
    await status.getByLabel('order_id, path').fill(orderId);
    await status.getByRole('button', { name: 'Send the request' }).click();
    await status.getByText('Response: status 200').waitFor();
    expect(await status.locator('output').textContent()).toContain('"payment_status": "UNPAID"');
    expect(complaints).toEqual([]);
  });

  it('shows an error response in "Try it", and a server that does not respond', async () => {
    const server = await startSandbox();
    const { page } = await open(`${server.publicUrl}/docs#listGames`, { viewport: desk });
    await page.getByLabel('Key for "Try it"').fill('tk_test_wrong');
    const list = page.locator('#listGames');
    await list.getByText('Try it', { exact: true }).click();
    await list.getByRole('button', { name: 'Send the request' }).click();
    await list.getByText('Response: status 401').waitFor();
    expect(await list.locator('output').textContent()).toContain('"message": "Unauthorized"');

    await server.close();
    await list.getByRole('button', { name: 'Send the request' }).click();
    await list.getByText('No response').waitFor();
  });
});
