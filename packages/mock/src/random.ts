import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { type Hash, type Random, seededRandom } from '@topup-kit/core/platform';

/** SHA-256 in JavaScript alone: a mock runs where `node:crypto` doesn't, and WebCrypto is asynchronous. */
export const sha256Hex: Hash = (text) => bytesToHex(sha256(utf8ToBytes(text)));

/** A hash that remembers its last text, because call after call comes with the same key. */
export function createCachedHash(): Hash {
  let last = { text: '', hex: sha256Hex('') };
  return (text) => {
    if (text !== last.text) last = { text, hex: sha256Hex(text) };
    return last.hex;
  };
}

/** The random bytes of one subject, whatever else draws of the same seed. */
export const randomFor = (seed: number, subject: string): Random =>
  seededRandom(sha256Hex, `${seed}\n${subject}`);
