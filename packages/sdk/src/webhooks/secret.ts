import { webhookKey, webhookSecretRule } from '@topup-kit/core/contract';
import { TopupUsageError } from '../errors/usage-error.ts';

/** Returns the keys of one or more secrets (`whsec_...`). During a rotation, a webhook is signed with at least one of several. */
export function keysOf(secret: string | readonly string[] | undefined): Uint8Array<ArrayBuffer>[] {
  const secrets = [secret ?? []].flat();
  const keys = secrets.flatMap((text) => webhookKey(text) ?? []);
  if (keys.length > 0 && keys.length === secrets.length) return keys;
  throw new TopupUsageError(
    'INVALID_WEBHOOK_SECRET',
    `The webhook secret is ${secrets.length === 0 ? 'missing' : 'wrong'}. ${webhookSecretRule}`,
  );
}
