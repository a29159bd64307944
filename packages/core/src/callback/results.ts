import * as z from 'zod/mini';
import type { CallbackReading } from './callback.ts';

const reason = z.string();

const reading = z.discriminatedUnion('state', [
  z.object({ state: z.literal('news'), news: z.unknown() }),
  z.object({ state: z.literal('ignored'), reason }),
  z.object({ state: z.literal('rejected'), status: z.literal([400, 401]), reason }),
]);

/**
 * Checks what the `read` of an adapter returned, because no type checks it when the program runs.
 *
 * @throws TypeError that names the invalid field.
 */
export function parseCallbackReading(value: unknown): CallbackReading<unknown> {
  const parsed = reading.safeParse(value);
  if (parsed.success) return parsed.data;
  const place = ['result', ...(parsed.error.issues[0]?.path ?? [])].join('.');
  throw new TypeError(
    `The adapter's callbacks.read returned an invalid ${place}: see CallbackReading in @topup-kit/server.`,
  );
}
