import type { Fetch } from '@topup-kit/sdk';

/** A fetch that gives every request this answer. */
export const answering =
  (status: number, body: unknown, headers: Record<string, string> = {}): Fetch =>
  async () =>
    Response.json(body, { status, headers });

/** A fetch that keeps the requests it gets and answers each with 200 `{}`. */
export function recording(): { fetch: Fetch; requests: Request[] } {
  const requests: Request[] = [];
  const fetch: Fetch = async (request) => {
    requests.push(request.clone()); // ky cancels what is left of a body
    return Response.json({});
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

export const orderRequest = {
  id: '12345678',
  server: '2012',
  game: 'mobile-legends',
  product_id: 901,
  payment_method_id: 12,
  whatsapp: '081234567890',
};
