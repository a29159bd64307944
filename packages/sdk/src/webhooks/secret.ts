import { webhookKey, webhookSecretRule } from '@topup-kit/core/contract';
import { TopupUsageError } from '../errors/usage-error.ts';

/** The secret of your endpoint, `whsec_...`; several while it is rotated: a webhook is signed with one of them. */
export type WebhookSecret = string | readonly string[] | undefined;

/** The keys of secrets, at least one. */
export function keysOf(secret: WebhookSecret): Uint8Array<ArrayBuffer>[] {
  const secrets = [secret ?? []].flat();
  const keys = secrets.flatMap((text) => webhookKey(text) ?? []);
  if (keys.length > 0 && keys.length === secrets.length) return keys;
  throw new TopupUsageError(
    'INVALID_WEBHOOK_SECRET',
    `The webhook secret is ${secrets.length === 0 ? 'missing' : 'wrong'}. ${webhookSecretRule}`,
  );
}
