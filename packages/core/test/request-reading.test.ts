import { describe, expect, it } from 'vitest';
import { fromFetchRequest } from '../src/app/fetch.ts';
import { createRequestIds, readJsonBody, type SentRequest } from '../src/app/http.ts';
import { idempotencyEcho, readIdempotencyKey } from '../src/app/routes/create-order.ts';
import { interfaceOnlyDialect, kitDialect } from '../src/contract/index.ts';
import { DomainError } from '../src/features/index.ts';
import { secureRandom } from '../src/platform/index.ts';

const requestWith = (headers: Record<string, string>, body?: BodyInit): SentRequest =>
  fromFetchRequest(
    new Request('http://localhost/api/order', { method: 'POST', headers, body: body ?? null }),
  );

/** What is read, or the code and the fields of the error. */
async function outcomeOf(read: () => unknown): Promise<unknown> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return [error.code, error.fields ?? null];
  }
}

const json = { 'Content-Type': 'application/json' };
const notJson = ['MALFORMED_JSON', { body: [{ rule: 'json' }] }];
const noObject = ['MALFORMED_JSON', { body: [{ rule: 'jsonObject' }] }];

describe('the body of a request', () => {
  it.each<[string, Record<string, string>, BodyInit | undefined, unknown]>([
    ['an object', json, '{"a":1}', { a: 1 }],
    ['nothing', json, undefined, {}],
    ['an empty body of another type', { 'Content-Type': 'text/plain' }, undefined, {}],
    ['an object without a type', {}, new TextEncoder().encode('{"a":1}'), { a: 1 }],
    ['an object with another JSON type', { 'Content-Type': 'application/vnd.shop+json' }, '{}', {}],
    ['a type with a parameter', { 'Content-Type': 'application/json ; charset=utf-8' }, '{}', {}],
    ['text', { 'Content-Type': 'text/plain' }, '{}', ['UNSUPPORTED_MEDIA_TYPE', null]],
    ['half an object', json, '{"a":', notJson],
    ['bytes that are not UTF-8', json, new Uint8Array([0x22, 0xff, 0x22]), notJson],
    ['an array', json, '[]', noObject],
    ['null', json, 'null', noObject],
    ['a text', json, '"a"', noObject],
    ['a number', json, '1', noObject],
  ])('accepts or rejects the body: %s', async (_what, headers, body, expected) => {
    expect(await outcomeOf(() => readJsonBody(requestWith(headers, body), 100))).toEqual(expected);
  });

  it.each(['with its length', 'in chunks'])(
    'accepts %s up to the limit, and rejects a longer body',
    async (how) => {
      const outcome = (length: number) => {
        const headers = how === 'in chunks' ? json : { ...json, 'Content-Length': String(length) };
        return outcomeOf(() => readJsonBody(requestWith(headers, '{}'.padEnd(length)), 10));
      };
      expect(await outcome(10)).toEqual({});
      expect(await outcome(11)).toEqual(['PAYLOAD_TOO_LARGE', null]);
    },
  );
});

describe('the Idempotency-Key of a request', () => {
  const read = (key: string | null, dialect = kitDialect) =>
    outcomeOf(() => readIdempotencyKey(requestWith(key === null ? {} : { 'Idempotency-Key': key }), dialect));
  const empty = ['VALIDATION_ERROR', { 'Idempotency-Key': [{ rule: 'header' }] }];
  const tooLong = [
    'VALIDATION_ERROR',
    { 'Idempotency-Key': [{ rule: 'headerLength', params: { limit: 255 } }] },
  ];

  it.each([
    ['none', null, null],
    ['bare', 'one', 'one'],
    ['quoted', '"one"', 'one'],
    ['with a quote only at its beginning', '"one', '"one'],
    ['with a quote only at its end', 'one"', 'one"'],
    ['with quotes within it', 'a"one"b', 'a"one"b'],
    ['empty', '', empty],
    ['empty between quotes', '""', empty],
    ['of the maximum length', 'x'.repeat(255), 'x'.repeat(255)],
    ['of the maximum length without its quotes', `"${'x'.repeat(255)}"`, 'x'.repeat(255)],
    ['too long', 'x'.repeat(256), tooLong],
  ])('accepts or rejects the key: %s', async (_what, key, expected) => {
    expect(await read(key)).toEqual(expected);
  });

  it('ignores spaces around an idempotency key, which some hosts add', () => {
    for (const sent of [' one ', ' "one" ']) {
      const request = { ...requestWith({}), header: () => sent };
      expect(readIdempotencyKey(request, kitDialect)).toBe('one');
    }
  });

  it('ignores the idempotency key if the dialect says so', async () => {
    expect(await read('', interfaceOnlyDialect)).toBeNull();
  });

  it('returns the idempotency key in the response', () => {
    expect(idempotencyEcho(requestWith({ 'Idempotency-Key': 'one' }))).toEqual({ 'Idempotency-Key': 'one' });
    expect(idempotencyEcho(requestWith({}))).toEqual({});
  });
});

it("uses the client's request id if a log can contain it, or else a new id", () => {
  const next = createRequestIds(secureRandom);
  for (const own of ['a', 'shop:order.1-2_3', 'x'.repeat(64)]) expect(next(own)).toBe(own);
  const made = [null, undefined, '', 'two words', 'x'.repeat(65), 'a\n', 'tk_live_abc'].map(next);
  expect(made[0]).toMatch(/^req_[0-9a-z]{8}_[0-9a-z]+$/);
  expect(made.map((id) => id.slice(0, 12))).toEqual(made.map(() => made[0]?.slice(0, 12)));
  expect(new Set(made).size).toBe(made.length);
  expect(made.every((id) => /^[\w.:-]{1,64}$/.test(id))).toBe(true);
});
