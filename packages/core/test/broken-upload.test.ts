import { expect, it } from 'vitest';
import { sandboxKey } from '../src/engine/index.ts';
import { createTestService } from './helpers/test-service.ts';

it.each([{}, { 'Content-Length': '50' }])(
  'a body that its client breaks off is rejected, and is no error of the service: %j',
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
    } as RequestInit); // safe: the types of lib.dom do not know `duplex`, which Node needs
    const response = await app.fetch(request, { address: '127.0.0.1', direct: true });
    expect(response.status).toBe(422);
    expect(response.headers.get('x-error-code')).toBe('MALFORMED_JSON');
    expect(reported).toEqual([]);
  },
);
