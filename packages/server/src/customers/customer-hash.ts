import { createHmac, randomBytes } from 'node:crypto';
import type { HashCustomer, Store } from '@topup-kit/core/store';
import type { SecretCipher } from '../config/secret-cipher.ts';

/** The secret's name in the error when it can't be decrypted. */
const name = 'erased customers';

/**
 * Creates a function that hashes phone numbers. The store's secret never changes, so a number always has the same hash. If there is an
 * encryption key, the secret is encrypted; `reseal` encrypts it again with the current key.
 *
 * @throws ConfigError if the secret is encrypted, and the key is missing or wrong.
 */
export async function createCustomerHash(
  store: Pick<Store, 'findCustomerSecret' | 'setCustomerSecret'>,
  { seal, open }: SecretCipher,
  { reseal = false } = {},
): Promise<HashCustomer> {
  // Reads the secret first, so that a server can start on a store that rejects writes.
  const stored =
    (await store.findCustomerSecret()) ??
    (await store.setCustomerSecret(seal(randomBytes(32).toString('base64url'), name), null));
  const secret = open(stored, name);
  if (reseal && seal(secret, name) !== stored) await store.setCustomerSecret(seal(secret, name), stored);
  return (customer) => createHmac('sha256', secret).update(customer).digest('hex');
}
