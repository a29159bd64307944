/** Returns the current time in unix milliseconds. World time may be moved by a sandbox; real time never is. */
export type Clock = () => number;

/** SHA-256 of a text (UTF-8) in hex. Synchronous, and passed in, because the fastest one differs by host. */
export type Hash = (text: string) => string;

/** Returns so many random bytes: unpredictable ones from {@link secureRandom}, repeatable ones from {@link seededRandom}. */
export type Random = (length: number) => Uint8Array;

/** Randomness of the platform's cryptographic generator. */
export const secureRandom: Random = (length) => crypto.getRandomValues(new Uint8Array(length));

/**
 * Bytes that follow from a seed alone: the same seed gives the same bytes, on every host. Not for secrets.
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

/**
 * A text of `length` characters of an alphabet of at most 256, each as likely as any other.
 *
 * @example
 * randomText(secureRandom, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 8);
 */
export function randomText(random: Random, alphabet: string, length: number): string {
  // Bytes past the last whole round of the alphabet would favour its first characters.
  const fair = 256 - (256 % alphabet.length);
  let text = '';
  while (text.length < length)
    for (const byte of random(length - text.length))
      if (byte < fair) text += alphabet[byte % alphabet.length];
  return text;
}

/** A whole number from 0 to `below - 1`, for `below` up to 65,536. */
export function randomBelow(random: Random, below: number): number {
  const fair = 65_536 - (65_536 % below);
  for (;;) {
    const [high = 0, low = 0] = random(2);
    const value = high * 256 + low;
    if (value < fair) return value % below;
  }
}

/** A value as JSON with the keys of its objects sorted, so that equal values have equal texts. */
export const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  ) ?? 'undefined';
