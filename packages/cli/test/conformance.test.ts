import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { completeDialect, interfaceOnlyDialect, kitDialect, parseDialect } from '@topup-kit/core/contract';
import { afterAll, describe, expect, it } from 'vitest';
import { createRateLimitedFetch } from '../src/commands/conformance/conformance.ts';
import { startDialectService } from './helpers/dialect-service.ts';
import { temporaryFolder } from './helpers/folder.ts';
import { run } from './helpers/run.ts';
import { closedBaseUrl, startJsonService, startService } from './helpers/servers.ts';

const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());

const conformance = (baseUrl: string, ...args: string[]) =>
  run(['conformance', '--base-url', baseUrl, ...args]);

/** A service that differs where the interface is silent. */
const foreign = completeDialect({
  routes: { validatePromo: false },
  errorBodies: { notFound: 'envelope', promo: 'validation', malformed: 'message', http: 'message' },
  headers: { errorCode: false, requestId: false },
  emptyFields: 'absent',
  idempotency: 'ignored',
  messengerNumber: false,
  returnUrl: false,
  acceptRequired: true,
  expiryMinutes: { QRIS: 10, 'E-Wallet': 15, 'Virtual Account': 120, Retail: 180, 'Bank Transfer': 240 },
  timezone: 'UTC',
});

describe('topup conformance', () => {
  it('sends only GET requests without permission to write, and says so', async () => {
    await using service = await startDialectService(kitDialect);
    const { code, stderr } = await conformance(service.baseUrl);
    expect(code).toBe(0);
    expect(service.asked.filter((one) => !one.startsWith('GET '))).toEqual([]);
    expect(stderr).toContain(
      'Only GET requests were sent. --allow-writes also places orders, which are never paid.',
    );
  });

  it("prints a table of the results and of the service's choices where the interface is silent", async () => {
    await using service = await startDialectService(foreign);
    expect((await conformance(service.baseUrl)).stdout).toMatchInlineSnapshot(`
      "Interface  12 passed, 0 failed, 25 skipped
      This kit   15 passed, 0 failed, 100 skipped

      Where the interface is silent
        ENTRY                    SEEN       THIS KIT
        routes.getGame           yes
        routes.getCheckout       yes
        routes.listOrders        yes
        routes.getInvoice        yes
        routes.getPaymentStatus  yes
        routes.validatePromo     no         yes
        routes.checkAccount      yes
        routes.listEvents        yes
        errorBodies.notFound     envelope   business
        errorBodies.http         message    envelope
        headers.errorCode        no         yes
        headers.requestId        no         yes
        headers.etag             yes
        emptyFields              absent     documented
        language                 requested
        acceptRequired           yes        no
      "
    `);
  });

  it("learns a service's dialect and writes it to a file for others", async () => {
    await using service = await startDialectService(foreign);
    const file = join(folder.path, 'dialect.json');
    const { code, stderr } = await conformance(service.baseUrl, '--allow-writes', '--emit-dialect', file);
    const learned = JSON.parse(await readFile(file, 'utf8'));
    expect(code).toBe(0);
    expect(stderr).toMatch(/\d+ orders were placed; none is paid\.\nWrote the dialect to .*dialect\.json\./);
    // Entries that can't be observed are as in this kit, and this dialect has them so, too.
    expect(parseDialect(learned)).toEqual(foreign);
  });

  it('prints one document for programs under --json', async () => {
    await using service = await startDialectService(kitDialect);
    const { stdout, stderr } = await conformance(service.baseUrl, '--json');
    const document = JSON.parse(stdout);
    expect(document).toMatchObject({
      baseUrl: service.baseUrl,
      wrote: false,
      orders: 0,
      interface: { failed: 0 },
      extension: { failed: 0 },
      differences: [],
      dialect: { errorBodies: { http: 'envelope', notFound: 'business' } },
    });
    expect(document.unknown).toContain('errorBodies.rateLimited');
    expect(document.cases).toHaveLength(152);
    expect(stderr).not.toContain('Only GET');
  });

  it('reports each difference from the interface once, and exits with 1', async () => {
    const spoil = (path: string, body: string): string =>
      path === '/api/games'
        ? body.replaceAll('"sort":', '"rank":').replaceAll(/"populer":(true|false)/g, '"populer":"$1"')
        : body;
    await using service = await startDialectService(kitDialect, spoil);
    const { code, stdout } = await conformance(service.baseUrl, '--json');
    const { differences } = JSON.parse(stdout);
    const games = differences.filter(({ at }: { at?: string }) => at?.startsWith('$.games[].'));
    expect(code).toBe(1);
    // The same difference of several items is reported once, for the list.
    expect(differences.filter(({ at = '' }) => /\[\d+\]/.test(at))).toEqual([]);
    const common = { origin: 'interface', request: 'GET /games' };
    expect(games).toEqual([
      { ...common, kind: 'type', at: '$.games[].populer', expected: 'boolean', received: '"true"' },
      { ...common, kind: 'missing', at: '$.games[].sort', expected: 'number', received: 'nothing' },
      { ...common, kind: 'type', at: '$.games[].populer', expected: 'boolean', received: '"false"' },
      { ...common, kind: 'extra', at: '$.games[].rank', expected: 'no such field', received: 'number' },
    ]);
  });

  it('reports a different status and a different header', async () => {
    await using service = await startService((request, response) => {
      const known = request.headers['x-api-key'] !== undefined && request.url === '/api/games';
      const body = known ? { success: true, games: [], populerGames: [] } : { message: 'no' };
      response.writeHead(known ? 200 : 403, { 'Content-Type': 'text/json' }).end(JSON.stringify(body));
    });
    const { code, stdout } = await conformance(service.baseUrl);
    expect(code).toBe(1);
    expect(stdout).toMatch(/Expected +status 401\n +Received +403 /);
  });

  it('explains each failed check with sentence, place, expected value, received value, and the request as curl', async () => {
    const spoil = (path: string, body: string): string =>
      path === '/api/order' ? body.replace(/"payment_status":"UNPAID"/, '"payment_status":"NEW"') : body;
    await using service = await startDialectService(kitDialect, spoil);
    const { code, stdout } = await run(['conformance', '--allow-writes', '--base-url', service.baseUrl], {
      columns: 80,
    });

    expect(code).toBe(1);
    // Of the requests, some fields are longer than a line.
    const ofReport = stdout.split('\n').filter((line) => !/^ {2}("|-H '|--data)/.test(line));
    expect(ofReport.filter((line) => line.length > 80)).toEqual([]);
    const [, found = ''] = /Failed checks of the interface\n\n([\s\S]*?)\n\n(?=2\.)/.exec(stdout) ?? [];
    expect(found.replaceAll(service.baseUrl, '<server>/api')).toMatchInlineSnapshot(`
      "1. orders: POST /order responds with 201, success, message, orderId and data
         Contract  interface 4.2: data | object | Order (2.3) including Pricing (2.4)
         At        $.data.payment_status
         Expected  one of ["UNPAID","PAID","EXPIRED","FAILED","REFUND"]
         Received  "NEW"

      curl -i <server>/api/order \\
        -H 'Accept: application/json' \\
        -H "X-API-KEY: \${TOPUP_API_KEY}" \\
        -H 'Content-Type: application/json' \\
        --data-raw '{
        "id": "12345678",
        "whatsapp": "081234567890",
        "server": "2012",
        "game": "mobile-legends",
        "product_id": 901,
        "payment_method_id": 12
      }'"
    `);
  });

  it('shows a request that can be repeated in a shell with the key', async () => {
    let body = '';
    const sent: string[] = [];
    const spoil = (path: string, text: string): string =>
      path === '/api/order' ? text.replace(/"message":"Pesanan[^"]*"/, '"message":""') : text;
    await using service = await startDialectService(kitDialect, spoil);
    await using echo = await startService(async (request, response) => {
      for await (const chunk of request) body += chunk;
      sent.push(`${request.method} ${request.url} ${request.headers['x-api-key']}`);
      response.end();
    });
    const { stdout } = await conformance(service.baseUrl, '--allow-writes', '--json');
    const failed = JSON.parse(stdout).cases.find(({ outcome }: { outcome: string }) => outcome === 'failed');
    const command = failed.failure.curl.replace(service.baseUrl, echo.baseUrl);
    await promisify(execFile)('sh', ['-c', `${command} -s`], {
      env: { ...process.env, TOPUP_API_KEY: 'my key' },
    });

    expect(sent).toEqual(['POST /api/order my key']);
    expect(JSON.parse(body)).toMatchObject({ game: 'mobile-legends', product_id: 901 });
  });

  it('hides the key even if the service repeats it', async () => {
    const { key, spoilt } = { key: 'tk_secret_key_of_mine', spoilt: '{"message":"no"}' };
    await using service = await startService((request, response) => {
      const known = request.headers['x-api-key'] === key && request.url === '/api/games';
      const games = { success: true, games: [], populerGames: key, key };
      response.writeHead(known ? 200 : 418, { 'Content-Type': 'application/json' });
      response.end(
        known ? JSON.stringify(games) : spoilt.replace('no', `not ${request.headers['x-api-key']}`),
      );
    });
    const environment = { TOPUP_API_KEY: key };
    for (const more of [[], ['--json']]) {
      const { code, stdout, stderr } = await run(['conformance', '--base-url', service.baseUrl, ...more], {
        environment,
      });
      expect(code).toBe(1);
      expect(stdout + stderr).not.toContain(key);
      expect(stdout).toContain('TOPUP_API_KEY');
    }
  });

  it("doesn't count missing extensions as failures", async () => {
    const spoil = (path: string, body: string): string =>
      path.startsWith('/api/order/') ? body.replaceAll('"fee_percent":', '"fee_percentage":') : body;
    await using service = await startDialectService(kitDialect, spoil);
    const { code, stdout } = await conformance(service.baseUrl);
    expect(code).toBe(0);
    expect(stdout).toMatch(/this kit +missing +GET \/order\/\{slug\} +\$\.paymentMethods\[\]\.fee_percent /);
  });

  it("requires an order when a service doesn't list its products", async () => {
    await using service = await startDialectService(interfaceOnlyDialect);
    const silent = await conformance(service.baseUrl, '--allow-writes');
    expect(silent.stderr).toContain(
      'the service shows no product that can be ordered. Give an order with --order.',
    );
    expect(service.asked.filter((one) => !one.startsWith('GET '))).toEqual([]);

    const file = join(folder.path, 'order.json');
    const order = { id: '1', server: '2012', game: 'mobile-legends', product_id: 901, payment_method_id: 12 };
    await writeFile(file, JSON.stringify({ ...order, whatsapp: '081234567890', promo_code: 'RAMADAN10' }));
    const told = await conformance(service.baseUrl, '--allow-writes', '--order', file, '--json');
    const document = JSON.parse(told.stdout);
    expect([told.code, document.interface]).toEqual([0, { passed: 36, failed: 0, skipped: 1 }]);
  });

  it('rejects a file without an order before any request', async () => {
    await using service = await startDialectService(kitDialect);
    const file = join(folder.path, 'no-order.json');
    await writeFile(file, '{"id": "1"}');
    const { code, stderr } = await conformance(service.baseUrl, '--order', file);
    expect([code, service.asked]).toEqual([2, []]);
    expect(stderr).toContain('no-order.json contains no order: The game field is required. ');
  });

  it('stops on a signal without reporting a difference', async () => {
    const stop = new AbortController();
    await using service = await startDialectService(kitDialect, (path, body) => {
      if (path === '/api/no-such-route-at-all') stop.abort('SIGTERM');
      return body;
    });
    const ran = await run(['conformance', '--base-url', service.baseUrl], { signal: stop.signal });
    expect([ran.code, ran.stdout]).toEqual([143, '']);
    expect(ran.stderr).toContain('Stopped before all cases were run.');
  });

  it('reports a missing service or a rejected key', async () => {
    expect((await conformance(await closedBaseUrl())).code).toBe(5);
    await using service = await startJsonService(401, { message: 'Unauthorized' });
    expect((await conformance(service.baseUrl)).code).toBe(4);
  });
});

describe("a base URL that doesn't belong to a top-up service", () => {
  const file = join(folder.path, 'nowhere.json');

  it.each([
    ['a page', 200, 'text/html', '<!doctype html>', 1],
    ['a list', 200, 'application/json', '[]', 1],
    ['no such route', 404, 'application/json', '{"message":"no"}', 3],
    ['a failure', 500, 'text/html', '', 1],
  ])(
    'reports a wrong base URL after %s, and writes no dialect',
    async (_what, status, type, body, exitCode) => {
      await using service = await startService((_request, response) => {
        response.writeHead(status, { 'Content-Type': type }).end(body);
      });
      const { code, stdout, stderr } = await conformance(service.baseUrl, '--emit-dialect', file);
      expect([code, stdout, existsSync(file)]).toEqual([exitCode, '', false]);
      expect(stderr).toContain('this is not the base URL of a top-up service');
      expect(stderr).toContain('Check that the base URL is the address of the API');
    },
  );

  it('writes no dialect for a service that rejects the key', async () => {
    await using service = await startJsonService(401, { message: 'Unauthorized' });
    const { code, stderr } = await conformance(service.baseUrl, '--emit-dialect', file);
    expect([code, existsSync(file)]).toEqual([4, false]);
    expect(stderr).toMatch(/key/);
    expect(stderr).not.toContain('no base URL');
  });
});

describe('a service that limits the request rate', () => {
  it('repeats a rate-limited request after the wait, and reports the wait once', async () => {
    let count = 0;
    let told = 0;
    await using service = await startService((_request, response) => {
      count += 1;
      response.writeHead(count < 3 ? 429 : 200, { 'Retry-After': '0' }).end('{}');
    });
    const patience = createRateLimitedFetch({ signal: undefined, onWait: () => (told += 1) });
    const answer = await patience.fetch(service.baseUrl);
    expect([answer.status, count, told, patience.gaveUp()]).toEqual([200, 3, 1, false]);
  });

  it('gives up after a long rate limit, and sends no more requests', async () => {
    await using service = await startJsonService(429, {}, { 'Retry-After': '0' });
    const patience = createRateLimitedFetch({ signal: undefined, onWait: () => {} });
    const answer = await patience.fetch(service.baseUrl);
    expect([answer.status, service.asked.length, patience.gaveUp()]).toEqual([429, 5, true]);
    await expect(patience.fetch(service.baseUrl)).rejects.toThrow('the rate limit has not ended');
    expect(service.asked).toHaveLength(5);
  });

  it('ends without another report if a rate-limited command has already reported the wait', async () => {
    let count = 0;
    await using service = await startService((_request, response) => {
      count += 1;
      const headers = { 'Content-Type': 'application/json', 'Retry-After': '0' };
      response.writeHead(count > 4 ? 429 : 200, headers);
      response.end(JSON.stringify({ success: true, games: [], populerGames: [] }));
    });
    const { code, stdout, stderr } = await conformance(service.baseUrl);
    expect([code, stdout, count]).toEqual([7, '', 9]);
    expect(stderr.match(/Waiting for the rate limit/g)).toHaveLength(1);
    expect(stderr).toContain('The rate limit did not end');
  });
});
