import type { CallbackRequest } from '../../callback/index.ts';

/** Removes a provider's secrets from a callback before it is stored, and restores them for a replay. */
export interface Concealment {
  /** Returns at most `maxBytes` of the body. */
  conceal(request: CallbackRequest, maxBytes?: number): CallbackRequest;
  /** Only for a callback that was genuine on arrival: another may contain the replacement words. */
  reveal(request: CallbackRequest): CallbackRequest;
}

/** A secret's spellings in a body: plain, and in JSON, where some writers escape the slash. */
function spellings(secret: string): string[] {
  const inJson = JSON.stringify(secret).slice(1, -1);
  return [...new Set([secret, inJson, inJson.replaceAll('/', '\\/')])];
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** One character per byte, because searching a text is hundreds of times faster than searching bytes. */
const asText = (body: Uint8Array): string => new TextDecoder('windows-1252').decode(body);

/** A body need not be text, so its other bytes stay unchanged. */
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
    // A secret may be a part of another one.
    .sort((a, b) => b.length - a.length)
    .map((secret, index) => [secret, `[secret ${index + 1}]`] as const);
  const longest = Math.max(0, ...pairs.map(([secret]) => bytesOf(secret).length));
  return {
    conceal({ headers, body }, maxBytes = body.length) {
      // Also replaces a secret that would be cut.
      const request = { headers, body: body.subarray(0, maxBytes + longest) };
      const concealed = pairs.reduce((sent, [secret, words]) => replaceAll(sent, secret, words), request);
      // A copy, because the rest of the body is no longer needed.
      return maxBytes < body.length ? { ...concealed, body: concealed.body.slice(0, maxBytes) } : concealed;
    },
    reveal: (request) => pairs.reduce((sent, [secret, words]) => replaceAll(sent, words, secret), request),
  };
}
