import type { CallbackRequest } from '../../callback/index.ts';

/** Removes a provider's secrets from a callback before it is stored, and restores them for a replay. */
export interface Concealment {
  /** Removes the secrets. The result has at most `maxBytes` of the body. */
  conceal(request: CallbackRequest, maxBytes?: number): CallbackRequest;
  /** Restores the secrets. Use it only for a callback that was genuine on arrival: others may contain the replacement words. */
  reveal(request: CallbackRequest): CallbackRequest;
}

/** Returns the spellings of a secret in a body: plain, and as JSON, in which some libraries escape the slash. */
function spellings(secret: string): string[] {
  const inJson = JSON.stringify(secret).slice(1, -1);
  return [...new Set([secret, inJson, inJson.replaceAll('/', '\\/')])];
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Converts each byte to one character, because searching a string is hundreds of times faster than searching bytes. */
const asText = (body: Uint8Array): string => new TextDecoder('windows-1252').decode(body);

/** Replaces bytes. All other bytes stay unchanged, because a body need not be text. */
function replaceBytes(body: Uint8Array, from: string, to: string): Uint8Array {
  const [before, after] = [bytesOf(from), bytesOf(to)];
  const parts = asText(body).split(asText(before));
  if (parts.length === 1) return body;
  const result = new Uint8Array(body.length + (parts.length - 1) * (after.length - before.length));
  let [read, written] = [0, 0];
  for (const [index, { length }] of parts.entries()) {
    if (index > 0) {
      result.set(after, written);
      written += after.length;
      read += before.length;
    }
    result.set(body.subarray(read, read + length), written);
    written += length;
    read += length;
  }
  return result;
}

const replaceAll = ({ headers, body }: CallbackRequest, from: string, to: string): CallbackRequest => ({
  headers: Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, value.replaceAll(from, to)]),
  ),
  body: replaceBytes(body, from, to),
});

export function createConcealment(secrets: readonly string[]): Concealment {
  const pairs = secrets
    .filter((secret) => secret !== '')
    .flatMap(spellings)
    // The longest secret comes first, because a secret may be part of another secret.
    .sort((a, b) => b.length - a.length)
    .map((secret, index) => [secret, `[secret ${index + 1}]`] as const);
  const longest = Math.max(0, ...pairs.map(([secret]) => bytesOf(secret).length));
  return {
    conceal({ headers, body }, maxBytes = body.length) {
      // Reads `longest` more bytes, so that a secret at the limit isn't cut and missed.
      const request = { headers, body: body.subarray(0, maxBytes + longest) };
      const concealed = pairs.reduce((sent, [secret, words]) => replaceAll(sent, secret, words), request);
      // The part is copied, so that the memory of the whole body can be freed.
      return maxBytes < body.length ? { ...concealed, body: concealed.body.slice(0, maxBytes) } : concealed;
    },
    reveal: (request) => pairs.reduce((sent, [secret, words]) => replaceAll(sent, words, secret), request),
  };
}
