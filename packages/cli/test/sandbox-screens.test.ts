import { describe, expect, it } from 'vitest';
import { fixtureOrder, steady } from './helpers/order.ts';
import { run, start, until } from './helpers/run.ts';
import { failureOf, screensOf } from './helpers/screens.ts';
import {
  closedBaseUrl,
  ownSandbox,
  startJsonService,
  startSandbox,
  startService,
} from './helpers/servers.ts';

const server = ownSandbox();

const plain = (text: string): string =>
  steady(text)
    .replaceAll(/req_\w+/g, '<request id>')
    .replaceAll(/\b\d{13,16}\b|(\d{4} ){3}\d{1,4}/g, '<code>')
    .replaceAll(/\d+ days?/g, '<n> days')
    .replaceAll(/(Unique code) +Rp \d+/g, '$1  <unique code>')
    .replaceAll(/Rp 40,(?!000)\d{3}/g, 'Rp 40,<unique code>');
const { at, place } = server;
const { shown, failing } = screensOf(
  (args) => at(...args),
  () => ({}),
  plain,
);

describe('sandbox actions', () => {
  it.each([
    ['pay', []],
    ['fail', []],
    ['expire', []],
    ['pay-late', []],
    ['pay-wrong-amount', []],
    ['pay-again', ['pay']],
    ['pay-unknown', []],
    ['deliver', ['pay']],
    ['fail-delivery', ['pay']],
    ['lose-delivery', ['pay']],
    ['contradict-delivery', ['pay', 'deliver']],
    ['refund', ['pay', 'fail-delivery']],
  ])('prints sandbox %s with the next steps', async (action, before) => {
    const orderId = await place();
    for (const earlier of before) await run(at('sandbox', earlier, orderId));
    expect(await shown('sandbox', action, orderId)).toMatchSnapshot();
  });

  it.each([
    'pay',
    'fail',
    'expire',
    'pay-again',
    'deliver',
    'lose-delivery',
    'contradict-delivery',
    'refund',
  ])('rejects %s for an order in the wrong state', async (action) => {
    const orderId = await place();
    if (!['pay-again', 'deliver', 'lose-delivery', 'contradict-delivery', 'refund'].includes(action))
      await run(at('sandbox', 'pay', orderId));
    expect(await failing('sandbox', action, orderId)).toMatchSnapshot();
  });

  it('rejects an unknown order', async () => {
    expect(await failing('sandbox', 'pay', 'INV-1')).toMatchInlineSnapshot(`
      "Using the sandbox at <server>.
      Error: The sandbox has no order INV-1.
      exit 3, INVOICE_NOT_FOUND"
    `);
  });

  it('prints sandbox actions for programs', async () => {
    const orderId = await place();
    const { stdout } = await run(at('sandbox', 'pay', orderId, '--json'));
    expect(JSON.parse(stdout)).toMatchObject({
      order_id: orderId,
      payment_status: 'PAID',
      buy_status: 'Proses',
    });
    expect((await run(at('sandbox', 'deliver', orderId, '--quiet'))).stdout).toBe(`${orderId}\n`);
  });
});

describe('a sandbox', () => {
  it("shows the sandbox's time and scenario, and lists the scenarios", async () => {
    await using own = await startSandbox();
    const on = ['--base-url', own.baseUrl];
    const show = async (...args: string[]) => {
      const { code, stdout, stderr } = await run(['sandbox', ...args, ...on]);
      return plain(`${stdout}${stderr}exit ${code}`);
    };
    expect(await show('status')).toMatchInlineSnapshot(`
      "  Time      <time>
        Scenario  none: everything works
      Using the sandbox at <server>.
      exit 0"
    `);
    expect(await show('scenario')).toMatchInlineSnapshot(`
      "SCENARIO          WHAT HAPPENS                                                NOW
      none              everything works                                            on
      payment-declined  payments fail: orders become FAILED when they are paid
      supplier-fails    the supplier rejects every item: paid orders become Gagal
      supplier-down     the supplier does not respond: paid orders stay Proses
      gateway-down      no payment can be created: POST /order returns 500
      rate-limited      every call exceeds the rate limit: 429 with Retry-After: 1
      slow              every response takes three seconds
      flaky             every third call to an operation fails with 503
      maintenance       every call fails with 503
      offline           no response: the connection is cut, a network error
      Using the sandbox at <server>.

      To choose one:
        topup sandbox scenario <scenario> --base-url <server>/api
      exit 0"
    `);
    expect(await show('scenario', 'slow')).toMatchInlineSnapshot(`
      "  Time      <time>
        Scenario  slow: every response takes three seconds
      Using the sandbox at <server>.
      exit 0"
    `);
    expect(await show('scenario')).toContain('  on\n');
    expect(await show('advance', '3d')).toMatchInlineSnapshot(`
      "  Time      <time>
        Clock     <n> days ahead of real time
        Scenario  slow: every response takes three seconds
      Using the sandbox at <server>.
      exit 0"
    `);
    expect(await show('reset', '--yes')).toMatchInlineSnapshot(`
      "  Time      <time>
        Scenario  none: everything works
      Using the sandbox at <server>.
      exit 0"
    `);
    expect(JSON.parse((await run(['sandbox', 'status', '--json', ...on])).stdout)).toMatchObject({
      ahead_ms: 0,
      scenario: 'none',
    });
  });

  it('rejects unknown input and a missing confirmation', async () => {
    expect(await failing('sandbox', 'scenario', 'slw')).toMatchInlineSnapshot(`
      "Using the sandbox at <server>.
      Error: There is no scenario slw.
      Did you mean slow? This lists them:
        topup sandbox scenario --base-url <server>/api
      exit 2, USAGE"
    `);
    expect(await failing('sandbox', 'scenario', 'xyzxyzxyz')).toMatchInlineSnapshot(`
      "Using the sandbox at <server>.
      Error: There is no scenario xyzxyzxyz.
      This lists them:
        topup sandbox scenario --base-url <server>/api
      exit 2, USAGE"
    `);
    expect(await failing('sandbox', 'advance', 'soon')).toMatchInlineSnapshot(`
      "Error: Command-argument value 'soon' is invalid for argument 'duration'. Give a duration such as 30s, 31m, 24h, 3d or 1h30m.
      \`topup sandbox advance --help\` shows how to use it.
      exit 2, USAGE"
    `);
    expect(await failing('sandbox', 'reset')).toMatchInlineSnapshot(`
      "Using the sandbox at <server>.
      Error: This needs --yes: A reset deletes all orders of the sandbox at <server>.
      Nothing was done.
      exit 2, USAGE"
    `);
  });

  it.each([
    [404, { 'X-Error-Code': 'ROUTE_NOT_FOUND' }, { message: 'Rute tidak ditemukan.' }],
    [404, {}, {}],
    [500, {}, {}],
    [200, {}, { success: true }],
    [200, {}, 'text'],
    [401, { 'X-Error-Code': 'UNAUTHORIZED' }, { message: 'Unauthorized' }],
    [403, { 'X-Error-Code': 'FORBIDDEN' }, {}],
    [422, { 'X-Error-Code': 'NEW' }, { message: 7 }],
    [429, { 'X-Error-Code': 'RATE_LIMITED' }, { message: 'Too many.' }],
  ])('explains a sandbox that responds with %i %j %j', async (status, headers, body) => {
    await using service = await startJsonService(status, body, headers as Record<string, string>); // Safe: the list contains strings.
    expect(plain(await failureOf(['sandbox', 'status', '--base-url', service.baseUrl]))).toMatchSnapshot();
  });

  it("explains a sandbox that doesn't respond", async () => {
    expect(
      plain(await failureOf(['sandbox', 'status', '--base-url', await closedBaseUrl()])),
    ).toMatchInlineSnapshot(`
      "Using the sandbox at <server>.
      Error: No response from <server> (ECONNREFUSED).
      Check that the sandbox is up, and that --base-url is its base URL.
      exit 5, NETWORK_ERROR"
    `);
    await using silent = await startService(() => {});
    const stop = new AbortController();
    const { code, written } = start(['sandbox', 'status', '--json', '--base-url', silent.baseUrl], {
      signal: stop.signal,
    });
    await until(() => silent.asked.length > 0);
    stop.abort('SIGTERM');
    expect(await code).toBe(143);
    expect(JSON.parse(written.stdout).error).toMatchObject({
      code: 'ABORTED',
      message: 'Stopped before the response came.',
    });
  });
});

describe('games and checkout', () => {
  it.each([
    ['mobile-legends', 80],
    ['genshin-impact', 140],
    ['steam-wallet', undefined],
    ['tower-of-fantasy', 60],
  ])('shows %s in %s columns', async (slug, columns) => {
    const { stdout, stderr } = await run(at('games', 'show', slug), { columns });
    expect(plain(stdout + stderr)).toMatchSnapshot();
    expect(plain((await run(at('checkout', 'show', slug), { columns })).stdout)).toMatchSnapshot();
  });

  it.each([
    [['games', 'check', 'mobile-legends', '--id', '12345678', '--server', '2012']],
    [['games', 'check', 'mobile-legends', '--id', '12345678']],
    [['games', 'check', 'mobile-legends', '--id', '900000404', '--server', '2012']],
    [['games', 'check', 'steam-wallet', '--id', 'a@b.example']],
    [['games', 'show', 'mobile-legnds']],
    [['games', 'show', 'xyzxyz']],
    [['checkout', 'show', 'mobile-legnds']],
  ])('shows games with %j', async (args) => {
    expect(await shown(...args)).toMatchSnapshot();
  });
});

describe('orders and invoices', () => {
  it.each(['12', '14', '17', '19', '21', '22'])('shows an order that is paid with %s', async (method) => {
    const placed = await run(at(...fixtureOrder, '--payment-method', method, '--nickname', 'Rina'));
    expect(plain(placed.stdout + placed.stderr)).toMatchSnapshot();
    const orderId = /INV-\d+-[A-Z]{8}/.exec(placed.stdout)?.[0] ?? '';
    expect(await shown('invoices', 'show', orderId)).toMatchSnapshot();
    expect(await shown('orders', 'show', orderId)).toMatchSnapshot();
    expect(await shown('invoices', 'status', orderId)).toMatchSnapshot();
  });

  it('shows the final state of an order', async () => {
    const orderId = await place('--quantity', '1');
    await run(at('sandbox', 'pay', orderId));
    await run(at('sandbox', 'deliver', orderId));
    expect(await shown('orders', 'show', orderId)).toMatchInlineSnapshot(`
      "  Order     <order id>
        Payment   PAID
        Delivery  Sukses
        Proof     SN-<order id>-1-1
        Placed    <time>

        Game      Mobile Legends: Bang Bang
        Product   86 Diamond
        Account   12345678 (server 2012)

        Price            Rp 22,000  × 1  Rp 22,000
        Promo RAMADAN10  -Rp 2,000  × 1  -Rp 2,000
        After promo      Rp 20,000  × 1  Rp 20,000
        Fee of QRIS                           Rp 0
        Total                            Rp 20,000

        Method    QRIS
      Using the sandbox at <server>/api with its well-known key.
      exit 0"
    `);
    const failed = await place('--quantity', '1');
    await run(at('sandbox', 'pay', failed));
    await run(at('sandbox', 'fail-delivery', failed));
    expect(await shown('orders', 'show', failed)).toMatchInlineSnapshot(`
      "  Order     <order id>
        Payment   PAID
        Delivery  Gagal
        Reason    the supplier could not deliver
        Placed    <time>

        Game      Mobile Legends: Bang Bang
        Product   86 Diamond
        Account   12345678 (server 2012)

        Price            Rp 22,000  × 1  Rp 22,000
        Promo RAMADAN10  -Rp 2,000  × 1  -Rp 2,000
        After promo      Rp 20,000  × 1  Rp 20,000
        Fee of QRIS                           Rp 0
        Total                            Rp 20,000

        Method    QRIS
      Using the sandbox at <server>/api with its well-known key.
      exit 0"
    `);
    await run(at('sandbox', 'refund', failed));
    expect(await shown('orders', 'show', failed)).toMatchInlineSnapshot(`
      "  Order     <order id>
        Payment   REFUND
        Delivery  Gagal
        Reason    the supplier could not deliver
        Placed    <time>

        Game      Mobile Legends: Bang Bang
        Product   86 Diamond
        Account   12345678 (server 2012)

        Price            Rp 22,000  × 1  Rp 22,000
        Promo RAMADAN10  -Rp 2,000  × 1  -Rp 2,000
        After promo      Rp 20,000  × 1  Rp 20,000
        Fee of QRIS                           Rp 0
        Total                            Rp 20,000
        Refund                           Rp 20,000

        Method    QRIS
      Using the sandbox at <server>/api with its well-known key.
      exit 0"
    `);
    const expired = await place('--quantity', '1');
    await run(at('sandbox', 'expire', expired));
    expect(await shown('orders', 'show', expired)).toMatchInlineSnapshot(`
      "  Order     <order id>
        Payment   EXPIRED
        Delivery  Batal
        Placed    <time>

        Game      Mobile Legends: Bang Bang
        Product   86 Diamond
        Account   12345678 (server 2012)

        Price            Rp 22,000  × 1  Rp 22,000
        Promo RAMADAN10  -Rp 2,000  × 1  -Rp 2,000
        After promo      Rp 20,000  × 1  Rp 20,000
        Fee of QRIS                           Rp 0
        Total                            Rp 20,000

        Method    QRIS
      Using the sandbox at <server>/api with its well-known key.
      exit 0"
    `);
    expect(await failing('orders', 'watch', failed)).toMatchInlineSnapshot(`
      "<second>  REFUND / Gagal
      Using the sandbox at <server>/api with its well-known key.
      Error: <order id> was refunded.
      Details:
        topup orders show <order id> --base-url <server>/api
      exit 1, ORDER_REFUNDED"
    `);
    expect(await failing('orders', 'watch', expired)).toMatchInlineSnapshot(`
      "<second>  EXPIRED / Batal
      Using the sandbox at <server>/api with its well-known key.
      Error: <order id> expired: it was not paid in time.
      Details:
        topup orders show <order id> --base-url <server>/api
      exit 1, ORDER_EXPIRED"
    `);
    expect(await shown('orders', 'watch', orderId)).toContain('is paid and delivered.\n');
    expect(await shown('orders', 'watch', orderId, '--until', 'paid')).toContain('is paid.\n');
  });

  it.each([['x'], ['0s'], ['25d']])('rejects orders watch with the timeout %s', async (timeout) => {
    expect(await failing('orders', 'watch', 'INV-1', '--timeout', timeout)).toMatchSnapshot();
  });

  it('places no order in a dry run', async () => {
    expect(await shown(...fixtureOrder, '--dry-run')).toMatchInlineSnapshot(`
      "POST <server>/api/order
      {
        "id": "12345678",
        "game": "mobile-legends",
        "product_id": 901,
        "payment_method_id": 12,
        "whatsapp": "081234567890",
        "server": "2012",
        "promo_code": "RAMADAN10",
        "quantity": 2
      }
      Using the sandbox at <server>/api with its well-known key.

      Nothing was sent. As far as the service shows, this order would be accepted.
      exit 0"
    `);
    const closed = [
      '--game',
      'tower-of-fantasy',
      '--payment-method',
      '23',
      '--promo',
      'NOPE',
      '--whatsapp',
      '1',
    ];
    expect(await failing(...fixtureOrder, '--dry-run', ...closed)).toMatchInlineSnapshot(`
      "Using the sandbox at <server>/api with its well-known key.
      Error: This order would be rejected. Nothing was sent.
        --game                                Tower of Fantasy is closed.
        --product (product_id)                Tower of Fantasy has no such product.
        --payment-method (payment_method_id)  LinkAja is closed.
        --server                              It takes one of Asia-Pacific, Europe, North America, South America, Southeast Asia.
        --whatsapp                            The whatsapp field must be a valid phone number.
      Not checked until these are correct: the promo code.
      What an order of a game needs:
        topup games show tower-of-fantasy --base-url <server>/api
      exit 6, WOULD_BE_REJECTED"
    `);
    expect(
      await failing(...fixtureOrder, '--dry-run', '--product', '1', '--payment-method', '1', '--server', ''),
    ).toMatchInlineSnapshot(`
      "Using the sandbox at <server>/api with its well-known key.
      Error: This order would be rejected. Nothing was sent.
        --product (product_id)                Mobile Legends: Bang Bang has no such product.
        --payment-method (payment_method_id)  There is no such payment method.
        --server                              The server field is required.
      Not checked until these are correct: the promo code.
      What an order of a game needs:
        topup games show mobile-legends --base-url <server>/api
      exit 6, WOULD_BE_REJECTED"
    `);
    expect(await failing(...fixtureOrder, '--dry-run', '--promo', 'EXPIRED10')).toMatchInlineSnapshot(`
      "Using the sandbox at <server>/api with its well-known key.
      Error: This order would be rejected. Nothing was sent.
        --promo (promo_code)  The promo code has expired.
      What an order of a game needs:
        topup games show mobile-legends --base-url <server>/api
      exit 6, WOULD_BE_REJECTED"
    `);
    expect(
      await failing(
        ...fixtureOrder,
        '--dry-run',
        '--product',
        '902',
        '--quantity',
        '1',
        '--payment-method',
        '14',
        '--promo',
        '',
      ),
    ).toMatchInlineSnapshot(`
      "Using the sandbox at <server>/api with its well-known key.
      Error: This order would be rejected. Nothing was sent.
        --payment-method (payment_method_id)  BCA Virtual Account accepts at least Rp 10,000.
      What an order of a game needs:
        topup games show mobile-legends --base-url <server>/api
      exit 6, WOULD_BE_REJECTED"
    `);
    expect(await failing(...fixtureOrder, '--dry-run', '--quantity', '101')).toMatchInlineSnapshot(`
      "Using the sandbox at <server>/api with its well-known key.
      Error: This order would be rejected. Nothing was sent.
        --quantity  The quantity field must not be greater than 100.
      What an order of a game needs:
        topup games show mobile-legends --base-url <server>/api
      exit 6, WOULD_BE_REJECTED"
    `);
    expect(await failing(...fixtureOrder, '--dry-run', '--game', 'nope')).toMatchInlineSnapshot(`
      "Using the sandbox at <server>/api with its well-known key.
      Error: Game not found.
      Code: GAME_NOT_FOUND, request id: <request id>
      This lists the games and their slugs:
        topup games list --base-url <server>/api
      exit 3, GAME_NOT_FOUND"
    `);
    expect(
      await failing(...fixtureOrder, '--dry-run', '--game', 'nope', '--quantity', '101'),
    ).toMatchInlineSnapshot(`
      "Using the sandbox at <server>/api with its well-known key.
      Error: This order would be rejected. Nothing was sent.
        --game      Game not found.
        --quantity  The quantity field must not be greater than 100.
      Not checked until these are correct: game, product, account, payment method and promo code.
      What an order of a game needs:
        topup games show nope --base-url <server>/api
      exit 6, WOULD_BE_REJECTED"
    `);
  });
});
