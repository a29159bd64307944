import { isTopupError, signWebhook, verifyWebhook, webhooks } from '@topup-kit/sdk';
import { describe, expect, it, vi } from 'vitest';
import { rejection } from '../responses.ts';
import { bodies, now, otherSecret, paid, secret } from './events.ts';

const sign = (by: string | string[] = secret, at = now) =>
  signWebhook({ ...paid, id: 'evt_5d41402abc4b2a76b9719d91' }, by, { now: at });

/** A webhook of Standard Webhooks' own specification. */
const vector = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  body: '{"test": 2432232314}',
  headers: {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  },
};

describe('verifyWebhook', () => {
  it.each([...bodies])('resolves with the event of %s', async (type, body) => {
    const signed = await signWebhook(JSON.parse(body), secret, { now });
    const event = await verifyWebhook(signed.body, signed.headers, secret, { now });

    expect(signed.body).toBe(body);
    expect(event).toEqual({ id: signed.headers['webhook-id'], ...JSON.parse(body) });
    expect(event.type).toBe(type);
  });

  it('rejects an unknown option, such as a misspelt tolerance, as signWebhook does', async () => {
    const { headers, body } = await sign();
    const options = { now, tolerence: 1 };

    expect(await rejection(verifyWebhook(body, headers, secret, options))).toMatchObject({
      code: 'INVALID_OPTION',
      message: expect.stringContaining('Did you mean tolerance?'),
    });
    expect(await rejection(signWebhook(paid, secret, { now, ...{ nwo: now } }))).toMatchObject({
      code: 'INVALID_OPTION',
    });
  });

  it("accepts the specification's example, whose body is not an event", async () => {
    const check = (headers: Record<string, string>) =>
      rejection(verifyWebhook(vector.body, headers, vector.secret, { now: 1614265330_000 }));

    expect(await check(vector.headers)).toMatchObject({ code: 'INVALID_WEBHOOK_BODY' });
    expect(await check({ ...vector.headers, 'webhook-id': 'msg_other' })).toMatchObject({
      code: 'INVALID_WEBHOOK_SIGNATURE',
    });
  });

  it('passes on an event of an unknown type, with unknown fields', async () => {
    const body = JSON.stringify({ ...paid, type: 'order.archived', version: 2 });
    const { headers } = await signWebhook({ ...paid, type: 'order.archived' }, secret, { now });
    const signed = await signWebhook(JSON.parse(body), secret, { now });

    const event = await verifyWebhook(signed.body, { ...signed.headers }, secret, { now });

    expect(String(event.type)).toBe('order.archived');
    expect(headers['webhook-id']).not.toBe(event.id);
  });

  it('offers verifyWebhook as webhooks.unwrap as well', async () => {
    const { body, headers } = await sign();

    expect(await webhooks.unwrap(body, headers, secret, { now })).toMatchObject({ type: 'order.paid' });
  });

  const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

  it.each([
    ['text', (text: string) => text],
    ['bytes', utf8],
    ["bytes in Node's Buffer", (text: string) => Buffer.from(`(${text})`).subarray(1, -1)],
    ['an ArrayBuffer', (text: string) => utf8(text).buffer],
    ['a DataView', (text: string) => new DataView(utf8(text).buffer)],
  ])('accepts a body as %s', async (_what, as) => {
    const signed = await signWebhook({ type: 'webhook.test', data: { message: '龍🐉' } }, secret, { now });

    expect(await verifyWebhook(as(signed.body), signed.headers, secret, { now })).toMatchObject({
      data: { message: '龍🐉' },
    });
  });

  it('accepts bytes and headers from another realm, as in simulated browsers', async () => {
    const { runInNewContext } = await import('node:vm');
    const { body, headers } = await sign();
    const numbers = [...utf8(body)].join();
    const { bytes, own } = runInNewContext(
      `({ bytes: new Uint8Array([${numbers}]), own: ${JSON.stringify(headers)} })`,
    );

    expect(bytes).not.toBeInstanceOf(Uint8Array);
    expect(await verifyWebhook(bytes, own, secret, { now })).toMatchObject({ type: 'order.paid' });
    expect(await verifyWebhook(bytes.buffer, own, secret, { now })).toMatchObject({ type: 'order.paid' });
  });

  it.each([
    ['Headers', (headers: Record<string, string>) => new Headers(headers)],
    ['names in upper case', (headers: Record<string, string>) => upper(headers, (value) => value)],
    ['lists of values', (headers: Record<string, string>) => upper(headers, (value) => [value])],
    [
      'other headers without a value',
      (headers: Record<string, string>) => ({ cookie: undefined, ...headers }),
    ],
  ])('accepts headers as %s', async (_what, as) => {
    const { body, headers } = await sign();

    expect(await verifyWebhook(body, as(headers), secret, { now })).toMatchObject({ type: 'order.paid' });
  });

  function upper<Value>(
    headers: Record<string, string>,
    as: (value: string) => Value,
  ): Record<string, Value> {
    return Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), as(value)]),
    );
  }

  it('accepts one of several secrets, and one of several signatures, during a rotation', async () => {
    const old = await sign(secret);
    const both = await sign([otherSecret, secret]);

    expect(both.headers['webhook-signature'].split(' ')).toHaveLength(2);
    expect(await verifyWebhook(old.body, old.headers, [otherSecret, secret], { now })).toBeDefined();
    expect(await verifyWebhook(both.body, both.headers, otherSecret, { now })).toBeDefined();
    expect(await verifyWebhook(both.body, both.headers, secret, { now })).toBeDefined();
  });

  it('ignores signatures of other versions', async () => {
    const { body, headers } = await sign();
    const own = headers['webhook-signature'];
    const check = (signature: string) =>
      verifyWebhook(body, { ...headers, 'webhook-signature': signature }, secret, { now });

    expect(await check(`v1a,AAAA v2,${own.slice(3)} ${own}`)).toBeDefined();
    expect(await rejection(check(`v1a,${own.slice(3)} v2,${own.slice(3)}`))).toMatchObject({
      code: 'INVALID_WEBHOOK_SIGNATURE',
    });
  });

  it.each([
    ['the body', 'body', (text: string) => text.replace('PAID', 'PAIR')],
    ['white space in the body', 'body', (text: string) => JSON.stringify(JSON.parse(text), null, 1)],
    ['the id', 'webhook-id', (text: string) => `${text}0`],
    ['the time', 'webhook-timestamp', (text: string) => String(Number(text) + 1)],
    ['the signature', 'webhook-signature', (text: string) => text.replace(/^v1,./, 'v1,~')],
    ['the end of the signature', 'webhook-signature', (text: string) => text.slice(0, -1)],
  ])('rejects a manipulated webhook: %s', async (_what, part, change) => {
    const { body, headers } = await sign();
    const values = new Map(Object.entries({ ...headers, body }));
    values.set(part, change(values.get(part) ?? ''));
    const { body: sent = '', ...others } = Object.fromEntries(values);

    expect(await rejection(verifyWebhook(sent, others, secret, { now }))).toMatchObject({
      name: 'TopupWebhookError',
      code: 'INVALID_WEBHOOK_SIGNATURE',
      retryable: false,
    });
  });

  it('rejects a signature that another secret made', async () => {
    const { body, headers } = await sign(otherSecret);

    expect(await rejection(verifyWebhook(body, headers, secret, { now }))).toMatchObject({
      code: 'INVALID_WEBHOOK_SIGNATURE',
    });
  });

  it.each([
    ['five minutes after', 300_000, true],
    ['later', 300_001, false],
    ['five minutes before, by the clock here', -300_000, true],
    ['earlier', -301_000, false],
  ])('checks a time that is %s: %i ms', async (_what, later, accepted) => {
    const { body, headers } = await sign();
    const verified = verifyWebhook(body, headers, secret, { now: now + later });

    if (accepted) expect(await verified).toBeDefined();
    else
      expect(await rejection(verified)).toMatchObject({
        code: 'STALE_WEBHOOK',
        message: 'The webhook-timestamp is more than 300 s from the time of this machine.',
      });
  });

  it('uses the clock and the tolerance in the options', async () => {
    const old = await sign(secret, Date.now() - 60_000);

    expect(await verifyWebhook(old.body, old.headers, secret)).toBeDefined();
    expect(
      await rejection(verifyWebhook(old.body, old.headers, secret, { tolerance: 50_000 })),
    ).toMatchObject({ code: 'STALE_WEBHOOK' });
    vi.useFakeTimers({ now: Date.now() + 300_000 });
    expect(await rejection(verifyWebhook(old.body, old.headers, secret))).toMatchObject({
      code: 'STALE_WEBHOOK',
    });
    vi.useRealTimers();
  });

  it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])(
    'reports the missing header %s',
    async (name) => {
      const { body, headers } = await sign();
      const without = (value: string | string[] | undefined) => ({ ...headers, [name]: value });

      for (const value of [undefined, '', []])
        expect(await rejection(verifyWebhook(body, without(value), secret, { now }))).toMatchObject({
          code: 'MISSING_WEBHOOK_HEADER',
          message: `The request has no header ${name}.`,
        });
    },
  );

  it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])(
    'rejects two values of %s in any form that a server uses',
    async (name) => {
      const { body, headers } = await sign();
      const own = new Map(Object.entries(headers)).get(name) ?? '';
      const joined = new Headers(headers);
      joined.append(name, `${own}0`);

      for (const given of [
        joined,
        { ...headers, [name]: [own, `${own}0`] },
        { ...headers, [name.toUpperCase()]: `${own}0` },
      ])
        expect(await rejection(verifyWebhook(body, given, secret, { now }))).toMatchObject({
          name: 'TopupWebhookError',
        });
    },
  );

  it.each([
    '',
    ' ',
    'v1',
    'v1,',
    ',',
    'v1,%%%',
    'null',
    '0x10',
    '-1',
    '1e999',
    'NaN',
    '\u0000',
    'x'.repeat(10_000),
  ])('rejects the header %j with its own error', async (garbage) => {
    const { body, headers } = await sign();
    for (const name of ['webhook-timestamp', 'webhook-signature', 'webhook-id'])
      expect(
        await rejection(verifyWebhook(body, { ...headers, [name]: garbage }, secret, { now })),
      ).toMatchObject({ name: 'TopupWebhookError' });
  });

  it.each([[undefined], [null], [7], [[]], ['text']])(
    'rejects %j as headers with its own error',
    async (garbage) => {
      const { body } = await sign();
      // Safe: plain JavaScript may pass this value.
      const headers = garbage as unknown as Headers;

      expect(await rejection(verifyWebhook(body, headers, secret))).toMatchObject({
        code: 'MISSING_WEBHOOK_HEADER',
      });
    },
  );

  it.each([[paid], [undefined], [null], [7], [Object.create(null)]])(
    'explains that a body must not be parsed: %o',
    async (garbage) => {
      const { headers } = await sign();
      // Safe: plain JavaScript may pass this value.
      const body = garbage as unknown as string;

      expect(await rejection(verifyWebhook(body, headers, secret, { now }))).toMatchObject({
        code: 'INVALID_WEBHOOK_BODY',
        message: 'The body must be the text or the bytes of the request as they arrived, not parsed.',
      });
    },
  );

  it.each([
    '',
    'text',
    'null',
    '[]',
    '7',
    '{}',
    '{"type":"order.paid"}',
    '{"type":7,"timestamp":"2026-03-28T03:05:00Z","data":{}}',
    '{"type":"order.paid","timestamp":"2026-03-28T03:05:00Z","data":null}',
    '{"type":"order.paid","timestamp":1774667100,"data":{}}',
  ])('rejects a signed body that is not an event: %s', async (body) => {
    const { signWebhook: signatureOf } = await import('@topup-kit/core/contract');
    const timestamp = now / 1000;
    const headers = {
      'webhook-id': 'evt_1',
      'webhook-timestamp': String(timestamp),
      'webhook-signature': await signatureOf({ id: 'evt_1', timestamp, body, secret }),
    };

    expect(await rejection(verifyWebhook(body, headers, secret, { now }))).toMatchObject({
      code: 'INVALID_WEBHOOK_BODY',
      message: 'The signed body is not an event.',
    });
  });

  it.each([
    [undefined, 'missing'],
    ['', 'wrong'],
    [[], 'missing'],
    ['a-secret', 'wrong'],
    [[secret, 'x'], 'wrong'],
  ])('reports that the secret is invalid, without showing it: %j', async (given, problem) => {
    const { body, headers } = await sign();
    const error = await rejection(verifyWebhook(body, headers, given, { now }));

    expect(isTopupError(error, 'INVALID_WEBHOOK_SECRET')).toBe(true);
    expect(error).toMatchObject({
      name: 'TopupUsageError',
      message: `The webhook secret is ${problem}. A webhook secret is "whsec_" and the base64 of 24 to 64 bytes.`,
    });
    expect(await rejection(signWebhook(paid, given))).toMatchObject({ code: 'INVALID_WEBHOOK_SECRET' });
  });

  it('shows neither the secret nor the body in its errors', async () => {
    const { body, headers } = await sign(otherSecret);
    const error = await rejection(verifyWebhook(body, headers, secret, { now }));
    const { inspect } = await import('node:util');

    for (const shown of [inspect(error), JSON.stringify(error)])
      expect(shown).not.toMatch(/whsec_AQEB|081234567890/);
    expect(isTopupError(error, 'INVALID_WEBHOOK_SIGNATURE')).toBe(true);
  });
});

describe('signWebhook', () => {
  it('signs an event with the current time and a new id', async () => {
    const signed = await signWebhook({ type: 'order.paid', data: paid.data }, secret);
    const another = await signWebhook({ type: 'order.paid', data: paid.data }, secret);
    const { id, timestamp } = await verifyWebhook(signed.body, signed.headers, secret);

    expect(id).toMatch(/^evt_[\da-f]{24}$/);
    expect(another.headers['webhook-id']).not.toBe(id);
    expect(Math.abs(Date.parse(timestamp) - Date.now())).toBeLessThan(10_000);
  });

  it('returns the parts that a Request needs', async () => {
    const request = new Request('https://shop.test/webhooks', await sign());

    expect([request.method, request.headers.get('content-type')]).toEqual(['POST', 'application/json']);
    expect(await verifyWebhook(await request.text(), request.headers, secret, { now })).toMatchObject(paid);
  });
});
