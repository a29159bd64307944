import { connect } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sandboxKey } from '@topup-kit/core/contract';
import { describe, expect, it } from 'vitest';
import { callbackGateway, callbackSupplier, signed } from '../../core/test/helpers/providers.ts';
import { hideSecrets, LoggedError, redactText } from '../src/observability/redact.ts';
import { startLogged } from './helpers/log.ts';
import { fixtureOrder, temporaryFolder } from './helpers/sandbox.ts';

/** A word that must never be in the log, for everything that a client, a customer or a provider sends. */
const canary = (of: string): string => `CANARY${of}`;

/** An error as careless HTTP clients throw it: with its request, and with keys in its text. */
class CarelessError extends Error {
  config = { headers: { Authorization: canary('header') } };
  request = canary('property');
  constructor(secret: string) {
    super(
      `POST https://user:${canary('password')}@pay.example/?api_key=${canary('query')} failed for ${secret}: {"secret":"${canary('json')}"} Authorization: Bearer ${canary('bearer')}`,
      { cause: new Error(`token is ${canary('cause')}`) },
    );
    this.stack = `${this.message}\n${canary('frame')}\n${this.stack}`;
  }
}

describe('a server that logs everything', () => {
  it('never logs a secret, or content from a customer or a provider', async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'topup.db');
    const apiKey = `${canary('own-key')}-0123456789`;
    const token = `${canary('token')}-0123456789`;
    let isBroken = false;
    const careless = async (): Promise<never> => {
      throw new CarelessError(apiKey);
    };
    const { gateway } = callbackGateway();
    const { supplier } = callbackSupplier();
    const log = await startLogged(
      { TOPUP_STORE: `file:${path}`, TOPUP_API_KEY: apiKey, TOPUP_METRICS_TOKEN: token },
      {
        gateway: {
          ...gateway,
          createPayment: (request, signal) =>
            isBroken ? careless() : gateway.createPayment(request, signal),
          findPayment: careless,
        },
        supplier: { ...supplier, submit: careless, find: careless, readBalance: careless },
      },
    );
    await using server = log.server;
    /** The bodies of all errors, without the path of the request, which some of them name. */
    const errors: string[] = [];
    async function request(url: string, init: RequestInit): Promise<Response> {
      const response = await fetch(url, init);
      if (response.status >= 400)
        errors.push((await response.clone().text()).replaceAll(new URL(url).pathname, ''));
      return response;
    }
    const headers = {
      'X-API-KEY': apiKey,
      'Content-Type': 'application/json',
      'User-Agent': canary('agent'),
      Cookie: canary('cookie'),
      Referer: `https://shop.example/${canary('referer')}`,
      Origin: `https://${canary('origin')}.example`,
      Accept: `application/json;v=${canary('accept')}`,
      'Accept-Language': canary('language'),
      'X-Forwarded-For': canary('forwarded'),
      [`X-${canary('header-name')}`]: '1',
    };
    const customer = {
      ...fixtureOrder,
      id: '77712345678',
      whatsapp: '081277712345',
      email: `${canary('mail')}@example.com`,
      nickname: canary('name'),
    };
    const order = (body: unknown = customer, more: Record<string, string> = {}) =>
      request(`${server.baseUrl}/order`, {
        method: 'POST',
        headers: { ...headers, ...more },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      });

    const placed = await order(customer, { 'Idempotency-Key': canary('idempotency') });
    expect(placed.status).toBe(201);
    const { orderId } = await placed.json();
    isBroken = true;
    expect((await order()).status).toBe(500);
    await order(`{"id": "${canary('body')}`);
    await order({ ...customer, id: canary('field'), promo_code: canary('promo') });
    await order(customer, { 'X-Request-Id': `${canary('id')}"` });
    expect((await order(customer, { 'X-Topup-Scenario': canary('scenario') })).status).toBe(422);
    for (const field of Object.keys({ ...customer, messenger_number: '' }))
      for (const value of [canary(field), { [canary(field)]: canary(field) }])
        await order({ ...customer, [field]: value, [canary('unknown-field')]: canary(field) });
    for (const field of ['code', 'game_slug', 'product_id', 'payment_method_id', 'whatsapp'])
      await request(`${server.baseUrl}/promo/validate`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ code: 'RAMADAN10', game_slug: 'mobile-legends', [field]: canary(field) }),
      });
    for (const control of ['advance', 'scenario', `orders/${canary('control')}/pay`])
      await request(`${server.publicUrl}/sandbox/${control}`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ by: canary('by'), name: canary('scenario-name') }),
      });
    for (const route of [
      `/games?search=${canary('search')}`,
      `/games/${canary('slug')}`,
      `/invoice/${canary('invoice')}`,
      `/invoice/${orderId}/payment-status`,
      `/${canary('route')}`,
    ])
      for (const key of [apiKey, canary('wrong-key'), sandboxKey])
        await request(server.baseUrl + route, { headers: { ...headers, 'X-API-KEY': key } });
    for (const route of [
      `/pay/${canary('reference')}`,
      `/${canary('page')}`,
      `/metrics?${canary('metrics')}`,
    ])
      await request(server.publicUrl + route, {
        headers: { ...headers, Accept: 'text/html', Authorization: `Bearer ${token}` },
      });
    for (const body of [
      JSON.stringify({
        reference: `R-${orderId}`,
        orderId,
        report: { status: 'paid', amount: 40_000, at: null },
        confirm: false,
        note: canary('callback'),
      }),
      'private{',
      'throw',
      canary('callback'),
    ]) {
      const call = signed(body);
      await request(`${server.publicUrl}/callback/paygate`, {
        method: 'POST',
        headers: call.headers,
        body: new TextDecoder().decode(call.body),
      });
    }
    const socket = connect(Number(new URL(server.localUrl).port), '127.0.0.1');
    socket.end(`GET /${canary('raw')} HTTP/1.1\r\nHost: a\r\nHost: ${canary('host')}\r\n\r\n`);
    for await (const _chunk of socket);
    // Until the supplier was asked.
    await expect.poll(() => log.lines('a provider was called').map(({ call }) => call)).toContain('submit');

    const db = new DatabaseSync(path);
    // The index would notice.
    db.exec(
      `DROP INDEX orders_target; UPDATE orders SET details = '{"${canary('row')}' WHERE order_id = '${orderId}'`,
    );
    db.close();
    const damaged = await request(`${server.baseUrl}/invoice/${orderId}`, {
      headers: { ...headers, 'X-Request-Id': 'damaged' },
    });
    expect(damaged.status).toBe(500);
    expect(await log.request('damaged')).toMatchObject({
      err: { message: expect.stringContaining('column details holds no JSON') },
    });

    const all = log.texts.join('');
    expect(log.texts.length).toBeGreaterThan(40);
    expect(all.match(/.{0,60}CANARY[\w-]*/g) ?? []).toEqual([]);
    expect(errors.length).toBeGreaterThan(40);
    expect(errors.join('').match(/.{0,60}(CANARY|can.?ary)[\w-]*/g) ?? []).toEqual([]);
    const metrics = await fetch(`${server.publicUrl}/metrics`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    expect(metrics.status).toBe(200);
    const measured = await metrics.text();
    expect(measured).toContain('topup_http_request_duration_seconds');
    expect(measured).not.toMatch(/canary|77712345678|INV-/i);
    expect(all).not.toMatch(/77712345678|81277712345|secret-in-an-error.*secret-in/);
    expect(all).not.toContain(sandboxKey);
  });
});

describe('an error in the log', () => {
  it('logs only the type, the code, the message, the stack and the causes of an error', () => {
    const cause = Object.assign(new TypeError('inner'), { code: 'ECONNREFUSED', address: '10.0.0.1' });
    const logged = new LoggedError(new Error('outer', { cause }));
    expect(Object.keys(JSON.parse(JSON.stringify(logged))).sort()).toEqual([
      'cause',
      'message',
      'stack',
      'type',
    ]);
    expect(logged).toMatchObject({
      type: 'Error',
      message: 'outer',
      cause: { type: 'TypeError', code: 'ECONNREFUSED', message: 'inner' },
    });
    expect(logged.stack).toMatch(/^ +at /);
    expect(logged.cause).not.toHaveProperty('address');
  });

  it('logs at most 500 characters of a message', () => {
    const { message } = new LoggedError(new Error('<p>'.repeat(10_000)));
    expect(message).toBe(`${'<p>'.repeat(167).slice(0, 499)}…`);
  });

  it('stops at circular causes', () => {
    const error = new Error('round');
    error.cause = error;
    expect(JSON.stringify(new LoggedError(error)).match(/round/g)?.length).toBe(5);
  });

  it.each([
    ['apikey: 12345', 'apikey: [secret]'],
    ['"server_key":"abc def"', '"server_key":"[secret] def"'],
    ['Authorization: Basic dXNlcjpwYXNz', 'Authorization: [secret]'],
    ['sent Basic dXNlcjpwYXNz', 'sent Basic [secret]'],
    ['?sign=abc&amount=5', '?sign=[secret]&amount=5'],
    ['https://user:pass@host/path', 'https://[secret]@host/path'],
    ['the server key is SB-1234abcd!', 'the server key is [secret]'],
    [sandboxKey, 'tk_test_[secret]'],
    ['Unexpected token \'p\', "private" is not valid JSON', 'A text is not valid JSON.'],
    ['Tripay: POST /transaction/create got a response with status 500 that is not JSON.', undefined],
    ['INV-20261122213237-IKSMBNFW could not be paid: the signature is wrong', undefined],
  ])('hides only secrets in the text: %s', (text, expected = text) => {
    expect(redactText(text)).toBe(expected);
  });

  it("hides the settings' secrets everywhere, including in JSON and in URLs", () => {
    const hide = hideSecrets(['a"b\\c d', 'a"b', 'a"b\\c d-and-more']);
    const line = JSON.stringify({ text: 'x a"b\\c d-and-more y', url: encodeURIComponent('a"b\\c d') });
    expect(hide(line)).toBe('{"text":"x [secret] y","url":"[secret]"}');
  });
});
