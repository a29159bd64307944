import type { Hash } from './hash.ts';
import type { Random } from './random.ts';

/**
 * Bytes that follow from a seed alone: the same seed gives the same bytes, on every host. Nothing for secrets.
 *
 * @example
 * const random = seededRandom(sha256Hex, '42 order 1');
 * randomText(random, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 8); // the same 8 letters each time
 */
export function seededRandom(hash: Hash, seed: string): Random {
  let block = 0;
  let hex = '';
  return (length) =>
    Uint8Array.from({ length }, () => {
      if (hex === '') hex = hash(`${seed}\n${block++}`);
      const byte = Number.parseInt(hex.slice(0, 2), 16);
      hex = hex.slice(2);
      return byte;
    });
}
