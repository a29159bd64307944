import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Hash } from '@topup-kit/core/platform';

/** SHA-256 in JavaScript alone: a mock runs where `node:crypto` doesn't, and WebCrypto is asynchronous. */
export const sha256Hex: Hash = (text) => bytesToHex(sha256(utf8ToBytes(text)));
