import { describe, expect, it } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { run } from './helpers/run.ts';

const help = async (...args: string[]): Promise<string> => (await run([...args, '--help'])).stdout;

describe('help', () => {
  it('of topup', async () => {
    expect(await help()).toMatchInlineSnapshot(`
      "Usage: topup [options] [command]

      Games, orders, promos, keys and servers of a top-up service.

      Options:
        --version         print the version
        --json            print one JSON document, for programs
        --base-url <url>  base URL of the service to ask (TOPUP_BASE_URL)
        -h, --help        print help

      Commands:
        serve             Run the reference server
        games             See the games, their products and the ways to pay
        orders            Place orders, look at them and see them through
        keys              Make, list and revoke the API keys of a store
        promos            Make and end the promo codes of a store
        catalog           Check, compare, import and export what a store sells
        sandbox           Pay, deliver and move time in a sandbox
        conformance       Say how a service differs from the interface, and how it
                          fills its silence
        help [command]    Print the help of a command

      Examples:
        topup serve --sandbox            start a sandbox to play with
        topup games list                 see what it sells
        topup games show mobile-legends  see products and ways to pay
        topup orders create --help       see what an order takes

      Environment:
        TOPUP_BASE_URL  base URL of the service, such as https://shop.example/api
        TOPUP_API_KEY   the key it is asked with
        TOPUP_DEBUG     set to 1, shows where an error comes from
        Without base URL and key, the sandbox on this machine is asked.

      Exit codes:
        0  done                        5  no answer from the service
        1  failed                      6  refused, so nothing changed
        2  wrong command line          7  too many requests
        3  not found                   8  unknown whether the order was made
        4  key missing or not allowed  130, 143  stopped by a signal
      "
    `);
  });

  it('of a noun shows its verbs', async () => {
    expect(await help('games')).toMatchInlineSnapshot(`
      "Usage: topup games [options] [command]

      See the games, their products and the ways to pay

      Options:
        -h, --help        print help

      Global Options:
        --json            print one JSON document, for programs
        --base-url <url>  base URL of the service to ask (TOPUP_BASE_URL)

      Commands:
        list              List the games, with the slugs that orders name them by
        show <slug>       Show a game with its products, what an order needs and the
                          ways to pay
        help [command]    Print the help of a command
      "
    `);
  });

  it('of orders create', async () => {
    expect(await help('orders', 'create')).toMatchInlineSnapshot(`
      "Usage: topup orders create [options]

      Place an order

      Options:
        --game <slug>            slug of the game (needed)
        --product <id>           id of the product (needed)
        --payment-method <id>    id of the way to pay (needed)
        --id <account>           user id or game id of the account to top up (needed)
        --server <server>        server or zone of the account, where the game has
                                 them
        --whatsapp <phone>       orderer's phone number (needed)
        --email <address>        orderer's e-mail address
        --nickname <name>        nickname in the game
        --promo <code>           promo code
        --quantity <number>      how many; 1 when left out
        --idempotency-key <key>  a key of yours: orders with the same one are made
                                 once
        -h, --help               print help

      Global Options:
        --json                   print one JSON document, for programs
        --base-url <url>         base URL of the service to ask (TOPUP_BASE_URL)

      Example:
        topup orders create --game mobile-legends --product 901 --payment-method 12 \\
          --id 12345678 --server 2012 --whatsapp 081234567890 --promo RAMADAN10
      "
    `);
  });

  it.each([
    ['orders'],
    ['orders show'],
    ['orders list'],
    ['orders reconcile'],
    ['promos'],
    ['promos create'],
    ['catalog'],
    ['catalog diff'],
    ['catalog generate'],
    ['sandbox'],
    ['sandbox pay'],
    ['conformance'],
  ])('of %s', async (name) => {
    expect(await help(...name.split(' '))).toMatchSnapshot();
  });

  it('of keys create', async () => {
    expect(await help('keys', 'create')).toMatchInlineSnapshot(`
      "Usage: topup keys create [options]

      Make a key, and print it once

      Options:
        --name <name>        what you call the key
        --account <account>  whose orders it places and reads (default: "default")
        --scope <scope...>   what it may do; all when left out (choices:
                             "catalog:read", "orders:read", "orders:write")
        --mode <mode>        sandbox or live, for a store that no server was started
                             on yet (TOPUP_MODE)
        --store <address>    store to work on, file:PATH (TOPUP_STORE; default:
                             file:./data/topup.db)
        -h, --help           print help

      Global Options:
        --json               print one JSON document, for programs

      Example:
        topup keys create --name checkout --account web-shop
      "
    `);
  });

  it("of serve names the flag, the variable and the default of the server's settings", async () => {
    expect(await help('serve')).toMatch(/--port <value> {2,}port to listen on; 0 takes any free one \(PORT;/);
  });

  it('of serve has no flag for a secret', async () => {
    expect(await help('serve')).not.toContain('--api-key');
  });

  it.each([[[]], [['games']], [['help']]])('is what %j prints, and no failure', async (args) => {
    const { code, stdout, stderr } = await run(args);

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('Usage: topup');
  });

  it('names the command as the clone calls it', async () => {
    const environment = { npm_lifecycle_event: 'topup', npm_config_user_agent: 'pnpm/12.0.0 npm/? node/v24' };

    expect((await run(['--help'], { environment })).stdout).toContain('  npx -y pnpm@12 topup games list ');
  });
});

describe('--version', () => {
  it('is that of the package', async () => {
    expect(await run(['--version'])).toEqual({ code: 0, stdout: `${packageJson.version}\n`, stderr: '' });
  });
});
