/** Random bytes that nobody can guess; a seeded source in a mock. */
export type Random = (length: number) => Uint8Array;

/** Randomness of the platform's cryptographic generator. */
export const secureRandom: Random = (length) => crypto.getRandomValues(new Uint8Array(length));

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
