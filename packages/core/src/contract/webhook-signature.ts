/** Headers of a webhook, with the names of Standard Webhooks (source: ours). */
export const webhookHeaderNames = {
  id: 'webhook-id',
  timestamp: 'webhook-timestamp',
  signature: 'webhook-signature',
} as const;

/** A webhook to sign. */
export interface UnsignedWebhook {
  /** The `webhook-id`: the event's id, which is the same in every attempt. */
  id: string;
  /** The `webhook-timestamp`: unix seconds of this attempt. */
  timestamp: number;
  /** The exact body to send. */
  body: string | Uint8Array;
}

export type WebhookHeaders = Record<(typeof webhookHeaderNames)[keyof typeof webhookHeaderNames], string>;

const secretPrefix = 'whsec_';
const secretBytes = { least: 24, most: 64 };

/** Describes a valid secret without repeating the invalid text. */
export const webhookSecretRule = 'A webhook secret is "whsec_" and the base64 of 24 to 64 bytes.';

const toBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));

/** Returns the key of a secret; undefined for an invalid secret. */
export function webhookKey(secret: string): Uint8Array<ArrayBuffer> | undefined {
  // This code rejects white space and base64 with a truncated end, because atob accepts both.
  const [, encoded] =
    /^whsec_((?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?)$/.exec(secret) ?? [];
  if (encoded === undefined) return undefined;
  const key = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
  return key.length >= secretBytes.least && key.length <= secretBytes.most ? key : undefined;
}

/** Tells whether a string is a webhook secret. */
export const isWebhookSecret = (text: string): boolean => webhookKey(text) !== undefined;

/**
 * Creates a secret from random bytes.
 *
 * @throws {RangeError} for fewer than 24 bytes, or more than 64.
 */
export function createWebhookSecret(randomBytes: Uint8Array): string {
  const secret = `${secretPrefix}${toBase64(randomBytes)}`;
  if (!isWebhookSecret(secret)) throw new RangeError(webhookSecretRule);
  return secret;
}

function signedBytes({ id, timestamp, body }: UnsignedWebhook): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const start = encoder.encode(`${id}.${timestamp}.`);
  const end = typeof body === 'string' ? encoder.encode(body) : body;
  const bytes = new Uint8Array(start.length + end.length);
  bytes.set(start);
  bytes.set(end, start.length);
  return bytes;
}

/** Signs a webhook with a key. `signWebhook` signs with a secret. */
export async function signWebhookWith(
  key: Uint8Array<ArrayBuffer>,
  webhook: UnsignedWebhook,
): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const imported = await crypto.subtle.importKey('raw', key, algorithm, false, ['sign']);
  const signature = await crypto.subtle.sign('HMAC', imported, signedBytes(webhook));
  return `v1,${toBase64(new Uint8Array(signature))}`;
}

/**
 * Signs a webhook by Standard Webhooks: `v1,` and the base64 of the HMAC-SHA256 over `{id}.{timestamp}.{body}`.
 *
 * @throws {RangeError} for an invalid secret.
 *
 * @example
 * await signWebhook({ id: 'evt_1', timestamp: 1614265330, body, secret }); // v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
 */
export async function signWebhook({
  secret,
  ...webhook
}: UnsignedWebhook & { secret: string }): Promise<string> {
  const key = webhookKey(secret);
  if (!key) throw new RangeError(webhookSecretRule);
  return signWebhookWith(key, webhook);
}

/**
 * Creates the headers of a webhook, with a signature for each secret. There are two secrets during a rotation.
 *
 * @throws {RangeError} for an invalid secret.
 */
export async function webhookHeaders({
  secrets,
  ...webhook
}: UnsignedWebhook & { secrets: readonly string[] }): Promise<WebhookHeaders> {
  const signatures = await Promise.all(secrets.map((secret) => signWebhook({ ...webhook, secret })));
  return {
    [webhookHeaderNames.id]: webhook.id,
    [webhookHeaderNames.timestamp]: String(webhook.timestamp),
    [webhookHeaderNames.signature]: signatures.join(' '),
  };
}
