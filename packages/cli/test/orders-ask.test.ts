import { interfaceOnlyDialect } from '@topup-kit/core/contract';
import { describe, expect, it } from 'vitest';
import { converse, keys, type Turn } from './helpers/converse.ts';
import { startDialectService } from './helpers/dialect-service.ts';
import { run } from './helpers/run.ts';
import { ownSandbox } from './helpers/servers.ts';

const server = ownSandbox();

const { enter, down, right, interrupt } = keys;
const create = (...given: string[]): string[] => ['orders', 'create', ...given, '--base-url', server.baseUrl];
/** The choices of a prompt, without the lines that frame them. */
const choices = (screen = ''): string[] =>
  [...screen.matchAll(/[●○] (.*)/g)].map(([, choice = '']) => choice.trimEnd());
const legends = ['--game', 'mobile-legends', '--product', '901', '--payment-method', '12'];
const account = ['--id', '12345678', '--server', '2012'];
const phone = ['--whatsapp', '081234567890'];

describe('orders create asks', () => {
  const all: readonly Turn[] = [
    ['Which game?', 'mobile legends'],
    ['(1 match)', enter],
    ['Which product?', enter],
    ['User ID?', `12345678${enter}`],
    ['Zone ID?', `2012${enter}`],
    ['How will it be paid?', enter],
    ['Phone number?', `081234567890${enter}`],
    ['Place this order?', enter],
  ];

  it('asks for all missing values, and places the order that it showed', async () => {
    const { code, stdout, screens } = await converse(create(), all);

    expect(code).toBe(0);
    expect(screens.at(-2)).toContain(`
  Game      Mobile Legends: Bang Bang
  Product   86 Diamond
  Account   12345678 (server 2012)
  Phone     081234567890
  Price     Rp 22,000 × 1 = Rp 22,000
  Pay with  QRIS, no fee
`);
    const [orderId = ''] = /INV-\d+-[A-Z]{8}/.exec(stdout) ?? [];
    const shown = await run(['orders', 'show', orderId, '--json', '--base-url', server.baseUrl]);
    expect(JSON.parse(shown.stdout).order).toMatchObject({
      ...{ id_games: '12345678', server_games: '2012', whatsapp: '081234567890', quantity: 1 },
      ...{ code_product: 'ML86', payment_method: 'QRIS', total_price: 22_000 },
    });
  });

  it('asks for one of the open games, by title and slug', async () => {
    const { code, screens } = await converse(create(), [['Which game?', interrupt]]);

    expect(code).toBe(130);
    expect(choices(screens[0]).slice(0, 3)).toEqual([
      'Mobile Legends: Bang Bang     mobile-legends',
      'Free Fire                     free-fire',
      'PUBG Mobile                   pubg-mobile',
    ]);
    const none = await converse(create(), [
      ['Which game?', 'tower of fantasy'],
      ['(0 matches)', interrupt],
    ]);
    expect(none.screens[1]).toContain('No matches found');
  });

  it('asks for one of the open products, with prices in a column', async () => {
    const { screens } = await converse(create('--game', 'steam-wallet'), [['Which product?', interrupt]]);
    const { stdout } = await run([
      ...['games', 'show', 'steam-wallet', '--json', '--base-url', server.baseUrl],
    ]);
    const products: { title: string; status: boolean }[] = JSON.parse(stdout).game.products;
    const open = products.filter(({ status }) => status).map(({ title }) => title);

    expect(open.length).toBeLessThan(products.length);
    expect(choices(screens[0]).map((choice) => choice.replace(/ {2,}Rp [\d,]+$/, ''))).toEqual(open);
  });

  it('asks for a payment method that accepts the amount, and shows its fee, and its limits on selection', async () => {
    const given = ['--game', 'mobile-legends', '--product', '902', ...account, ...phone];
    const { screens } = await converse(create(...given), [['How will it be paid?', interrupt]]);

    const offered = choices(screens[0]);
    expect(offered[0]).toMatch(/^QRIS +no fee +\(Rp 1,000 to Rp 5,000,000\)$/);
    expect(offered.slice(1).join('\n')).not.toContain(' to Rp');
    expect(offered.join('\n')).not.toMatch(/BRI Virtual Account|LinkAja/);
    const larger = await converse(create(...given, '--quantity', '50'), [
      ['How will it be paid?', interrupt],
    ]);
    expect(larger.screens[0]).toContain('BRI Virtual Account');
  });

  it("asks for one of the game's servers", async () => {
    const given = ['--game', 'genshin-impact', '--product', '1401', '--id', '800000001', ...phone];
    const { code, stderr, screens } = await converse(create(...given), [
      ['Server?', down + enter],
      ['How will it be paid?', enter],
      ['Place this order?', right + enter],
    ]);

    expect(choices(screens[0])).toEqual(['America', 'Europe', 'Asia', 'TW, HK, MO']);
    expect(screens[2]).toContain('  Account   800000001 (server Europe)\n');
    expect(code).toBe(1);
    expect(stderr).toContain('Error: Nothing was ordered.\n');
  });

  it('asks for no server if the game has no servers', async () => {
    const given = ['--game', 'free-fire', ...phone];
    const { screens } = await converse(create(...given), [
      ['Which product?', enter],
      ['ID?', `12345678${enter}`],
      ['How will it be paid?', enter],
      ['Place this order?', interrupt],
    ]);

    expect(screens.at(-2)).toContain('  Account   12345678\n');
  });

  it.each([
    ['an account', ['--whatsapp', '081234567890'], 'User ID?', '', 'Required.'],
    ['a phone number', account, 'Phone number?', '12', 'Enter a phone number, such as 081234567890 or'],
  ])('asks again for an invalid %s', async (_case, given, prompt, typed, message) => {
    const { code, screens } = await converse(create(...legends, ...given), [
      [prompt, `${typed}${enter}`],
      [message, interrupt],
    ]);

    expect(code).toBe(130);
    expect(screens[0]).not.toContain(message);
  });

  it('shows the values of flags in the summary', async () => {
    const more = ['--nickname', 'Rina', '--email', 'rina@example.com', '--quantity', '2'];
    const given = [...legends, ...account, ...phone, ...more, '--promo', 'RAMADAN10'];
    // Nothing is missing but a word that it is meant.
    const { code, screens } = await converse(
      create(...given.filter((word) => word !== '--whatsapp' && word !== phone[1])),
      [
        ['Phone number?', `${phone[1]}${enter}`],
        ['Place this order?', interrupt],
      ],
    );

    expect(code).toBe(130);
    expect(screens[1]).toContain(`
  Nickname  Rina
  Phone     081234567890
  E-mail    rina@example.com
  Promo     RAMADAN10, -Rp 2,000 each
  Price     Rp 20,000 × 2 = Rp 40,000
`);
  });
});

describe('orders create at a service that has only the interface', () => {
  const answers: readonly Turn[] = [
    ['Id of the product?', `x${enter}`],
    ['Enter a whole number, such as 901.', `\u007f901${enter}`],
    ['User id of the account?', `12345678${enter}`],
    ['Server or zone of the account (empty: none)?', `2012${enter}`],
    ['Id of the payment method?', `12${enter}`],
    ['Phone number?', `081234567890${enter}`],
    ['Place this order?', enter],
  ];

  it('asks for plain values at a service with only the interface, and shows no unknown price', async () => {
    await using service = await startDialectService(interfaceOnlyDialect);
    const args = ['orders', 'create', '--game', 'mobile-legends', '--base-url', service.baseUrl];
    const { code, stdout, screens } = await converse(args, answers);

    expect(screens.at(-2)).toContain(`
  Game      mobile-legends
  Product   901
  Account   12345678 (server 2012)
  Phone     081234567890
  Price     × 1
  Pay with  method 12
`);
    expect(code).toBe(0);
    expect(stdout).toMatch(/Order {5}INV-/);
  });

  it('accepts an empty server', async () => {
    await using service = await startDialectService(interfaceOnlyDialect);
    const args = ['orders', 'create', ...legends, ...phone, '--base-url', service.baseUrl];
    const { screens } = await converse(args, [
      ['User id of the account?', `12345678${enter}`],
      ['Server or zone', enter],
      ['Place this order?', interrupt],
    ]);

    expect(screens.at(-2)).toContain('  Account   12345678\n');
  });
});
