import type { Fetch } from '@topup-kit/sdk';
import { vi } from 'vitest';

/** A fetch that returns this response for every request. */
export const responding =
  (status: number, body: unknown, headers: Record<string, string> = {}): Fetch =>
  async () =>
    Response.json(body, { status, headers });

/** A minimal response to an order, also enough for a read. */
export const made = { success: true, orderId: 'INV-1-ABCDEFGH' };

/** A fetch that records its requests and returns a response of `made` for each. */
export function recording(): { fetch: Fetch; requests: Request[] } {
  const requests: Request[] = [];
  const fetch: Fetch = async (request) => {
    requests.push(request.clone()); // ky cancels what is left of a body
    return Response.json(made);
  };
  return { fetch, requests };
}

/** The error of a call. Fails when the call does not reject. */
export async function rejection(call: Promise<unknown>): Promise<unknown> {
  try {
    await call;
  } catch (error) {
    return error;
  }
  throw new Error('the call was expected to reject');
}

/** A body that starts and then hangs. */
export const stalledBody = (): ReadableStream<Uint8Array> =>
  new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode('{"success":')) });

/** A body whose connection breaks in the middle. */
export const cutBody = (): ReadableStream<Uint8Array> => {
  const chunks = [new TextEncoder().encode('{"success":')];
  return new ReadableStream({
    pull(controller) {
      const chunk = chunks.shift();
      if (chunk === undefined) controller.error(new TypeError('terminated'));
      else controller.enqueue(chunk);
    },
  });
};

export const baseUrl = 'http://shop.test/api';

export const promoRequest = {
  code: 'RAMADAN10',
  game_slug: 'mobile-legends',
  product_id: 901,
  payment_method_id: 12,
};

export const orderRequest = {
  id: '12345678',
  server: '2012',
  game: 'mobile-legends',
  product_id: 901,
  payment_method_id: 12,
  whatsapp: '081234567890',
};

/** The outcome of a call with fake timers, which are advanced until then. */
export async function underFakeTimers<Data>(call: Promise<Data>): Promise<{ data?: Data; error?: unknown }> {
  let end: { data?: Data; error?: unknown } | undefined;
  call.then(
    (data) => {
      end = { data };
    },
    (error: unknown) => {
      end = { error };
    },
  );
  for (let steps = 0; end === undefined && steps < 100; steps += 1) await vi.advanceTimersByTimeAsync(5_000);
  if (end === undefined) throw new Error('the call was expected to end');
  return end;
}
