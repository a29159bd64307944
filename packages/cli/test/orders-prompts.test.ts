import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { answerOrder } from './helpers/answer-order.ts';
import { fakeTerminal } from './helpers/fake-terminal.ts';
import { fixtureOrder, orderIdIn } from './helpers/order.ts';
import { openTerminal } from './helpers/pseudo-terminal.ts';
import { startRelay } from './helpers/relay.ts';
import { home, run } from './helpers/run.ts';
import { ownSandbox } from './helpers/servers.ts';

const server = ownSandbox();

const create = ['orders', 'create'];

describe('orders create at a terminal', () => {
  it('asks for all missing values, shows the price and places the order', async () => {
    await using terminal = openTerminal([...create, '--base-url', server.baseUrl], { rows: 100 });
    const summary = await answerOrder(terminal);
    terminal.press('enter');

    expect(await terminal.ended).toBe(0);
    expect(terminal.screen()).toMatch(/Yes\n *\n {2}Order /);
    expect(summary.slice(summary.indexOf('  Game  '), summary.indexOf('◆'))).toMatchInlineSnapshot(`
      "  Game      Mobile Legends: Bang Bang
        Product   86 Diamond
        Account   12345678 (server 2012)
        Phone     081234567890
        Price     Rp 22,000 × 1 = Rp 22,000
        Pay with  QRIS, no fee

      │
      "
    `);
    const { stdout } = await run([
      ...['orders', 'show', orderIdIn(terminal.screen()), '--json', '--base-url', server.baseUrl],
    ]);
    expect(JSON.parse(stdout).order).toMatchObject({
      ...{
        id_games: '12345678',
        server_games: '2012',
        whatsapp: '081234567890',
        code_product: expect.any(String),
      },
      ...{ payment_method: 'QRIS', total_price: 22_000 },
    });
  }, 40_000);

  it('reports all problems in flags before the first prompt', async () => {
    const terminal = fakeTerminal();
    const wrong = ['--product', '999', '--payment-method', '77', '--server', 'Moon', '--quantity', '0'];

    const { code, stderr } = await run(
      [...create, '--game', 'genshin-impact', ...wrong, '--base-url', server.baseUrl],
      { terminal },
    );

    expect(code).toBe(6);
    expect(stderr.slice(stderr.indexOf('Error'), stderr.indexOf('What an'))).toMatchInlineSnapshot(`
      "Error: This order would be rejected. Nothing was sent.
        --product (product_id)                Genshin Impact has no such product.
        --payment-method (payment_method_id)  There is no such payment method.
        --server                              It takes one of America, Europe, Asia, TW, HK, MO.
        --quantity                            The quantity field must be at least 1.
      "
    `);
    expect(terminal.shown()).not.toContain('?');
  });

  it.each([
    [
      'a promo',
      'mobile-legends',
      ['--product', '901', '--payment-method', '12', '--promo', 'EXPIRED10'],
      '--promo',
    ],
    ['a closed game', 'tower-of-fantasy', [], '--game'],
    [
      'an amount below the minimum of a payment method',
      'mobile-legends',
      ['--product', '902', '--payment-method', '13'],
      '--payment-method',
    ],
  ])('reports %s before the first question', async (_case, game, given, flag) => {
    const terminal = fakeTerminal();

    const { code, stderr } = await run([...create, '--game', game, ...given, '--base-url', server.baseUrl], {
      terminal,
    });

    expect(code).toBe(6);
    expect(stderr).toContain(`\n  ${flag}`);
  });

  it('reports an invalid flag before it asks for the game', async () => {
    const terminal = fakeTerminal();

    const { code, stderr } = await run([...create, '--quantity', '0', '--base-url', server.baseUrl], {
      terminal,
    });

    expect(code).toBe(6);
    expect(stderr).toContain('--quantity');
  });

  it.each(['--no-input', '--json'])(
    'asks no question with %s',
    async (flag) => {
      await using terminal = openTerminal([...create, flag, '--base-url', server.baseUrl]);

      expect(await terminal.ended).toBe(2);
      expect(terminal.screen()).toContain('An order also needs --game, --product, --payment-method');
    },
    20_000,
  );
});

describe('an unfinished order at a terminal', () => {
  it.each([
    ['is finished', [], 0, true],
    ['is left alone', ['down'], 1, false],
    ['is replaced by another order', ['down', 'down'], 0, false],
  ] as const)(
    'an unfinished order %s',
    async (_case, keys, code, isFirst) => {
      rmSync(join(home, '.local/state'), { recursive: true, force: true });
      await using relay = await startRelay(new URL(server.baseUrl).origin);
      const args = [...fixtureOrder, '--base-url', relay.baseUrl];
      let made = '';
      relay.onOrder('12345678', async (pass) => {
        made = orderIdIn(await (await pass()).text());
        return undefined;
      });
      // By another process, which has ended by now.
      await using first = openTerminal(args);
      expect(await first.ended).toBe(8);

      await using terminal = openTerminal(args, { rows: 60 });
      await terminal.until('Place another order');
      terminal.press(...keys, 'enter');

      expect(await terminal.ended).toBe(code);
      expect(terminal.screen()).toMatch(
        /This order was started .* and not finished\.\n. {2}It may or may not have been placed\./,
      );
      expect(orderIdIn(terminal.screen()) === made).toBe(isFirst);
    },
    40_000,
  );
});
