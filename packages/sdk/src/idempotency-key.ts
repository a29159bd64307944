/** A key that no other call has: 128 random bits in hex. Unlike `randomUUID`, the source is there on any page. */
export const createIdempotencyKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );
