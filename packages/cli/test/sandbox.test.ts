import { sandboxKey } from '@topup-kit/core/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from './helpers/folder.ts';
import { fixtureOrder, steady } from './helpers/order.ts';
import { run } from './helpers/run.ts';
import { closedBaseUrl, ownSandbox, startJsonService, startLive, startSandbox } from './helpers/servers.ts';

const server = ownSandbox();
beforeEach(() => sandbox('reset', '--yes'));

const { asked: at, place } = server;
const sandbox = (...args: string[]) => at('sandbox', ...args);

async function stateOf(orderId: string): Promise<string> {
  const { order } = JSON.parse((await at('orders', 'show', orderId, '--json')).stdout);
  return `${order.payment_status} / ${order.buy_status}`;
}

const now = async (): Promise<number> =>
  Date.parse(JSON.parse((await sandbox('status', '--json')).stdout).now);

describe('sandbox pay, fail, expire, deliver', () => {
  it('shows the new state after sandbox pay, and how to follow the order', async () => {
    const orderId = await place();

    const { code, stdout, stderr } = await sandbox('pay', orderId);

    expect(code).toBe(0);
    expect(steady(stdout)).toMatchInlineSnapshot(`
      "  Order     <order id>
        Payment   PAID
        Delivery  Proses
      "
    `);
    expect(steady(stderr)).toMatchInlineSnapshot(`
      "Using the sandbox at <server>.

      It is being delivered. To follow it:
        topup orders watch <order id> --base-url <server>/api
      "
    `);
    expect(await stateOf(orderId)).toBe('PAID / Proses');
  });

  it.each([
    ['fail', 'FAILED / Batal'],
    ['expire', 'EXPIRED / Batal'],
  ])('changes an order with %s to %s', async (action, state) => {
    const orderId = await place();

    const { code, stderr } = await sandbox(action, orderId);

    expect(code).toBe(0);
    expect(stderr).not.toContain('on its way');
    expect(await stateOf(orderId)).toBe(state);
  });

  it('delivers without waiting for the supplier, and prints a document under --json', async () => {
    const orderId = await place();
    await sandbox('pay', orderId);

    const { stdout } = await sandbox('deliver', orderId, '--json');

    expect(JSON.parse(stdout)).toMatchObject({
      order_id: orderId,
      payment_status: 'PAID',
      buy_status: 'Sukses',
    });
  });

  it('completes a paid order with fail-delivery and refund', async () => {
    const orderId = await place();
    await sandbox('pay', orderId);

    expect((await sandbox('fail-delivery', orderId)).code).toBe(0);
    expect(await stateOf(orderId)).toBe('PAID / Gagal');
    expect((await sandbox('refund', orderId)).code).toBe(0);
    expect(await stateOf(orderId)).toBe('REFUND / Gagal');
  });

  it.each([
    ['pay-late', [], ['topup payments list', 'Its time is the end of the time to pay']],
    ['pay-wrong-amount', [], ['topup payments list']],
    ['pay-again', ['pay'], ['topup payments list']],
    ['pay-unknown', [], ['topup payments list']],
    ['lose-delivery', ['pay'], ['topup orders show <order id> --history', 'mark <order id> --failed']],
    ['contradict-delivery', ['pay', 'deliver'], ['mark <order id> --delivered', 'which report is right']],
  ])("suggests the operator's commands after %s", async (action, before, named) => {
    const orderId = await place();
    for (const one of before) await sandbox(one, orderId);
    const { code, stderr } = await sandbox(action, orderId);
    expect(code).toBe(0);
    for (const text of named) expect(steady(stderr)).toContain(text);
    expect(stderr).not.toContain('It is being delivered.');
  });

  it('explains why an action is impossible, and exits with 6', async () => {
    const orderId = await place();

    const { code, stdout, stderr } = await sandbox('deliver', orderId);

    expect({ code, stdout }).toEqual({ code: 6, stdout: '' });
    expect(steady(stderr)).toMatchInlineSnapshot(`
      "Using the sandbox at <server>.
      Error: deliver is not possible for <order id> in its current state.
      The service said: An order that is UNPAID / Pending does not allow this.
      The order must be PAID / Proses. To show this one:
        topup orders show <order id> --base-url <server>/api
      "
    `);
  });

  it('exits with 3 for an unknown order', async () => {
    expect(await sandbox('pay', 'INV-1')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('Error: The sandbox has no order INV-1.\n'),
    });
  });
});

describe('sandbox status', () => {
  it.each([
    ['3d', '3 days'],
    ['1h30m', '1 hour 30 minutes'],
    ['1m', '1 minute'],
  ])('shows after advance %s how far the clock is ahead', async (duration, ahead) => {
    expect((await sandbox('status')).stdout).not.toContain('Clock');
    const { stdout } = await sandbox('advance', duration);

    expect(stdout).toContain(`  Clock     ${ahead} ahead of real time\n`);
    expect((await sandbox('status')).stdout).toContain(`  Clock     ${ahead} ahead of real time\n`);
    expect((await at('doctor')).stdout.replaceAll(/\s+/g, ' ')).toContain(
      `agrees with the service's; sandbox clock: ${ahead} ahead of real time`,
    );
  });
});

describe('sandbox advance', () => {
  it('expires an unpaid order after sandbox advance 31m', async () => {
    const orderId = await place();
    const before = await now();

    expect(await sandbox('advance', '31m')).toMatchObject({ code: 0 });

    expect(await stateOf(orderId)).toBe('EXPIRED / Batal');
    expect(await now()).toBeGreaterThanOrEqual(before + 31 * 60_000);
  });

  it.each(['31', 'soon', '-1h'])('rejects %s as a duration without sending it', async (text) => {
    await using service = await startJsonService(200, {});

    const { code, stderr } = await run([
      ...['sandbox', 'advance', '--base-url', service.baseUrl],
      ...['--', text],
    ]);

    expect({ code, asked: service.asked }).toEqual({ code: 2, asked: [] });
    expect(stderr).toContain('Give a duration such as 30s, 31m, 24h, 3d or 1h30m.');
  });
});

describe('sandbox requests', () => {
  /** Without what differs from run to run. */
  const settled = (text: string): string =>
    steady(text)
      .replaceAll('<second>', '<time>')
      .replace(/[\d.]+( ms)?$/gm, '<ms>')
      .replace(/ {2,}/g, '  ');

  it('lists the last requests, newest first', async () => {
    await using fresh = await startSandbox();
    const on = (...args: string[]) => run([...args, '--base-url', fresh.baseUrl]);
    await on(...fixtureOrder);
    await on('games', 'show', 'nothing');

    const { stdout, stderr } = await on('sandbox', 'requests', '--limit', '3');

    expect(settled(stdout)).toMatchInlineSnapshot(`
      "NUMBER  TIME (GMT+7)  REQUEST  STATUS  ERROR  ORDER  MS
        4  <time>  GET /api/games  200  <ms>
        3  <time>  GET /api/order/nothing  404  GAME_NOT_FOUND  <ms>
        2  <time>  GET /api/invoice/<order id>  200  <order id>  <ms>
      "
    `);
    expect(steady(stderr)).toMatchInlineSnapshot(`
      "Using the sandbox at <server>.

      To show one with its headers and bodies:
        topup sandbox requests 4 --base-url <server>/api
      "
    `);
    const { requests } = JSON.parse((await on('sandbox', 'requests', '--json')).stdout);
    expect(requests[1]).toMatchObject({ method: 'GET', error_code: 'GAME_NOT_FOUND', status: 404 });
    expect((await on('sandbox', 'requests', '--quiet', '--limit', '1')).stdout).toBe(
      `${requests[0].number}\n`,
    );
  });

  it('says when there are no requests yet', async () => {
    await using fresh = await startSandbox();
    expect(await run(['sandbox', 'requests', '--base-url', fresh.baseUrl])).toMatchObject({
      stdout: '',
      stderr: expect.stringContaining('No requests yet.'),
    });
  });

  it('shows a request with its headers and bodies, and as code', async () => {
    await using fresh = await startSandbox();
    const on = (...args: string[]) => run([...args, '--base-url', fresh.baseUrl]);
    await fetch(`${fresh.baseUrl}/promo/validate`, {
      method: 'POST',
      headers: { 'X-API-KEY': sandboxKey, 'Content-Type': 'application/json' },
      body: '{"promo_code": "NO\\u001bPE"}',
    });

    const { stdout } = await on('sandbox', 'requests', '1');

    expect(stdout).toContain('  Status    422\n  Error     VALIDATION_ERROR\n');
    expect(stdout).toContain('\nPOST /api/promo/validate\n');
    expect(stdout).toContain('  X-API-KEY: tk_test_[secret]\n');
    expect(stdout).toContain('    "promo_code": "NO\\u001bPE"\n');
    expect(stdout).toMatch(/^ {2}X-Error-Code: VALIDATION_ERROR\n/m);
    const codeOf = async (kind: string) => (await on('sandbox', 'requests', '1', '--code', kind)).stdout;
    expect(await codeOf('curl')).toMatch(/^curl 'http:.*\/api\/promo\/validate' \\\n/);
    expect(await codeOf('sdk')).toMatch(/^const \{ data \} = await topup\.promos\.validate\(/);
    expect(await codeOf('mock-test')).toMatch(/^import \{ createMockService \}/);
  });

  it("reports an unknown request, or a request that can't be shown as code", async () => {
    await using fresh = await startSandbox();
    const on = (...args: string[]) => run([...args, '--base-url', fresh.baseUrl]);
    await fetch(`${fresh.baseUrl}/nowhere`);
    expect(await on('sandbox', 'requests', '2')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('Error: The sandbox has no request 2.\n'),
    });
    expect(await on('sandbox', 'requests', '1', '--code', 'sdk')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        "Error: Request 1 can't be written as sdk.\nThe SDK sends no such request.",
      ),
    });
    for (const wrong of [
      ['--limit', '501'],
      ['--limit', '0'],
      ['--code', 'curl'],
    ])
      expect((await on('sandbox', 'requests', ...wrong)).code).toBe(2);
  });
});

describe('sandbox scenario', () => {
  it('lists the scenarios', async () => {
    await sandbox('scenario', 'supplier-down');

    expect((await sandbox('scenario')).stdout).toMatchInlineSnapshot(`
      "SCENARIO          WHAT HAPPENS                                                NOW
      none              everything works
      payment-declined  payments fail: orders become FAILED when they are paid
      supplier-fails    the supplier rejects every item: paid orders become Gagal
      supplier-down     the supplier does not respond: paid orders stay Proses      on
      gateway-down      no payment can be created: POST /order returns 500
      rate-limited      every call exceeds the rate limit: 429 with Retry-After: 1
      slow              every response takes three seconds
      flaky             every third call to an operation fails with 503
      maintenance       every call fails with 503
      offline           no response: the connection is cut, a network error
      "
    `);
  });

  it('activates a scenario', async () => {
    expect((await sandbox('scenario', 'supplier-fails')).stdout).toMatch(/Scenario {2}supplier-fails: /);

    const orderId = await place();
    await sandbox('pay', orderId);
    await sandbox('advance', '1m');
    expect(await stateOf(orderId)).toBe('PAID / Gagal');
  });

  it.each([
    ['rate-limited', 429],
    ['maintenance', 503],
  ])("simulates %s: a shop's requests get status %i until the scenario is none", async (name, status) => {
    const ask = () => fetch(`${server.baseUrl}/games`, { headers: { 'X-API-KEY': server.sandboxKey ?? '' } });
    expect(await sandbox('scenario', name)).toMatchObject({ code: 0 });
    expect((await ask()).status).toBe(status);

    expect(await sandbox('scenario', 'none')).toMatchObject({ code: 0 });
    expect((await ask()).status).toBe(200);
  });

  it('suggests a scenario for a mistyped name', async () => {
    expect((await sandbox('scenario', 'suplier-down')).stderr).toContain('Did you mean supplier-down?');
  });

  it('exits with 2 for an unknown scenario', async () => {
    expect(await sandbox('scenario', 'rain')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Error: There is no scenario rain.\n'),
    });
  });
});

describe('sandbox reset', () => {
  it('deletes the orders, but only with --yes', async () => {
    const orderId = await place();
    const show = ['orders', 'show', orderId] as const;

    expect(await sandbox('reset')).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
    expect(await at(...show)).toMatchObject({ code: 0 });

    await sandbox('advance', '24h');
    expect(await sandbox('reset', '--yes')).toMatchObject({ code: 0 });
    expect(await at(...show)).toMatchObject({ code: 3 });
    expect(await now()).toBeLessThan(Date.now() + 60_000);
  });
});

describe('a server without control routes', () => {
  it('explains that a server without control routes is not a sandbox', async () => {
    using folder = temporaryFolder();
    await using live = await startLive(folder.path);

    const { code, stderr } = await run(['sandbox', 'status', '--base-url', live.baseUrl]);

    expect(code).toBe(1);
    expect(steady(stderr)).toMatchInlineSnapshot(`
      "Using the sandbox at <server>.
      Error: <server> is not a sandbox.
      Only a server in sandbox mode has control routes; a live server has none.
      To start one:
        topup serve --sandbox
      "
    `);
  });

  it('exits with 5 without a response', async () => {
    const { code, stderr } = await run(['sandbox', 'status', '--base-url', await closedBaseUrl()]);

    expect(code).toBe(5);
    expect(steady(stderr)).toMatchInlineSnapshot(`
      "Using the sandbox at <server>.
      Error: No response from <server> (ECONNREFUSED).
      Check that the sandbox is up, and that --base-url is its base URL.
      "
    `);
  });

  it('exits with 1 for any other response to a control request', async () => {
    await using other = await startJsonService(200, ['a list']);

    expect(await run(['sandbox', 'status', '--base-url', other.baseUrl])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('did not respond like a Topup Kit sandbox'),
    });
  });

  it('exits with 4 for an unknown key', async () => {
    await using other = await startJsonService(
      401,
      { message: 'Unauthorized' },
      { 'X-Error-Code': 'UNAUTHORIZED' },
    );

    expect(await run(['sandbox', 'status', '--base-url', other.baseUrl])).toMatchObject({ code: 4 });
  });
});

describe('the address of the control routes', () => {
  it.each([
    ['/api', 'GET /sandbox'],
    ['/api/', 'GET /sandbox'],
    ['', 'GET /sandbox'],
    ['/shop/api', 'GET /shop/sandbox'],
    ['/v1', 'GET /sandbox'],
  ])('finds the control routes next to a base path of %j', async (path, asked) => {
    await using service = await startJsonService(200, {
      success: true,
      data: { now: '2026-03-29T10:00:00+07:00', scenario: 'none', scenarios: {} },
    });

    await run(['sandbox', 'status', '--base-url', new URL(path, service.baseUrl).href]);

    expect(service.asked).toEqual([asked]);
  });

  it('exits with 2 if no address is given', async () => {
    expect(await run(['sandbox', 'status', '--base-url', 'ftp://127.0.0.1/api'])).toMatchObject({ code: 2 });
  });
});
