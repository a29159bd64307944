import { expect, it } from 'vitest';
import { readBytes } from '../src/http/index.ts';

/** An endless body, and how much of it was read. */
function endless() {
  const seen = { chunks: 0, cancelled: false };
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      pull(controller) {
        seen.chunks += 1;
        controller.enqueue(new Uint8Array(10));
      },
      cancel() {
        seen.cancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return { body, seen };
}

it('reads a whole body', async () => {
  expect(await readBytes(new Response('abc').body, 3)).toEqual(new TextEncoder().encode('abc'));
  expect(await readBytes(null, 3)).toEqual(new Uint8Array());
});

it('stops reading a body at its limit', async () => {
  const { body, seen } = endless();
  expect(await readBytes(body, 25)).toBeUndefined();
  expect(seen).toEqual({ chunks: 3, cancelled: true });
});

it('stops when the signal is aborted', async () => {
  const { body, seen } = endless();
  expect(await readBytes(body, 25, AbortSignal.abort())).toEqual(new Uint8Array());
  expect(seen).toEqual({ chunks: 0, cancelled: true });
});
