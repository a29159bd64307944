import { operations, routes } from '@topup-kit/core/contract';
import { describe, expect, it } from 'vitest';
import { axeViolations, useBrowser } from './helpers/browser.ts';
import { startSandbox } from './helpers/sandbox.ts';

const { open } = useBrowser();
const desk = { width: 1280, height: 720 };

describe('the API page', () => {
  it('shows every operation with its fields, errors and sources, in real Chromium', async () => {
    await using server = await startSandbox();
    const { page, complaints, requests } = await open(`${server.publicUrl}/docs`, { viewport: desk });
    expect(await page.title()).toBe('Game top-up service: API');
    for (const operation of operations) {
      const section = page.locator(`#${operation}`);
      const { method, path, summary, source } = routes[operation];
      const text = await section.textContent();
      for (const shown of [summary, `${method} ${path}`, source, 'UNAUTHORIZED', 'Unauthorized'])
        expect(text).toContain(shown);
    }
    const order = page.locator('#createOrder');
    expect(await order.textContent()).toContain('Kode promo sudah kedaluwarsa.');
    expect(await order.textContent()).toContain('The promo code has expired.');
    expect(await order.textContent()).toContain('required: whatsapp or messenger_number');
    await order.getByText('Example', { exact: true }).first().click();
    expect(await order.getByText('"promo_code": "RAMADAN10"').first().isVisible()).toBe(true);
    await page.getByRole('link', { name: 'CreateOrderRequest' }).first().click();
    expect(await page.locator('#object-CreateOrderRequest').textContent()).toContain('messenger_number');
    expect(await page.getByText(server.baseUrl, { exact: true }).isVisible()).toBe(true);
    expect(complaints).toEqual([]);
    expect(requests).toEqual([`${server.publicUrl}/docs`]);
  });

  it('has no broken links', async () => {
    await using server = await startSandbox();
    const html = await (await fetch(`${server.publicUrl}/docs`)).text();
    const targets = [...html.matchAll(/href="#([^"]+)"/g)].map(([, target]) => target);
    expect(targets.length).toBeGreaterThan(50);
    expect(targets.filter((target) => !html.includes(`id="${target}"`))).toEqual([]);
    expect(html).toContain('href="openapi.json"');
    expect((await fetch(`${server.publicUrl}/openapi.json`)).status).toBe(200);
  });

  it('allows no script and no other host, by its policy', async () => {
    await using server = await startSandbox();
    const response = await fetch(`${server.publicUrl}/docs`);
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|script-src|https?:|\*/);
    expect(await response.text()).not.toContain('<script');
  });

  it('has no accessibility violations, light and dark', async () => {
    await using server = await startSandbox();
    const { page } = await open(`${server.publicUrl}/docs`, { bypassCSP: true });
    expect(await axeViolations(page)).toEqual([]);
  });

  it.each([360, 1280])('has no horizontal scrolling at %i pixels', async (width) => {
    await using server = await startSandbox();
    const { page } = await open(`${server.publicUrl}/docs`, { viewport: { width, height: 740 } });
    expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true);
  });
});
