export * from './csv.ts';

/** Returns the current time in unix milliseconds: world time, which a sandbox may move ahead, or real time. */
export type Clock = () => number;

/**
 * Returns milliseconds since an arbitrary start. It never goes back. Use it for durations in this process, never for stored times or
 * times that other machines read.
 */
export type MonotonicClock = () => number;

/** The platform's clock. It is looked up at each call, because a test may replace it. */
export const monotonicClock: MonotonicClock = () => performance.now();

/** Returns the SHA-256 of a string (UTF-8) in hex. The host provides its fastest synchronous implementation. */
export type Hash = (text: string) => string;

/** Returns `length` random bytes: unpredictable with {@link secureRandom}, repeatable with {@link seededRandom}. */
export type RandomBytes = (length: number) => Uint8Array;

/** Unused random bytes, because drawing a few bytes at a time would need a system call each time. */
const pool = new Uint8Array(4_096);
let drawn = pool.length;

/** Returns random bytes from the platform's cryptographic generator. */
export const secureRandom: RandomBytes = (length) => {
  if (length > pool.length) return crypto.getRandomValues(new Uint8Array(length));
  if (drawn + length > pool.length) {
    crypto.getRandomValues(pool);
    drawn = 0;
  }
  const bytes = pool.slice(drawn, drawn + length);
  // The random bytes may become a secret, so no copy stays here.
  pool.fill(0, drawn, drawn + length);
  drawn += length;
  return bytes;
};

/**
 * Creates a source of bytes that depend only on a seed, so that they are the same on every host. Don't use it for secrets.
 *
 * @example
 * const random = seededRandom(sha256Hex, '42 order 1');
 * randomText(random, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 8); // the same 8 letters each time
 */
export function seededRandom(hash: Hash, seed: string): RandomBytes {
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
 * Creates a random string of `length` characters. All characters of the alphabet (at most 256) are equally likely.
 *
 * @example
 * randomText(secureRandom, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 8);
 */
export function randomText(random: RandomBytes, alphabet: string, length: number): string {
  // Bytes of `fair` and above are skipped, because they would make the first characters of the alphabet more likely.
  const fair = 256 - (256 % alphabet.length);
  let text = '';
  while (text.length < length)
    for (const byte of random(length - text.length))
      if (byte < fair) text += alphabet[byte % alphabet.length];
  return text;
}

/** Returns a whole number from 0 to `below - 1`, for `below` up to 65,536. */
export function randomBelow(random: RandomBytes, below: number): number {
  const fair = 65_536 - (65_536 % below);
  for (;;) {
    const [high = 0, low = 0] = random(2);
    const value = high * 256 + low;
    if (value < fair) return value % below;
  }
}

/** Writes a value as JSON with sorted keys, so that equal values give equal strings. */
export const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  ) ?? 'undefined';

const escapedCharacter = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Escapes characters in a JSON text that could control a terminal. The JSON value stays the same. */
export const terminalSafeJson = (json: string): string =>
  json.replace(/[\u007f-\u009f\p{Bidi_Control}\u2028\u2029]/gu, escapedCharacter);
