import type { RunningServer } from '@topup-kit/server';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hurriedClock, hurryWaits } from '../../../test/hurry.ts';
import { converse, keys, type Turn } from './helpers/converse.ts';
import { temporaryFolder } from './helpers/folder.ts';
import { baseUrlIn, orderIdIn } from './helpers/order.ts';
import { type RunOptions, run } from './helpers/run.ts';
import { startJsonService, startKeyTeller, startSandbox } from './helpers/servers.ts';

hurryWaits();

let home: ReturnType<typeof temporaryFolder>;
let server: RunningServer;
beforeAll(async () => {
  server = await startSandbox('memory:', { realClock: hurriedClock() });
});
afterAll(() => server.close());
beforeEach(() => {
  home = temporaryFolder();
});
afterEach(() => home[Symbol.dispose]());

const { enter, down, interrupt } = keys;
/** Runs `topup` alone, or other words, as a user without configuration. */
const guide = (
  turns: readonly Turn[],
  { args = [], environment = {}, ...options }: RunOptions & { args?: string[] } = {},
) =>
  converse(args, turns, {
    ...{ columns: 80, environment: { HOME: home.path, PORT: new URL(server.baseUrl).port, ...environment } },
    ...options,
  });

/** From the first prompt to an order that is placed. */
const order: readonly Turn[] = [
  ['What would you like?', enter],
  ['Which game?', 'mobile legends'],
  ['(1 match)', enter],
  ['Which product?', enter],
  ['User ID?', `12345678${enter}`],
  ['Zone ID?', `2012${enter}`],
  ['How will it be paid?', enter],
  ['Phone number?', `081234567890${enter}`],
  ['Place this order?', enter],
];
/** Pays and delivers the order when the command begins to wait for it, as somebody does on its page. */
function payOnPage(): Pick<RunOptions, 'onWrite'> {
  let written = '';
  return {
    async onWrite(text) {
      written += text;
      if (!text.includes('UNPAID / Pending')) return;
      const [, root] = /Page +(http:\S+)\/pay\//.exec(written) ?? [];
      for (const action of ['pay', 'deliver'])
        await run(['sandbox', action, orderIdIn(written), '--base-url', `${root}/api`]);
    },
  };
}

/** A message without its line breaks. */
const flowing = (text: string): string => text.replaceAll(/ ?\\?\n */g, ' ');

const asksToPay = 'In a real shop, the customer scans this code and pays. What next?';

describe('topup alone, where nothing is configured', () => {
  it('offers a trial, a login and the list of commands', async () => {
    const { code, screens } = await guide([['What would you like?', interrupt]]);

    expect(code).toBe(130);
    expect(screens[0]).toContain('● Try it (a sandbox on this machine, and a first order)');
    expect(screens[0]).toContain('○ Connect to a service');
    expect(screens[0]).toContain('○ See the commands');
    const second = await guide([
      ['What would you like?', down],
      ['with its base URL and your key', interrupt],
    ]);
    expect(second.screens[1]).toContain('● Connect to a service (with its base URL and your key)');
  });

  it('uses a running sandbox, pays for an order there, and waits for the delivery', async () => {
    const { code, stdout, stderr, screens } = await guide([...order, [asksToPay, enter]]);

    expect({ code, stderr }).toMatchObject({ code: 0 });
    const orderId = orderIdIn(stdout);
    expect(stderr).toContain(`A sandbox runs at ${server.baseUrl} already.\n`);
    expect(screens.at(-2)).toContain('● Pay it for me (as the customer of a sandbox)');
    expect(screens.at(-2)).toContain("○ I'll pay it on its page");
    expect(stdout).toMatch(/ PAID \/ Proses\n.* PAID \/ Sukses\n$/);
    expect(stderr.slice(stderr.indexOf(`\n${orderId} is paid`))).toBe(`
${orderId} is paid and delivered.

That was a complete order, from placing to delivery.
More to try:
  topup games list --base-url ${server.baseUrl}
  topup open docs --base-url ${server.baseUrl}
  topup --help --base-url ${server.baseUrl}

To connect to a service:
  topup login
`);
  });

  it('lets the user pay on the payment page', async () => {
    const { code, stdout, stderr } = await guide([...order, [asksToPay, down + enter]], payOnPage());
    const orderId = orderIdIn(stdout);

    expect(code).toBe(0);
    expect(stdout).toMatch(/ UNPAID \/ Pending\n(.* PAID \/ Proses\n)?.* PAID \/ Sukses\n$/);
    expect(stderr).toContain(`${orderId} is paid and delivered.`);
  });

  it('starts the login from the guide', async () => {
    const { code, screens } = await guide([
      ['What would you like?', down + enter],
      ['Base URL of the service', interrupt],
    ]);

    expect(code).toBe(130);
    expect(screens[1]).toContain('https://shop.example/api');
  });

  it('shows the help from the guide', async () => {
    const { code, stdout } = await guide([['What would you like?', down + down + enter]]);

    expect({ code, stdout }).toEqual({ code: 0, stdout: (await run(['--help'])).stdout });
  });

  it.each([
    ['a service is named', { environment: { TOPUP_BASE_URL: 'http://shop.test/api' } }],
    ['a key is set', { environment: { TOPUP_API_KEY: 'x' } }],
    ['stdout is not a terminal', { columns: undefined }],
  ])('prints the help where %s', async (_case, options) => {
    const { code, stdout } = await guide([], options);

    expect(code).toBe(0);
    expect(stdout).toContain('Usage: topup');
  });

  it('prints the help if there is a profile', async () => {
    const environment = { HOME: home.path };
    await run(['config', 'set', 'base_url', 'http://127.0.0.1:4000/api'], { environment });

    expect((await guide([])).stdout).toContain('Usage: topup');
  });
});

describe('a sandbox of the guide', () => {
  const none = { PORT: '0' };

  it('starts a sandbox if no sandbox runs, and stops it after the order', async () => {
    const stop = new AbortController();
    const { code, stdout, stderr } = await guide([...order, [asksToPay, () => stop.abort('SIGINT')]], {
      environment: none,
      signal: stop.signal,
    });
    const orderId = orderIdIn(stdout);
    const baseUrl = baseUrlIn(stderr);

    expect(code).toBe(130);
    expect(baseUrl).not.toBe(server.baseUrl);
    expect(stderr).toContain(`A sandbox runs at ${baseUrl} now:\nno real money, and nothing is delivered.\n`);
    expect(stderr).toContain(
      `Error: Stopped; ${orderId} was placed.\nThe sandbox has ended too, so the order is gone.\n`,
    );
    expect(await run(['games', 'list', '--base-url', baseUrl])).toMatchObject({ code: 5 });
  });

  it('keeps the order in a running sandbox, where the user can follow it', async () => {
    const stop = new AbortController();
    const { code, stdout, stderr } = await guide([...order, [asksToPay, () => stop.abort('SIGTERM')]], {
      signal: stop.signal,
    });
    const orderId = orderIdIn(stdout);

    expect(code).toBe(143);
    expect(flowing(stderr)).toContain(
      `Error: Stopped; ${orderId} was placed. To follow it: topup orders watch ${orderId} --base-url ${server.baseUrl} `,
    );
  });

  it('keeps its sandbox running after the order until it is stopped', async () => {
    const stop = new AbortController();
    const { code, stderr } = await guide(
      [
        ...order,
        [asksToPay, down + enter],
        ['The sandbox runs until you press Ctrl+C.', () => stop.abort('SIGINT')],
      ],
      { environment: none, signal: stop.signal, ...payOnPage() },
    );
    const baseUrl = baseUrlIn(stderr);

    expect(code).toBe(0);
    expect(
      stderr.slice(stderr.indexOf('That was')),
    ).toBe(`That was a complete order, from placing to delivery.
More to try, from another terminal:
  topup games list --base-url ${baseUrl}
  topup open docs --base-url ${baseUrl}
  topup --help --base-url ${baseUrl}

The sandbox runs until you press Ctrl+C.
Its orders are then lost. To keep them, start one with a store:
  topup serve --sandbox
`);
    expect(await run(['games', 'list', '--base-url', baseUrl])).toMatchObject({ code: 5 });
  });

  it('uses the configured sandbox with its key', async () => {
    const { stderr } = await guide([...order, [asksToPay, enter]], {
      ...{ args: ['guide'], environment: { ...none, TOPUP_BASE_URL: server.baseUrl } },
    });

    expect(stderr).toContain(`A sandbox runs at ${server.baseUrl} already.\n`);
    expect(stderr).toContain('\nMore to try:\n  topup games list\n  topup open docs\n');
  });

  it('uses a sandbox on this machine with the sandbox key if the configured service is live', async () => {
    const keys: unknown[] = [];
    await using service = await startKeyTeller(keys);
    const environment = { ...none, TOPUP_BASE_URL: service.baseUrl, TOPUP_API_KEY: 'tk_live_mine' };
    const { code, stderr } = await guide(
      [
        ['What would you like?', enter],
        ['Which game?', interrupt],
      ],
      {
        ...{ args: ['guide'], environment },
      },
    );

    expect(code).toBe(130);
    expect(flowing(stderr)).toContain(
      `TOPUP_BASE_URL is ${service.baseUrl}, where no sandbox responds, so this trial uses a sandbox on this machine.`,
    );
    expect({ asked: service.asked, keys }).toEqual({ asked: ['GET /sandbox'], keys: ['tk_live_mine'] });
  });

  it('chooses another port if another server uses the default port', async () => {
    await using service = await startJsonService(200, { success: true, data: {} });
    const { stderr } = await guide(
      [
        ['What would you like?', enter],
        ['Which game?', interrupt],
      ],
      {
        environment: { PORT: new URL(service.baseUrl).port },
      },
    );

    expect(baseUrlIn(stderr)).not.toBe(service.baseUrl);
  });

  it('rejects an invalid port', async () => {
    const { code, stderr } = await guide([['What would you like?', enter]], {
      environment: { PORT: '99999' },
    });

    expect(code).toBe(2);
    expect(stderr).toContain('PORT');
  });
});
