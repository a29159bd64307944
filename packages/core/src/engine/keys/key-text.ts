import { type Random, randomText } from '../../platform/index.ts';

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const secretLength = 30;
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

/** A key without a checksum that belongs to it is a typing error, and known as one without asking anybody. */
const withChecksum = (body: string): string => body + toBase62(crc32(body), checksumLength);

/** A new key: `tk_test_` or `tk_live_`, 30 base62 characters, 6 of checksum (open points: keys). */
export const createKeyText = (mode: KeyMode, random: Random): string =>
  withChecksum(`tk_${mode}_${randomText(random, base62, secretLength)}`);

/** Whether a text has the shape of a key of this kit, checksum included. */
export function isKeyText(text: string): boolean {
  const body = text.slice(0, -checksumLength);
  return /^tk_(test|live)_[0-9A-Za-z]{36}$/.test(text) && withChecksum(body) === text;
}

/**
 * The well-known key of every sandbox. It opens sandboxes on loopback alone, so it is no secret.
 */
export const sandboxKey: string = withChecksum('tk_test_sandboxsandboxsandboxsandbox00');
