import { equalInConstantTime, signWebhookWith, webhookHeaderNames } from '@topup-kit/core/contract';
import { TopupWebhookError } from '../errors/webhook-error.ts';
import type { TopupEvent } from '../generated/types.ts';
import { checkNames } from '../request/check-options.ts';
import { keysOf } from './secret.ts';

type WebhookBody = string | ArrayBuffer | ArrayBufferView;

type WebhookHeadersInput =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Options of `verifyWebhook`. */
export interface VerifyWebhookOptions {
  /**
   * Maximum difference between the time of a webhook and yours, in milliseconds; 300,000 (five minutes) by default. After this time, nobody
   * can send a recorded webhook again.
   *
   * @example
   * ```ts
   * await verifyWebhook(body, headers, secret, { tolerance: 60_000 });
   * ```
   */
  tolerance?: number | undefined;
  /**
   * Your time, in unix milliseconds; the system clock by default. Set it only in tests.
   *
   * @example
   * ```ts
   * await verifyWebhook(body, headers, secret, { now: Date.now() });
   * ```
   */
  now?: number | undefined;
}

/** Returns the values of a header, joined as in the Fetch standard, so that a repeated header has no valid signature. */
function headerOf(headers: WebhookHeadersInput, name: string): string {
  if (typeof headers?.get === 'function') return headers.get(name) ?? '';
  return Object.entries(headers ?? {})
    .filter(([key]) => key.toLowerCase() === name)
    .flatMap(([, value]) => value ?? [])
    .join(', ');
}

/** Returns a body as text or bytes. Accepts bytes from another realm, such as that of a simulated browser. */
function rawBody(body: WebhookBody): string | Uint8Array {
  if (typeof body === 'string') return body;
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  if (Object.prototype.toString.call(body) === '[object ArrayBuffer]') return new Uint8Array(body);
  throw new TopupWebhookError(
    'INVALID_WEBHOOK_BODY',
    'The body must be the text or the bytes of the request as they arrived, not parsed.',
  );
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

function parseEvent(id: string, body: string | Uint8Array): TopupEvent {
  let parsed: unknown;
  try {
    parsed = JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body));
  } catch {}
  if (
    isObject(parsed) &&
    typeof parsed.type === 'string' &&
    typeof parsed.timestamp === 'string' &&
    isObject(parsed.data)
  )
    // Safe: the signature proves that the service sent it.
    return { ...parsed, id } as unknown as TopupEvent;
  throw new TopupWebhookError('INVALID_WEBHOOK_BODY', 'The signed body is not an event.');
}

/**
 * Checks that a request is a webhook of your service, and resolves with its event. The event's `type` determines the type of its `data`.
 * Respond with a 2xx status within 15 seconds, before any slow work. The same event may arrive several times, always with the same `id`.
 * Webhooks are an extension of Topup Kit, signed according to Standard Webhooks.
 *
 * @param body the body exactly as received, as text or bytes; JSON that was parsed and written again has other bytes
 * @param headers the headers of the request: `Headers`, or an object with names in any case, such as `request.headers` in Node
 * @param secret the secret of your endpoint, or several secrets during a rotation
 *
 * @throws {TopupWebhookError} if the request is not a webhook of your service; its code names the failed check.
 * @throws {TopupUsageError} if the secret is missing or invalid, or an option is unknown.
 *
 * @example
 * ```ts
 * async function handle(request: Request): Promise<Response> {
 *   const secret = process.env.TOPUP_WEBHOOK_SECRET;
 *   const event = await verifyWebhook(await request.text(), request.headers, secret);
 *   if (event.type === 'order.delivered') console.log(event.data.order.serial_number);
 *   return new Response(null, { status: 204 });
 * }
 * ```
 */
export async function verifyWebhook(
  body: string | ArrayBuffer | ArrayBufferView,
  headers:
    | { get(name: string): string | null }
    | Readonly<Record<string, string | readonly string[] | undefined>>,
  secret: string | readonly string[] | undefined,
  options: VerifyWebhookOptions = {},
): Promise<TopupEvent> {
  checkNames(options, { tolerance: true, now: true });
  const { tolerance = 300_000, now = Date.now() } = options;
  const keys = keysOf(secret);
  const [id = '', time = '', signatures = ''] = Object.values(webhookHeaderNames).map((name) => {
    const value = headerOf(headers, name);
    if (value) return value;
    throw new TopupWebhookError('MISSING_WEBHOOK_HEADER', `The request has no header ${name}.`);
  });
  const raw = rawBody(body);
  const timestamp = Number(time);
  // The negation also rejects a header that is not a number.
  if (!(Math.abs(now - timestamp * 1000) <= tolerance))
    throw new TopupWebhookError(
      'STALE_WEBHOOK',
      `The ${webhookHeaderNames.timestamp} is more than ${tolerance / 1000} s from the time of this machine.`,
    );
  const expected = await Promise.all(keys.map((key) => signWebhookWith(key, { id, timestamp, body: raw })));
  if (!expected.some((own) => signatures.split(' ').some((given) => equalInConstantTime(own, given))))
    throw new TopupWebhookError(
      'INVALID_WEBHOOK_SIGNATURE',
      "No signature matches: the secret is another endpoint's, or the body was changed.",
    );
  return parseEvent(id, raw);
}

/** `verifyWebhook` under its name in other SDKs. */
export const webhooks: { readonly unwrap: typeof verifyWebhook } = {
  /** Checks that a request is a webhook of your service, and resolves with its event: `verifyWebhook`. */
  unwrap: verifyWebhook,
};
