import { webhookKey, webhookSecretRule } from '@topup-kit/core/contract';
import { TopupUsageError } from '../errors/usage-error.ts';

/** The keys of secrets (`whsec_...`), at least one; several while a secret is rotated: a webhook is signed with one of them. */
export function keysOf(secret: string | readonly string[] | undefined): Uint8Array<ArrayBuffer>[] {
  const secrets = [secret ?? []].flat();
  const keys = secrets.flatMap((text) => webhookKey(text) ?? []);
  if (keys.length > 0 && keys.length === secrets.length) return keys;
  throw new TopupUsageError(
    'INVALID_WEBHOOK_SECRET',
    `The webhook secret is ${secrets.length === 0 ? 'missing' : 'wrong'}. ${webhookSecretRule}`,
  );
}
