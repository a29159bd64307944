import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createSecretCipher } from '../src/internal.ts';

const newKey = (): string => randomBytes(32).toString('base64');
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

describe('the secret of an endpoint in the store', () => {
  it('encrypts a secret with TOPUP_SECRET_KEY, differently each time, and decrypts it', () => {
    const box = createSecretCipher({ TOPUP_SECRET_KEY: newKey() });
    const sealed = box.seal(secret, 'we_1');
    expect(sealed).toMatch(/^sealed:v1:[\w-]{80,}$/);
    expect(Buffer.from(sealed, 'base64url').includes('whsec_')).toBe(false);
    expect(box.seal(secret, 'we_1')).not.toBe(sealed);
    expect(box.open(sealed, 'we_1')).toBe(secret);
  });

  it('accepts the key as base64 or hex', () => {
    const key = randomBytes(32);
    const sealed = createSecretCipher({ TOPUP_SECRET_KEY: key.toString('hex') }).seal(secret, 'we_1');
    expect(createSecretCipher({ TOPUP_SECRET_KEY: key.toString('base64') }).open(sealed, 'we_1')).toBe(
      secret,
    );
  });

  it('stores a secret as plain text without a key, and reads it with a later key', () => {
    expect(createSecretCipher().seal(secret, 'we_1')).toBe(secret);
    expect(createSecretCipher({ TOPUP_SECRET_KEY: newKey() }).open(secret, 'we_1')).toBe(secret);
  });

  it("can't read a secret without the key, and names the setting in the error", () => {
    const sealed = createSecretCipher({ TOPUP_SECRET_KEY: newKey() }).seal(secret, 'we_1');
    expect(() => createSecretCipher().open(sealed, 'we_1')).toThrow(
      'The secret of we_1 is encrypted: set TOPUP_SECRET_KEY to the key that it was encrypted with.',
    );
  });

  it.each([
    ['with another key', (sealed: string) => sealed, newKey(), 'we_1'],
    ['that belongs to another endpoint', (sealed: string) => sealed, undefined, 'we_2'],
    ['if one of its characters was changed', flipped, undefined, 'we_1'],
    ['that was cut off', (sealed: string) => sealed.slice(0, 30), undefined, 'we_1'],
  ])("can't read a secret %s", (_, change, otherKey, endpointId) => {
    const key = newKey();
    const sealed = change(createSecretCipher({ TOPUP_SECRET_KEY: key }).seal(secret, 'we_1'));
    const box = createSecretCipher({ TOPUP_SECRET_KEY: otherKey ?? key });
    expect(() => box.open(sealed, endpointId)).toThrow(
      `The secret of ${endpointId} can't be decrypted: TOPUP_SECRET_KEY is not the key that it was encrypted with, or the stored secret was changed.`,
    );
  });

  it('decrypts with the previous key, and encrypts only with the current key', () => {
    const [old, current] = [newKey(), newKey()];
    const before = createSecretCipher({ TOPUP_SECRET_KEY: old }).seal(secret, 'we_1');
    const both = createSecretCipher({ TOPUP_SECRET_KEY: current, TOPUP_SECRET_KEY_PREVIOUS: old });
    expect(both.open(before, 'we_1')).toBe(secret);
    expect(createSecretCipher({ TOPUP_SECRET_KEY: current }).open(both.seal(secret, 'we_1'), 'we_1')).toBe(
      secret,
    );
    const onlyPrevious = createSecretCipher({ TOPUP_SECRET_KEY_PREVIOUS: old });
    expect(onlyPrevious.seal(secret, 'we_1')).toBe(secret);
    expect(onlyPrevious.open(before, 'we_1')).toBe(secret);
  });
});

function flipped(sealed: string): string {
  const at = sealed.length - 30;
  return sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1);
}
