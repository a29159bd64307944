import { interfaceOnlyDialect } from '@topup-kit/core/contract';
import { startSimulators } from '@topup-kit/simulators';
import { describe, expect, it } from 'vitest';
import { errorPage } from '../src/pages/error-page.ts';
import { useBrowser } from './helpers/browser.ts';
import { happen, placeOrder } from './helpers/orders.ts';
import { startSandbox } from './helpers/sandbox.ts';

const asBrowser = { headers: { Accept: 'text/html' } };

/** The directives of a response's policy, by name. */
const policyOf = ({ headers }: Response): Map<string, string> =>
  new Map(
    (headers.get('content-security-policy') ?? '').split('; ').map((directive) => {
      const [name = '', ...sources] = directive.split(' ');
      return [name, sources.join(' ')];
    }),
  );

/** Checks the headers of a page. Only what it holds itself, or what comes from its own server, may be allowed. */
function expectStrict(response: Response): void {
  const { headers } = response;
  const policy = policyOf(response);
  for (const name of ['default-src', 'base-uri', 'frame-ancestors']) expect(policy.get(name)).toBe("'none'");
  expect(policy.get('form-action')).toMatch(/^'(none|self)'$/);
  for (const sources of policy.values())
    expect(sources).toMatch(/^('none'|'self'|('sha256-[\w+/=]{44}' ?)+)$/);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('referrer-policy')).toMatch(/^(no-referrer|same-origin)$/);
  expect(headers.get('cache-control')).toBe('no-store');
}

describe('the policy of a page', () => {
  it.each([
    ['the root page', '/', 200],
    ['the API page', '/docs', 200],
    ['the page of an unknown payment', '/pay/nobody', 404],
  ])('sends a strict policy with %s', async (_name, path, status) => {
    await using server = await startSandbox();
    const response = await fetch(server.publicUrl + path, asBrowser);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      status,
      'text/html; charset=utf-8',
    ]);
    expectStrict(response);
    // Else the server, when it stops, waits for its reader.
    await response.body?.cancel();
  });

  it('restricts the payment page in each state of an order and for each kind of payment', async () => {
    await using server = await startSandbox();
    for (const payment_method_id of [12, 13, 17, 19, 21]) {
      const { payment_url } = await placeOrder(server, { payment_method_id });
      expectStrict(await fetch(payment_url, asBrowser));
    }
    for (const action of ['pay', 'fail', 'expire', 'deliver']) {
      const order = await placeOrder(server);
      if (action === 'deliver') await happen(server, order, 'pay');
      await happen(server, order, action);
      expectStrict(await fetch(order.payment_url, asBrowser));
    }
  });

  it('restricts the page of a server error', async () => {
    expectStrict(await errorPage(500, 'en'));
  });

  it.each(['/', '/nothing-here?x', '/pay/tripay/nothing'])(
    'restricts the simulators of providers: %s',
    async (path) => {
      await using simulators = await startSimulators({ port: 0 });
      const response = await fetch(simulators.url + path, asBrowser);
      if (response.headers.get('content-type')?.startsWith('text/html')) expectStrict(response);
      else expect(response.status).toBe(404);
    },
  );

  it('restricts the HTML that a dialect sends to a request without Accept: application/json', async () => {
    await using server = await startSandbox(
      {},
      { dialect: { ...interfaceOnlyDialect, acceptRequired: true } },
    );
    for (const path of ['/games', '/games/x']) {
      const response = await fetch(server.baseUrl + path, asBrowser);
      expect([response.status, response.headers.get('content-type')]).toEqual([
        422,
        'text/html; charset=utf-8',
      ]);
      expectStrict(response);
    }
  });
});

describe('a real browser', () => {
  const browser = useBrowser();

  it('shows nothing in a real browser that the policies forbid', async () => {
    await using server = await browser.startSandbox();
    await using simulators = await startSimulators({ port: 0 });
    const [waiting, paid, virtualAccount] = await Promise.all(
      [12, 12, 13].map((payment_method_id) => placeOrder(server, { payment_method_id })),
    );
    await happen(server, paid, 'pay');
    const [{ image }] = (
      await (
        await fetch(`${server.baseUrl}/games`, { headers: { 'X-API-KEY': server.sandboxKey ?? '' } })
      ).json()
    ).games;
    for (const url of [
      `${server.publicUrl}/`,
      `${server.publicUrl}/docs`,
      waiting.payment_url,
      paid.payment_url,
      virtualAccount.payment_url,
      `${waiting.payment_url}/qr.svg`,
      image,
      simulators.url,
    ]) {
      const { complaints } = await browser.open(url);
      expect([url, complaints.filter((one) => !one.includes('favicon.ico'))]).toEqual([url, []]);
    }
  });

  it('stops a script injected into a payment page', async () => {
    await using server = await browser.startSandbox();
    const { payment_url } = await placeOrder(server);
    const { page, complaints } = await browser.open(payment_url);
    const ran = await page.evaluate(`new Promise((resolve) => {
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => resolve(effectiveDirective));
      document.body.insertAdjacentHTML('beforeend', '<img src="/assets/games/mobile-legends.svg" onload="document.title = 1">');
    })`);
    expect(ran).toBe('script-src-attr');
    expect(await page.title()).not.toBe('1');
    expect(complaints.join()).toContain('Content Security Policy');
  });
});
