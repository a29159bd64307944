import { expect, it } from 'vitest';
import { defaultLimits } from '../src/app/index.ts';
import { sandboxKey } from '../src/contract/index.ts';
import { createTestService } from './helpers/test-service.ts';

it.each([{}, { 'Content-Length': '50' }])(
  'rejects a body that its client cuts off, without an internal error: %j',
  async (headers) => {
    const { app, reported } = await createTestService();
    const body = new ReadableStream({
      pull(controller) {
        controller.error(new Error('aborted'));
      },
    });
    const request = new Request('http://localhost/api/order', {
      method: 'POST',
      headers: { 'X-API-KEY': sandboxKey, ...headers },
      body,
      duplex: 'half',
    } as RequestInit); // Safe: the types of lib.dom do not know `duplex`, which Node needs.
    const response = await app.fetch(request, { address: '127.0.0.1', direct: true });
    expect(response.status).toBe(422);
    expect(response.headers.get('x-error-code')).toBe('MALFORMED_JSON');
    expect(reported).toEqual([]);
  },
);

it.each(['with its length', 'in chunks'])(
  'accepts a body %s up to the limit, and rejects a longer body',
  async (how) => {
    const { app } = await createTestService();
    const responseTo = async (length: number) => {
      const text = '{}'.padEnd(length);
      const headers = { 'X-API-KEY': sandboxKey, 'Content-Type': 'application/json' };
      const init =
        how === 'in chunks'
          ? { headers, body: new Blob([text]).stream(), duplex: 'half' }
          : { headers: { ...headers, 'Content-Length': String(length) }, body: text };
      // Safe: the types of lib.dom do not know `duplex`, which Node needs.
      const request = new Request('http://localhost/api/order', { method: 'POST', ...init } as RequestInit);
      const response = await app.fetch(request);
      return [response.status, response.headers.get('X-Error-Code'), (await response.json()).message];
    };
    expect((await responseTo(defaultLimits.bodyBytes)).slice(0, 2)).toEqual([422, 'VALIDATION_ERROR']);
    expect(await responseTo(defaultLimits.bodyBytes + 1)).toEqual([
      413,
      'PAYLOAD_TOO_LARGE',
      'Ukuran body melebihi 65536 byte.',
    ]);
  },
);
