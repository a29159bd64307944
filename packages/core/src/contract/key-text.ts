export const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const checksumLength = 6;

export type KeyMode = 'test' | 'live';

function crc32(text: string): number {
  let crc = 0xffffffff;
  for (const character of text) {
    crc ^= character.charCodeAt(0);
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

function toBase62(value: number, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest = Math.floor(rest / 62)) text = base62[rest % 62] + text;
  return text;
}

/** Adds a checksum to a key, which reveals a mistyped key without a look-up in the store. */
export const withChecksum = (body: string): string => body + toBase62(crc32(body), checksumLength);

/** Tells whether a string has the format of this kit's keys, including a valid checksum. */
export function isKeyText(text: string): boolean {
  const body = text.slice(0, -checksumLength);
  return /^tk_(test|live)_[0-9A-Za-z]{36}$/.test(text) && withChecksum(body) === text;
}

const keysInTexts = /tk_(live|test)_[0-9A-Za-z]{36}/g;

/** Masks the keys in a string: `tk_test_[secret]`. */
export const hideKeys = (text: string): string => text.replace(keysInTexts, 'tk_$1_[secret]');

/** The well-known key of every sandbox. It is not a secret, because it works only for direct requests on the same machine. */
export const sandboxKey: string = withChecksum('tk_test_sandboxsandboxsandboxsandbox00');
