import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { readSecretKeys, type SecretKeys, settingDefinitions } from './config.ts';
import type { EnvironmentVariables } from './providers.ts';
import { ConfigError, keyBytes } from './variable.ts';

/** Encrypts and decrypts secrets of endpoints for the store. */
export interface SecretCipher {
  /** Returns the form of a secret to store, which is plain text if no key is set. */
  seal(secret: string, endpointId: string): string;
  /** Returns the secret from its stored form. Throws if its encryption key is not available. */
  open(stored: string, endpointId: string): string;
}

const prefix = 'sealed:v1:';
const algorithm = 'aes-256-gcm';

/** Usual lengths for this algorithm, in bytes. */
const nonceLength = 12;
const tagLength = 16;

function encrypt(secret: string, endpointId: string, key: Uint8Array): string {
  const nonce = randomBytes(nonceLength);
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(endpointId));
  const encrypted = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return prefix + Buffer.concat([nonce, encrypted, cipher.getAuthTag()]).toString('base64url');
}

/** Decrypts a secret; undefined if it was changed, or encrypted with another key or for another endpoint. */
function decrypt(sealed: Buffer, endpointId: string, key: Uint8Array): string | undefined {
  const nonce = sealed.subarray(0, nonceLength);
  const encrypted = sealed.subarray(nonceLength, -tagLength);
  if (sealed.length < nonceLength + tagLength) return undefined;
  const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagLength })
    .setAAD(Buffer.from(endpointId))
    .setAuthTag(sealed.subarray(-tagLength));
  const begin = decipher.update(encrypted);
  try {
    return Buffer.concat([begin, decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}

const { name: setting } = settingDefinitions.secretKey;

/**
 * Creates a cipher that encrypts with the current key, and also decrypts with the previous key. Without a key, it stores secrets as
 * plain text, which it can always read. If the key is missing or wrong, `open` throws a ConfigError that names the setting.
 */
export function createSecretBox({ secretKey, secretKeyPrevious }: SecretKeys): SecretCipher {
  const current = keyBytes(secretKey ?? '');
  const keys = [current, keyBytes(secretKeyPrevious ?? '')].filter((key) => key !== undefined);
  return {
    seal: (secret, endpointId) => (current === undefined ? secret : encrypt(secret, endpointId, current)),
    open(stored, endpointId) {
      if (!stored.startsWith(prefix)) return stored;
      if (keys.length === 0)
        throw new ConfigError(
          `The secret of ${endpointId} is encrypted: set ${setting} to the key that it was encrypted with.`,
          { setting },
        );
      const sealed = Buffer.from(stored.slice(prefix.length), 'base64url');
      for (const key of keys) {
        const secret = decrypt(sealed, endpointId, key);
        if (secret !== undefined) return secret;
      }
      throw new ConfigError(
        `The secret of ${endpointId} can't be decrypted: ${setting} is not the key that it was encrypted with, or the stored secret was changed.`,
        { setting },
      );
    },
  };
}

/**
 * Creates the cipher from its settings, and reads no other settings.
 *
 * @throws ConfigError if a key is not 32 bytes, or its file can't be read.
 * @example
 * const secrets = createSecretCipher(process.env);
 * const secret = secrets.open(stored, 'we_0a1b2c3d4e');
 */
export const createSecretCipher = (environment: EnvironmentVariables = {}): SecretCipher =>
  createSecretBox(readSecretKeys(environment));
