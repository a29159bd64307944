import { describe, expect, it } from 'vitest';
import { version } from '../../src/version.ts';
import { apiKey, games, order, proxyTo } from './proxy-to.ts';

describe('what the proxy sends to the service', () => {
  it("sends a read with the interface's headers, and only the language header from the browser", async () => {
    const { ask, sent } = proxyTo(games);
    await ask('/games', {
      headers: {
        Accept: 'text/html',
        'Accept-Language': 'id',
        Authorization: 'Bearer of-the-shop',
        Cookie: 'session=of-the-shop',
        'User-Agent': 'Mozilla/5.0',
        'X-API-KEY': 'mine',
        'X-Forwarded-For': '127.0.0.1',
        'X-Forwarded-Host': 'evil.test',
        'X-Request-Id': 'mine',
        'X-Topup-Scenario': 'gateway-down',
        'If-None-Match': '*',
        Range: 'bytes=0-1',
        Origin: 'https://site.example',
      },
    });
    const [request] = sent;
    expect(Object.fromEntries(request?.headers ?? [])).toEqual({
      accept: 'application/json',
      'accept-language': 'id',
      'user-agent': `topup-kit-proxy/${version}`,
      'x-api-key': apiKey,
    });
    expect(request?.redirect).toBe('manual');
    expect(request?.body).toBeNull();
  });

  it.each([
    ['203.0.113.7', '203.0.113.7'],
    // One visitor has a whole network.
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['unknown', null],
    ['203.0.113.7, 203.0.113.8', null],
    ['', null],
  ])('sends the address %j as %j with passCustomerIp', async (address, expected) => {
    const { ask, sent } = proxyTo(games, { passCustomerIp: true });
    await ask('/games', { headers: { 'X-Topup-Customer-IP': '198.51.100.1' } }, { address });
    expect(sent[0]?.headers.get('X-Topup-Customer-IP')).toBe(expected);
  });

  it('sends no address without passCustomerIp, even if the browser sends one', async () => {
    const { ask, sent } = proxyTo(games);
    await ask('/games', { headers: { 'X-Topup-Customer-IP': '198.51.100.1' } });
    expect(sent[0]?.headers.has('X-Topup-Customer-IP')).toBe(false);
  });

  it.each([
    ['the header', { 'X-Topup-World': 'checkout-7', Cookie: 'topup_world=other' }, 'checkout-7'],
    ['the cookie', { Cookie: 'session=of-the-shop; topup_world=checkout-7; a=b' }, 'checkout-7'],
    ['neither', { Cookie: 'not_topup_world=checkout-7' }, null],
  ])('sends the world of %s with passWorld', async (_name, headers, expected) => {
    const { ask, sent } = proxyTo(games, { passWorld: true });
    await ask('/games', { headers });
    expect(sent[0]?.headers.get('X-Topup-World')).toBe(expected);
    expect(sent[0]?.headers.has('Cookie')).toBe(false);
  });

  it('sends no world without passWorld', async () => {
    const { ask, sent } = proxyTo(games);
    await ask('/games', { headers: { 'X-Topup-World': 'checkout-7', Cookie: 'topup_world=checkout-7' } });
    expect(sent[0]?.headers.has('X-Topup-World')).toBe(false);
  });

  it("sends an order's unchanged body and Idempotency-Key", async () => {
    const { ask, sent } = proxyTo(games);
    const body = '{ "nickname" : "\\u00e9\u{1f600}", "nickname":1e400, "__proto__": {} }\n';
    await ask(
      '/order',
      order(body, { 'Idempotency-Key': 'key-1', 'Content-Type': 'Application/JSON; charset=utf-8' }),
    );
    const [request] = sent;
    expect(Object.fromEntries(request?.headers ?? [])).toEqual({
      accept: 'application/json',
      'content-type': 'application/json',
      'idempotency-key': 'key-1',
      'user-agent': `topup-kit-proxy/${version}`,
      'x-api-key': apiKey,
    });
    expect(await request?.text()).toBe(body);
  });

  it.each(['two words', 'k\u00e9y', 'a'.repeat(256), ''])(
    'sends the Idempotency-Key %j unchanged, and lets the service reject it',
    async (key) => {
      const { ask, sent } = proxyTo(games);
      await ask('/order', order('{}', { 'Idempotency-Key': key }));
      expect(sent[0]?.headers.get('Idempotency-Key')).toBe(key);
    },
  );

  it('sends two Idempotency-Key headers as one invalid key', async () => {
    const { ask, sent } = proxyTo(games);
    const headers = new Headers({ 'Content-Type': 'application/json' });
    headers.append('Idempotency-Key', 'one');
    headers.append('Idempotency-Key', 'two');
    await ask('/order', { method: 'POST', headers, body: '{}' });
    expect(sent[0]?.headers.get('Idempotency-Key')).toBe('one, two');
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application/jsonp',
    '',
  ])('rejects a body of type %j, which a form could send, with a 415', async (type) => {
    const { ask, sent } = proxyTo(games);
    const response = await ask('/order', order('{}', { 'Content-Type': type }));
    expect(response.status).toBe(415);
    expect(response.headers.get('X-Error-Code')).toBe('UNSUPPORTED_MEDIA_TYPE');
    expect(sent).toEqual([]);
  });

  it('accepts a body of exactly maxBodyBytes, and rejects one byte more with a 413', async () => {
    const { ask, sent } = proxyTo(games, { maxBodyBytes: 10 });
    expect((await ask('/order', order('"12345678"'))).status).toBe(200);
    const response = await ask('/order', order('"123456789"'));
    expect(response.status).toBe(413);
    expect(response.headers.get('X-Error-Code')).toBe('PAYLOAD_TOO_LARGE');
    expect(sent).toHaveLength(1);
  });

  it('accepts bodies up to 64 KiB by default', async () => {
    const { ask } = proxyTo(games);
    expect((await ask('/order', order('1'.repeat(65_536)))).status).toBe(200);
    expect((await ask('/order', order('1'.repeat(65_537)))).status).toBe(413);
  });

  it.each([{}, { 'Content-Length': '2' }, { 'Content-Length': '-1' }, { 'Content-Length': 'few' }])(
    'reads an endless body with headers %o only up to its limit',
    async (headers) => {
      let given = 0;
      let cancelled = false;
      const body = new ReadableStream<Uint8Array>({
        pull: (controller) => {
          given += 1000;
          controller.enqueue(new Uint8Array(1000));
        },
        cancel: () => {
          cancelled = true;
        },
      });
      const { ask, sent } = proxyTo(games, { maxBodyBytes: 5000 });
      const init = { ...order('', headers), body, duplex: 'half' };
      expect((await ask('/order', init)).status).toBe(413);
      expect(given).toBeLessThanOrEqual(8000);
      expect(cancelled).toBe(true);
      expect(sent).toEqual([]);
    },
  );

  it("doesn't read a body with too large a Content-Length", async () => {
    const body = new ReadableStream({ pull: () => expect.unreachable() }, { highWaterMark: 0 });
    const { ask } = proxyTo(games);
    const init = { ...order('', { 'Content-Length': '65537' }), body, duplex: 'half' };
    expect((await ask('/order', init)).status).toBe(413);
  });

  it('rejects a body that never ends with a 408 after the timeout', async () => {
    const { ask, sent } = proxyTo(games, { timeout: 20 });
    const init = { ...order(''), body: new ReadableStream(), duplex: 'half' };
    const response = await ask('/order', init);
    expect(response.status).toBe(408);
    expect(response.headers.get('X-Error-Code')).toBe('REQUEST_TIMEOUT');
    expect(sent).toEqual([]);
  });

  it('rejects a body with a 400 if its connection breaks, and sends nothing', async () => {
    const { ask, sent } = proxyTo(games);
    const body = new ReadableStream({ pull: (controller) => controller.error(new Error('reset')) });
    const init = { ...order(''), body, duplex: 'half' };
    expect((await ask('/order', init)).status).toBe(400);
    expect(sent).toEqual([]);
  });

  it('rejects a body that was already read with a 500, and gives this reason', async () => {
    const { proxy, sent } = proxyTo(games);
    const request = new Request('https://site.example/api/topup/order', order());
    await request.text();
    const response = await proxy(request, { address: undefined });
    expect(response.status).toBe(500);
    expect((await response.json()).message).toContain('read before');
    expect(sent).toEqual([]);
  });
});
