import { createHmac, randomBytes } from 'node:crypto';
import type { HashCustomer, Store } from '@topup-kit/core/store';
import type { SecretBox } from '../config/secret-box.ts';

/** What the secret is called where it can't be decrypted. */
const name = 'erased customers';

/**
 * Creates what makes hashes of phone numbers, by a secret of the store that never changes, so that the same number always has the same one.
 * Where there is a key for that, the secret is encrypted with it; `reseal` encrypts it anew with the current key.
 *
 * @throws ConfigError when the secret is encrypted, and the key is missing or another one.
 */
export async function createCustomerHash(
  store: Pick<Store, 'findCustomerSecret' | 'setCustomerSecret'>,
  { seal, open }: SecretBox,
  { reseal = false } = {},
): Promise<HashCustomer> {
  // A store that accepts no writes at the moment can be read by a server that starts.
  const stored =
    (await store.findCustomerSecret()) ??
    (await store.setCustomerSecret(seal(randomBytes(32).toString('base64url'), name), null));
  const secret = open(stored, name);
  if (reseal && seal(secret, name) !== stored) await store.setCustomerSecret(seal(secret, name), stored);
  return (customer) => createHmac('sha256', secret).update(customer).digest('hex');
}
