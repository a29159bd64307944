import { type Random, randomText } from '../platform/index.ts';

const alphabet = '0123456789abcdefghijklmnopqrstuvwxyz';

/** Names requests: a prefix drawn once for the process, and a count. */
export function createRequestIds(random: Random): () => string {
  const prefix = `req_${randomText(random, alphabet, 8)}`;
  let count = 0;
  return () => `${prefix}_${(count++).toString(36)}`;
}
