import { describe, expect, it } from 'vitest';
import { fixtureOrder } from './helpers/order.ts';
import { run } from './helpers/run.ts';
import { startJsonService } from './helpers/servers.ts';

describe('a wrong command line', () => {
  it.each([
    ['an unknown noun', ['gmes', 'list'], "Error: Unknown command 'gmes'\n(Did you mean games?)\n"],
    ['an unknown verb', ['games', 'lst'], "Error: Unknown command 'lst'\n(Did you mean list?)\n"],
    [
      'an unknown option',
      ['orders', 'create', '--pomo', 'X'],
      "Error: Unknown option '--pomo'\n(Did you mean --promo?)\n",
    ],
    ['a missing argument', ['games', 'show'], "Error: Missing required argument 'slug'\n"],
    [
      'a scope that does not exist',
      ['keys', 'create', '--name', 'x', '--scope', 'everything'],
      "Error: Option '--scope <scope...>' argument 'everything' is invalid. Allowed choices are catalog:read, orders:read, orders:write.\n",
    ],
    [
      'two modes',
      ['serve', '--sandbox', '--mode', 'live'],
      "Error: Option '--sandbox' cannot be used with option '--mode <value>'\n",
    ],
    [
      '--base-url for a command that asks no service',
      ['keys', 'list', '--base-url', 'http://shop.test'],
      'Error: keys asks no service, so it takes no --base-url.\n',
    ],
  ])('%s', async (_case, args, stderr) => {
    expect(await run(args)).toEqual({ code: 2, stdout: '', stderr });
  });

  it.each(['--product', '--payment-method', '--quantity'])(
    '%s that is no whole number is refused before anything is sent',
    async (flag) => {
      await using service = await startJsonService(200, {});

      const { code, stderr } = await run([...fixtureOrder, flag, '1.0', '--base-url', service.baseUrl]);

      expect(code).toBe(2);
      expect(stderr).toContain(`argument '1.0' is invalid. It takes a whole number.`);
      expect(service.asked).toEqual([]);
    },
  );

  it('an order without what every order takes: all of it is named at once', async () => {
    expect(await run(['orders', 'create', '--game', 'mobile-legends', '--id', '1'])).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'Error: An order also takes --product, --payment-method, --whatsapp.\n' +
        '`topup games list` lists the games, `topup games show <slug>` what one takes.\n',
    });
  });

  it('is one document on stdout under --json', async () => {
    const { code, stdout, stderr } = await run(['games', 'lst', '--json']);

    expect({ code, stderr }).toEqual({ code: 2, stderr: '' });
    expect(JSON.parse(stdout)).toEqual({
      error: {
        code: 'USAGE',
        message: "Unknown command 'lst'\n(Did you mean list?)",
        hint: null,
        request_id: null,
        fields: null,
        idempotency_key: null,
      },
    });
  });
});
