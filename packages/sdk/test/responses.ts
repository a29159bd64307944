import type { Fetch } from '@topup-kit/sdk';
import { vi } from 'vitest';

/** A fetch that gives every request this answer. */
export const answering =
  (status: number, body: unknown, headers: Record<string, string> = {}): Fetch =>
  async () =>
    Response.json(body, { status, headers });

/** What an order has to be answered with at least; enough for a read too. */
export const made = { success: true, orderId: 'INV-1-ABCDEFGH' };

/** A fetch that keeps the requests it gets and answers each with `made`. */
export function recording(): { fetch: Fetch; requests: Request[] } {
  const requests: Request[] = [];
  const fetch: Fetch = async (request) => {
    requests.push(request.clone()); // ky cancels what is left of a body
    return Response.json(made);
  };
  return { fetch, requests };
}

/** What the call rejects with; fails when it does not reject. */
export async function rejection(call: Promise<unknown>): Promise<unknown> {
  try {
    await call;
  } catch (error) {
    return error;
  }
  throw new Error('the call was expected to reject');
}

/** A body that begins and then neither goes on nor ends. */
export const stalledBody = (): ReadableStream<Uint8Array> =>
  new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode('{"success":')) });

/** A body whose connection is cut in the middle. */
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

/** What a call comes to under faked timers, which this moves on until then. */
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
