import type { CallbackRequest } from '../../callback/index.ts';

/** Takes the secrets of a provider out of a callback before it is stored, and puts them back for a replay. */
export interface Concealment {
  /** At most `maxBytes` of the body are returned. */
  conceal(request: CallbackRequest, maxBytes?: number): CallbackRequest;
  /** Only for a callback that was genuine as it arrived: it may have been sent with the words that stand for a secret. */
  reveal(request: CallbackRequest): CallbackRequest;
}

/** A secret as it may stand in a body: as it is, or in JSON, of which some writers escape the slash. */
function spellings(secret: string): string[] {
  const inJson = JSON.stringify(secret).slice(1, -1);
  return [...new Set([secret, inJson, inJson.replaceAll('/', '\\/')])];
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** One character a byte, because a text is searched hundreds of times as fast as bytes are one by one. */
const asText = (body: Uint8Array): string => new TextDecoder('windows-1252').decode(body);

/** A body need not be text, so its bytes stay as they are. */
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
      // Also a secret of which only the beginning would be kept is replaced.
      const request = { headers, body: body.subarray(0, maxBytes + longest) };
      const concealed = pairs.reduce((sent, [secret, words]) => replaceAll(sent, secret, words), request);
      // A copy, because the rest of the body is not needed any more.
      return maxBytes < body.length ? { ...concealed, body: concealed.body.slice(0, maxBytes) } : concealed;
    },
    reveal: (request) => pairs.reduce((sent, [secret, words]) => replaceAll(sent, words, secret), request),
  };
}
