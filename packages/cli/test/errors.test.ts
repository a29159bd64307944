import { createTopupClient, isTopupError } from '@topup-kit/sdk';
import { describe, expect, it } from 'vitest';
import { sandboxBaseUrl as baseUrl, type ServiceConnection } from '../src/service/connection.ts';
import { fromSdkError } from '../src/service/from-sdk.ts';
import { fakeTerminal } from './helpers/fake-terminal.ts';
import { fixtureOrder } from './helpers/order.ts';
import { run, start, until } from './helpers/run.ts';
import { closedBaseUrl, startJsonService, startSandbox, startService } from './helpers/servers.ts';

const list = ['games', 'list', '--base-url'];

describe('an error response', () => {
  it.each([
    [401, { message: 'Unauthorized' }, 4, 'UNAUTHORIZED'],
    [403, { success: false, message: 'Ditolak.', error_code: 'FORBIDDEN', errors: {} }, 4, 'FORBIDDEN'],
    [404, { success: false, message: 'Game tidak ditemukan.' }, 3, 'NOT_FOUND'],
    [409, { success: false, message: 'Bentrok.' }, 6, 'HTTP_ERROR'],
    [422, { success: false, message: 'Kuota habis.' }, 6, 'REJECTED'],
    [429, { message: 'Too Many Attempts.' }, 7, 'RATE_LIMITED'],
    [500, { message: 'Server Error' }, 1, 'SERVER_ERROR'],
  ])('%i %j exits with %i', async (status, body, exitCode, code) => {
    await using service = await startJsonService(status, body);

    const { code: exited, stdout } = await run([...list, service.baseUrl, '--json']);

    expect(exited).toBe(exitCode);
    expect(JSON.parse(stdout)).toMatchObject({ error: { code } });
  });

  it.each([
    ['1', 'Wait 1 second before you try again.'],
    ['90', 'Wait 90 seconds before you try again.'],
    [undefined, 'Wait 60 seconds before you try again.'],
  ])('explains how long to wait after 429 with Retry-After %s', async (retryAfter, advice) => {
    const headers = retryAfter === undefined ? {} : { 'Retry-After': retryAfter };
    await using service = await startJsonService(429, { message: 'Too Many Attempts.' }, headers);

    expect((await run([...list, service.baseUrl])).stderr).toContain(advice);
  });

  it('shows only the source and the last characters of a rejected key', async () => {
    await using service = await startJsonService(401, { message: 'Unauthorized' });
    const TOPUP_API_KEY = 'tk_live_0123456789abcdefghij';

    const { stderr } = await run([...list, service.baseUrl], { environment: { TOPUP_API_KEY } });

    expect(stderr).toBe(
      'Error: Unauthorized\nCode: UNAUTHORIZED\nThe key used came from TOPUP_API_KEY, ending in ghij.\n' +
        'Set another key with TOPUP_API_KEY, --key-file or login. On your own server, this creates one:\n' +
        '  topup keys create --name my-key\n',
    );
  });

  it('names the flag for a field that has another name', async () => {
    const message = 'The product id field is required.';
    await using service = await startJsonService(422, {
      message,
      errors: { product_id: [message], odd: ['No.'] },
    });

    const { stderr } = await run([...list, service.baseUrl]);

    expect(stderr).toContain(`  --product (product_id)  ${message}\n  odd                     No.\n`);
  });

  it('describes a single invalid field once', async () => {
    const message = 'The product id field is required.';
    await using service = await startJsonService(422, { message, errors: { product_id: [message] } });

    const { stderr } = await run([...list, service.baseUrl]);

    expect(stderr).toContain(`Error: ${message}\n  --product (product_id)\nCode: VALIDATION_ERROR\n`);
  });

  it.each([
    ['GAME_NOT_FOUND', 404, 'games list'],
    ['GAME_CLOSED', 404, 'games list'],
    ['PRODUCT_NOT_FOUND', 404, 'games show mobile-legends'],
    ['PRODUCT_OUT_OF_STOCK', 404, 'games show mobile-legends'],
    ['PAYMENT_LIMIT', 422, 'games show mobile-legends'],
  ])(
    'suggests for an order, %s, a command line that uses the same service',
    async (error_code, status, line) => {
      const body = { success: false, message: 'Tidak.', error_code, errors: {} };
      await using service = await startJsonService(status, body, { 'X-Error-Code': error_code });

      const { stderr } = await run([
        ...fixtureOrder,
        '--base-url',
        service.baseUrl,
        '--idempotency-key',
        'k',
      ]);

      expect(stderr).toContain(`\n  topup ${line} --base-url ${service.baseUrl}\n`);
    },
  );

  it("wraps an error's hint at the terminal's width, and keeps command lines whole", async () => {
    const terminal = { ...fakeTerminal(), columns: 50 };
    const args = ['games', 'list', '--base-url', 'https://shop.example/api'];

    const { stderr } = await run(args, { terminal });

    expect(stderr).toMatchInlineSnapshot(`
      "Error: No key for https://shop.example, so nothing was sent.
      Set TOPUP_API_KEY to your key, name a file with
      --key-file, or save the key in a profile with
      \`topup login\`.
      "
    `);
  });

  it('escapes control characters in an error', async () => {
    const message = 'Gone.\u001b]0;title\u0007\n\u001b[2J\u202eevil\u009b';
    await using service = await startJsonService(404, { message }, { 'X-Request-Id': 'req_1' });

    const { stderr } = await run([...list, service.baseUrl]);

    expect(stderr).toContain('Error: Gone.\\u{1b}]0;title\\u{07}\n\\u{1b}[2J\\u{202e}evil\\u{9b}\n');
  });

  it('prints only the error on stdout under --json', async () => {
    const errors = { product_id: ['The product id field is required.'] };
    const message = 'The product id field is required.';
    await using service = await startJsonService(422, { message, errors }, { 'X-Request-Id': 'req_7' });

    const { stdout } = await run([...list, service.baseUrl, '--json']);

    expect(JSON.parse(stdout)).toEqual({
      error: {
        code: 'VALIDATION_ERROR',
        message,
        hint: expect.stringContaining('topup games show <slug>'),
        request_id: 'req_7',
        fields: errors,
        idempotency_key: null,
      },
    });
  });
});

describe('a base URL without the path of the API', () => {
  it('shows the requested URL and suggests a base URL', async () => {
    await using server = await startSandbox();
    const origin = new URL(server.baseUrl).origin;

    const { code, stderr } = await run([...list, origin]);

    expect(code).toBe(3);
    expect(stderr).toContain(`Error: No route was found at ${origin}/games.\n`);
    expect(stderr).toContain(`The base URL has no path, which is often /api. Try ${origin}/api.\n`);
  });

  it('suggests a base URL when an optional route is missing', async () => {
    await using server = await startSandbox();
    const origin = new URL(server.baseUrl).origin;

    const { stderr } = await run(['games', 'show', 'mobile-legends', '--base-url', `${origin}/`]);

    expect(stderr).toContain(`Try ${origin}/api.\n`);
  });
});

describe('no response', () => {
  it("reports that the service doesn't respond", async () => {
    const baseUrl = await closedBaseUrl();

    const { code, stderr } = await run([...list, baseUrl]);

    expect(code).toBe(5);
    expect(stderr).toContain(`Error: No response from ${baseUrl} (ECONNREFUSED).\n`);
    expect(stderr).toContain('Check that the service is up, and that --base-url is its base URL.');
  });

  it('explains how to start the sandbox on this machine', async () => {
    const connection: ServiceConnection = {
      ...{ baseUrl, urlSource: 'default', apiKey: 'tk', keySource: 'default' },
      urlFrom: 'default',
      keyFrom: 'default',
      profile: { name: 'default', from: 'default', settings: {}, path: '/nowhere' },
    };
    const client = createTopupClient({ baseUrl, fetch: () => Promise.reject(new TypeError('refused')) });

    const error = await client.games.list().catch((reason: unknown) => reason);

    expect(
      isTopupError(error) &&
        fromSdkError(error, { connection, program: 'topup', commandLine: (args) => args }),
    ).toMatchObject({
      message: 'No response from http://127.0.0.1:4000/api (the connection failed).',
      details: {
        exitCode: 5,
        hint: 'Start a sandbox with `topup serve --sandbox`, or set TOPUP_BASE_URL to your service.',
      },
    });
  });

  it('reports that an order was not sent', async () => {
    expect(await run([...fixtureOrder, '--base-url', await closedBaseUrl()])).toMatchObject({ code: 5 });
  });

  it('reports a response with HTML instead of JSON', async () => {
    await using service = await startService((_request, response) => response.end('<h1>Shop</h1>'));

    const { code, stderr } = await run([...list, service.baseUrl]);

    expect(code).toBe(1);
    expect(stderr).toContain('Check that the base URL is the address of the API');
  });
});

describe('an order with an unknown outcome exits with 8, and explains how to repeat it', () => {
  it.each([
    ['a cut connection', () => startService((request) => request.socket.destroy())],
    ['500', () => startJsonService(500, { message: 'Server Error' })],
    ['201 without JSON', () => startService((_request, response) => response.writeHead(201).end('{"succ'))],
  ])('reports an unknown outcome after %s', async (_case, startBroken) => {
    await using service = await startBroken();

    const { code, stderr } = await run([
      ...[...fixtureOrder, '--base-url', service.baseUrl],
      ...['--idempotency-key', 'order-7'],
    ]);

    expect(code).toBe(8);
    expect(stderr).toContain('Run the same command again with\n  --idempotency-key order-7\n');
    expect(service.asked).toEqual(['POST /api/order']);
  });

  it('exits with 8 after a signal during an order', async () => {
    const stop = new AbortController();
    await using service = await startService(() => {});

    const { code, written } = start([...fixtureOrder, '--base-url', service.baseUrl], {
      signal: stop.signal,
    });
    await until(() => service.asked.length > 0);
    stop.abort('SIGINT');

    expect(await code).toBe(8);
    expect(written.stderr).toMatch(/Stopped before the response came\.\n[\s\S]*Run the same command again/);
  });

  it('prints the idempotency key of an order with an unknown outcome for programs', async () => {
    await using service = await startJsonService(500, {});

    const { stdout } = await run([...fixtureOrder, '--base-url', service.baseUrl, '--json']);

    expect(JSON.parse(stdout)).toMatchObject({
      error: { code: 'SERVER_ERROR', idempotency_key: expect.stringMatching(/^\S{32,}$/) },
    });
  });

  it('reports a failure when a service that honours the key rejects the order', async () => {
    const body = JSON.stringify({ success: false, message: 'Gagal menyimpan pesanan.' });
    await using service = await startService((request, response) => {
      const echo = { 'Idempotency-Key': String(request.headers['idempotency-key']) };
      response.writeHead(500, { 'X-Error-Code': 'SAVE_FAILED', ...echo }).end(body);
    });

    expect(await run([...fixtureOrder, '--base-url', service.baseUrl])).toMatchObject({ code: 1 });
  });
});

describe('internal errors', () => {
  const startPlain = () => startJsonService(200, { success: true, games: [], populerGames: [] });
  const onWrite = (): never => {
    throw new TypeError('a fault of the program');
  };

  it('prints an internal error as one line without a stack', async () => {
    await using service = await startPlain();

    const { code, stderr } = await run([...list, service.baseUrl], { onWrite });

    expect(code).toBe(1);
    expect(stderr).toMatch(
      /Error: Unexpected error: .*\nPlease report it. TOPUP_DEBUG=1 shows where it happened\.\n$/,
    );
    expect(stderr).not.toContain('    at ');
  });

  it('prints the stack of an internal error on request', async () => {
    await using service = await startPlain();

    const { stderr } = await run([...list, service.baseUrl], {
      onWrite,
      environment: { TOPUP_DEBUG: '1' },
    });

    expect(stderr).toMatch(/\n {4}at /);
  });
});

describe('a signal during a read', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ])('exits with the code for the signal %s', async (signal, exitCode) => {
    const stop = new AbortController();
    await using service = await startService(() => {});

    const { code } = start([...list, service.baseUrl], { signal: stop.signal });
    await until(() => service.asked.length > 0);
    stop.abort(signal);

    expect(await code).toBe(exitCode);
  });
});
