import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { type Hash, type RandomBytes, seededRandom } from '@topup-kit/core/platform';

/** SHA-256 in plain JavaScript: browsers don't have `node:crypto`, and WebCrypto is asynchronous. */
export const sha256Hex: Hash = (text) => bytesToHex(sha256(utf8ToBytes(text)));

/** Creates a hash function that caches its last result, because most calls have the same key. */
export function createCachedHash(): Hash {
  let last = { text: '', hex: sha256Hex('') };
  return (text) => {
    if (text !== last.text) last = { text, hex: sha256Hex(text) };
    return last.hex;
  };
}

/** Creates random bytes for one purpose, independent of other uses of the same seed. */
export const randomFor = (seed: number, subject: string): RandomBytes =>
  seededRandom(sha256Hex, `${seed}\n${subject}`);
