import { describe, expect, it } from 'vitest';
import { entries } from './entries.ts';
import { baseUrl, orderRequest, rejection } from './responses.ts';

const mebibyte = new TextEncoder().encode('"'.padEnd(2 ** 20, 'x'));

/** A body of so many MiB, which counts what was read of it. */
function largeBody(size: number) {
  const read = { mebibytes: 0, cancelled: false };
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (read.mebibytes === size) return controller.close();
        read.mebibytes += 1;
        controller.enqueue(mebibyte);
      },
      cancel() {
        read.cancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return { body, read };
}

describe.each(entries)('%s', (_entry, create) => {
  it("stops reading a response that is too large, and doesn't request it again", async () => {
    const { body, read } = largeBody(99);
    const client = create({ baseUrl, fetch: async () => new Response(body) });

    expect(await rejection(client.games.list())).toMatchObject({
      name: 'TopupResponseError',
      code: 'RESPONSE_TOO_LARGE',
      attempts: 1,
      retryable: false,
    });
    expect(read).toEqual({ mebibytes: 17, cancelled: true });
  });

  it('reports an unknown outcome if the response to an order is too large', async () => {
    const client = create({ baseUrl, fetch: async () => new Response(largeBody(99).body, { status: 201 }) });

    expect(await rejection(client.orders.create(orderRequest))).toMatchObject({
      code: 'UNKNOWN_OUTCOME',
      cause: { code: 'RESPONSE_TOO_LARGE' },
    });
  });

  it('keeps the status of a large error response', async () => {
    const client = create({ baseUrl, fetch: async () => new Response(largeBody(99).body, { status: 403 }) });

    expect(await rejection(client.games.list())).toMatchObject({ code: 'FORBIDDEN', status: 403 });
  });

  it('reads a response with text in other scripts', async () => {
    const text = JSON.stringify({ title: 'Légendes 原神 🎮' });
    const bytes = new TextEncoder().encode(text);
    const parts = [bytes.slice(0, 13), bytes.slice(13, 20), bytes.slice(20)];
    const body = new ReadableStream({
      pull: (controller) => {
        const part = parts.shift();
        if (part) controller.enqueue(part);
        else controller.close();
      },
    });

    expect(await create({ baseUrl, fetch: async () => new Response(body) }).request('GET', '/x')).toEqual({
      title: 'Légendes 原神 🎮',
    });
  });
});
