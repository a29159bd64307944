import { describe, expect, it } from 'vitest';
import { fixtureOrder } from './helpers/order.ts';
import { run } from './helpers/run.ts';
import { startJsonService } from './helpers/servers.ts';

describe('a wrong command line', () => {
  it.each([
    [
      'an unknown noun',
      ['gmes', 'list'],
      "Error: Unknown command 'gmes'.\nDid you mean games?\n`topup --help` lists the commands.\n",
    ],
    [
      'an unknown verb',
      ['games', 'lst'],
      "Error: Unknown command 'lst'.\nDid you mean list?\n`topup games` takes list and show.\n",
    ],
    [
      'an unknown verb like no other',
      ['keys', 'frobnicate'],
      "Error: Unknown command 'frobnicate'.\n`topup keys` takes create, list and revoke.\n",
    ],
    [
      'an unknown option',
      ['orders', 'create', '--pomo', 'X'],
      "Error: Unknown option '--pomo'.\nDid you mean --promo?\n`topup orders create --help` shows what it takes.\n",
    ],
    [
      'a missing argument',
      ['games', 'show'],
      "Error: Missing required argument 'slug'.\n`topup games show --help` shows what it takes.\n",
    ],
    [
      'a choice that does not exist',
      ['keys', 'create', '--name', 'x', '--scope', 'catalog:red'],
      "Error: Option '--scope <scope...>' argument 'catalog:red' is invalid. Allowed choices are catalog:read, orders:read, orders:write.\nDid you mean catalog:read?\n`topup keys create --help` shows what it takes.\n",
    ],
    [
      'two modes',
      ['serve', '--sandbox', '--mode', 'live'],
      "Error: Option '--sandbox' cannot be used with option '--mode <value>'.\n`topup serve --help` shows what it takes.\n",
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

  it.each([['--json'], ['--fields=games.slug']])(
    'is one document on one line of stdout under %s',
    async (flag) => {
      const { code, stdout, stderr } = await run(['games', 'lst', flag]);

      expect({ code, stderr }).toEqual({ code: 2, stderr: '' });
      expect(stdout).toMatch(/^.+\n$/);
      expect(JSON.parse(stdout)).toEqual({
        error: {
          code: 'USAGE',
          message: "Unknown command 'lst'.",
          hint: 'Did you mean list?\n`topup games` takes list and show.',
          request_id: null,
          fields: null,
          idempotency_key: null,
        },
      });
    },
  );
});
