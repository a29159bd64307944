import { webhookHeaders } from '@topup-kit/core/contract';
import { checkNames } from '../request/check-options.ts';
import { keysOf } from './secret.ts';

/** Options of `signWebhook`. */
export interface SignWebhookOptions {
  /**
   * Time of sending, in unix milliseconds; now by default.
   *
   * @example
   * ```ts
   * const old = await signWebhook(event, secret, { now: Date.now() - 600_000 });
   * ```
   */
  now?: number | undefined;
}

/**
 * Signs an event like the service, to test a webhook handler. The event is a `TopupEvent`, or any other object with a type and data.
 * Resolves with the method, headers and body of the request. With several secrets, as during a rotation, each signs the request.
 *
 * @throws {TopupUsageError} if the secret is missing or invalid.
 *
 * @example
 * ```ts
 * const webhook = await signWebhook({ type: 'webhook.test', data: { message: 'Hello' } }, secret);
 * const request = new Request('https://shop.example/webhooks', webhook);
 * ```
 */
export async function signWebhook(
  {
    id = `evt_${crypto.randomUUID().replaceAll('-', '').slice(8)}`,
    type,
    timestamp,
    data,
  }: {
    /** Id of the event; random by default. */
    id?: string | undefined;
    /** Type of the event, such as `order.paid`. */
    type: string;
    /** Time of the event: ISO 8601 in UTC; now by default. */
    timestamp?: string | undefined;
    /** Data of the event, such as the order. */
    data: unknown;
  },
  secret: string | readonly string[] | undefined,
  options: SignWebhookOptions = {},
): Promise<{
  method: 'POST';
  headers: Record<'content-type' | 'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>;
  body: string;
}> {
  checkNames(options, { now: true });
  const { now = Date.now() } = options;
  keysOf(secret);
  const body = JSON.stringify({ type, timestamp: timestamp ?? new Date(now).toISOString(), data });
  const signed = { id, timestamp: Math.floor(now / 1000), body, secrets: [secret ?? []].flat() };
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(await webhookHeaders(signed)) },
    body,
  };
}
