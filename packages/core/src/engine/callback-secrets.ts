import type { CallbackRequest } from '../callback/index.ts';

/** Takes the secrets of a provider out of a callback before it is stored, and puts them back for a replay. */
export interface Concealment {
  conceal(request: CallbackRequest): CallbackRequest;
  /** Only for a callback that was genuine as it arrived: it may have been sent with the words that stand for a secret. */
  reveal(request: CallbackRequest): CallbackRequest;
}

/** A secret as it may stand in a body: as it is, or in JSON, of which some writers escape the slash. */
function spellings(secret: string): string[] {
  const inJson = JSON.stringify(secret).slice(1, -1);
  return [...new Set([secret, inJson, inJson.replaceAll('/', '\\/')])];
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

const isAt = (body: Uint8Array, part: Uint8Array, at: number): boolean =>
  part.every((byte, index) => body[at + index] === byte);

/** Byte by byte, because a body need not be text. */
function replaceBytes(body: Uint8Array, from: string, to: string): Uint8Array {
  const [before, after] = [bytesOf(from), bytesOf(to)];
  const result: number[] = [];
  for (let at = 0; at < body.length; )
    if (isAt(body, before, at)) {
      result.push(...after);
      at += before.length;
    } else {
      result.push(body[at] ?? 0);
      at += 1;
    }
  return Uint8Array.from(result);
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
    .sort((one, other) => other.length - one.length)
    .map((secret, index) => [secret, `[secret ${index + 1}]`] as const);
  return {
    conceal: (request) => pairs.reduce((one, [secret, words]) => replaceAll(one, secret, words), request),
    reveal: (request) => pairs.reduce((one, [secret, words]) => replaceAll(one, words, secret), request),
  };
}
