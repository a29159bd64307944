/** Loaded before a server whose bytes are compared with another's. Fixes the time, and makes random bytes the same in each run. */

import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

const now = Date.UTC(2026, 2, 28, 3, 0, 0);
const RealDate = Date;
globalThis.Date = class extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(now);
    else super(...given);
  }
  static now = () => now;
};

let state = 42;
const nextByte = () => {
  state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
  return state >>> 24;
};
const fill = (array) => {
  const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  for (let index = 0; index < bytes.length; index += 1) bytes[index] = nextByte();
  return array;
};
globalThis.crypto.getRandomValues = fill;
Math.random = () => nextByte() / 256;
crypto.randomBytes = (length) => fill(Buffer.alloc(length));
syncBuiltinESMExports();
