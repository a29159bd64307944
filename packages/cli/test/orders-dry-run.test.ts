import { kitDialect } from '@topup-kit/core/contract';
import { describe, expect, it } from 'vitest';
import { startDialectService } from './helpers/dialect-service.ts';
import { fixtureOrder, steady } from './helpers/order.ts';
import { run } from './helpers/run.ts';
import { ownSandbox, startJsonService } from './helpers/servers.ts';

const server = ownSandbox();

const dryRun = (...more: string[]) =>
  run([...fixtureOrder, '--dry-run', '--base-url', server.baseUrl, ...more]);

describe('orders create --dry-run', () => {
  it('shows the order request', async () => {
    const { code, stdout, stderr } = await dryRun();

    expect(code).toBe(0);
    expect(steady(stdout)).toMatchInlineSnapshot(`
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
      "
    `);
    expect(stderr).toContain(
      'Nothing was sent. As far as the service shows, this order would be accepted.\n',
    );
  });

  it('removes the zone in brackets from an id, as the server does', async () => {
    const withoutServer = fixtureOrder.filter((word) => word !== '--server' && word !== '2012');
    const send = (id: string, ...more: string[]) =>
      run([...withoutServer, '--id', id, '--base-url', server.baseUrl, ...more]);

    expect(await send('12345678 (2012)', '--dry-run')).toMatchObject({ code: 0 });
    expect(await send('12345678', '--dry-run')).toMatchObject({ code: 6 });
    const placed = await send('12345678 (2012)', '--quiet');
    const { stdout } = await run([
      'orders',
      'show',
      placed.stdout.trim(),
      '--json',
      '--base-url',
      server.baseUrl,
    ]);
    expect(JSON.parse(stdout).order).toMatchObject({ id_games: '12345678', server_games: '2012' });
  });

  it('sends no order in a dry run', async () => {
    await using service = await startDialectService(kitDialect);

    expect(await dryRun('--base-url', service.baseUrl)).toMatchObject({ code: 0 });
    expect(service.asked).toEqual(['GET /api/order/mobile-legends', 'POST /api/promo/validate']);
  });

  it('prints the body of the order request under --json', async () => {
    expect(JSON.parse((await dryRun('--json')).stdout)).toEqual({
      ...{ id: '12345678', game: 'mobile-legends', product_id: 901, payment_method_id: 12 },
      ...{ whatsapp: '081234567890', server: '2012', promo_code: 'RAMADAN10', quantity: 2 },
    });
  });

  it('reports all problems together, with the names of the flags', async () => {
    const wrong = ['--product', '999', '--payment-method', '77', '--promo', 'EXPIRED10', '--email', 'nobody'];

    const { code, stdout, stderr } = await dryRun(...wrong);

    expect({ code, stdout }).toEqual({ code: 6, stdout: '' });
    expect(steady(stderr).split('\n').slice(1).join('\n')).toMatchInlineSnapshot(`
      "Error: This order would be rejected. Nothing was sent.
        --product (product_id)                Mobile Legends: Bang Bang has no such product.
        --payment-method (payment_method_id)  There is no such payment method.
        --email                               The email field must be a valid email address.
      Not checked until these are correct: the promo code.
      What an order of a game needs:
        topup games show mobile-legends --base-url <server>/api
      "
    `);
  });

  it('checks each field by the rules of the contract, and checks the promo separately', async () => {
    const { code, stderr } = await dryRun('--whatsapp', 'abc', '--quantity', '1000', '--promo', 'EXPIRED10');

    expect(code).toBe(6);
    expect(steady(stderr).split('\n').slice(1).join('\n')).toMatchInlineSnapshot(`
      "Error: This order would be rejected. Nothing was sent.
        --promo (promo_code)  The promo code has expired.
        --whatsapp            The whatsapp field must be a valid phone number.
        --quantity            The quantity field must not be greater than 100.
      What an order of a game needs:
        topup games show mobile-legends --base-url <server>/api
      "
    `);
  });

  it('reports only an invalid phone number, not the promo', async () => {
    const { stderr } = await dryRun('--whatsapp', 'abc');

    expect(stderr).toContain('--whatsapp  The whatsapp field must be a valid phone number.');
    expect(stderr).not.toContain('--promo');
  });

  it('lists an unknown game among other problems', async () => {
    const wrong = ['--game', 'no-such-game', '--whatsapp', 'abc', '--quantity', '1000'];

    const { code, stderr } = await dryRun(...wrong);

    expect(code).toBe(6);
    for (const flag of ['--game', '--whatsapp', '--quantity']) expect(stderr).toContain(`\n  ${flag} `);
  });

  it("rejects an order in the server's words", async () => {
    const wrong = ['--whatsapp', 'abc', '--quantity', '1000', '--email', 'nobody'];
    wrong.push('--nickname', 'n'.repeat(256));

    const ordered = await run([...fixtureOrder, ...wrong, '--json', '--base-url', server.baseUrl]);
    const tried = await dryRun(...wrong, '--json');

    const { fields } = JSON.parse(tried.stdout).error;
    expect(Object.keys(fields)).toEqual(['email', 'whatsapp', 'nickname', 'quantity']);
    expect(JSON.parse(ordered.stdout).error.fields).toEqual(fields);
  });

  it('suggests the same similar games as a real order for an unknown game, and exits with 3', async () => {
    const wrong = [...fixtureOrder, '--game', 'mobile-legend', '--base-url', server.baseUrl];
    const ordered = await run(wrong);
    const tried = await run([...wrong, '--dry-run']);

    expect(tried).toMatchObject({ code: 3, stdout: '' });
    expect(tried.stderr).toContain('Did you mean mobile-legends?');
    expect(ordered.code).toBe(3);
  });

  it.each([
    ['a missing server', ['--server', ''], '--server  The server field is required.'],
    [
      'an amount below the minimum of a payment method',
      ['--product', '902', '--payment-method', '13', '--quantity', '1', '--promo', ''],
      'accepts at least Rp 10,000.',
    ],
    [
      'an amount above the maximum of a payment method',
      ['--product', '911', '--payment-method', '17', '--quantity', '9'],
      'accepts at most Rp 2,500,000.',
    ],
    ['a promo that is not valid for the order', ['--promo', 'WEEKLY3K'], '--promo (promo_code)'],
  ])('finds a dry-run problem: %s', async (_case, args, words) => {
    expect(await dryRun(...args)).toMatchObject({ code: 6, stderr: expect.stringContaining(words) });
  });

  it('ignores limits if the price is unknown', async () => {
    const wrong = ['--product', '902', '--payment-method', '13', '--quantity', '0', '--promo', ''];

    const { code, stderr } = await dryRun(...wrong);

    expect(code).toBe(6);
    expect(stderr).toContain('--quantity');
    expect(stderr).not.toContain('accepts at least');
  });

  it('lists the checks that are impossible at a service with fewer routes', async () => {
    await using bare = await startJsonService(404, { message: 'Not Found' });

    const { code, stderr } = await dryRun('--base-url', bare.baseUrl);

    expect(code).toBe(0);
    expect(stderr).toContain(
      "The service doesn't show game, product, account, payment method and promo code.",
    );
    expect(bare.asked.some((asked) => asked.startsWith('POST /api/order'))).toBe(false);
  });
});
