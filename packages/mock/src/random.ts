import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { type Hash, type Random, seededRandom } from '@topup-kit/core/platform';

/** SHA-256 in JavaScript alone: a mock runs where `node:crypto` doesn't, and WebCrypto is asynchronous. */
export const sha256Hex: Hash = (text) => bytesToHex(sha256(utf8ToBytes(text)));

/** A hash that remembers its last text: call after call comes with the same key. */
export function rememberingHash(): Hash {
  let last = { text: '', hex: sha256Hex('') };
  return (text) => {
    if (text !== last.text) last = { text, hex: sha256Hex(text) };
    return last.hex;
  };
}

/** The chance of one thing alone: other things' draws don't move it. */
export const chanceOf = (seed: number, thing: string): Random => seededRandom(sha256Hex, `${seed}\n${thing}`);
