import { type Dialect, headers } from '../contract/index.ts';
import type { Hash } from '../platform/index.ts';
import type { PlainResponse } from './http.ts';
import type { OperationHandler } from './operation.ts';

/** Of a text's SHA-256, so many hexadecimal digits are enough to tell versions apart. */
const tagLength = 32;

const strong = (tag: string): string => tag.replace(/^W\//, '');

/** Whether `If-None-Match` names a version. Compared weakly (RFC 9110, 13.1.2). */
const namesVersion = (ifNoneMatch: string, tag: string): boolean =>
  ifNoneMatch === tag ||
  ifNoneMatch.trim() === '*' ||
  (ifNoneMatch.match(/"[^"]*"/g)?.includes(strong(tag)) ?? false);

/** A version that a client may keep, but has to ask about each time: with another key it may not be allowed to have it. */
const cacheControl = { 'Cache-Control': 'private, no-cache' };

interface Versioned {
  version: string;
  whole: PlainResponse;
  /** The 304 in its place. */
  unchanged: PlainResponse;
}

/**
 * Gives the responses of an operation with the catalogue a version, or 304 when the client has that version already. The version is weak,
 * because a host may compress the response. It is computed from the bytes, because they also depend on the settings, the dialect and
 * the supplier, and once for a response that is prepared.
 */
export function createRevalidation(
  hash: Hash,
  { headers: sent }: Pick<Dialect, 'headers'>,
): (handle: OperationHandler) => OperationHandler {
  if (!sent.etag) return (handle) => handle;
  const known = new WeakMap<PlainResponse, Versioned>();

  function versioned(response: PlainResponse): Versioned {
    const before = known.get(response);
    if (before) return before;
    const { body } = response;
    const version = `W/"${hash(typeof body === 'string' ? body : new TextDecoder().decode(body)).slice(0, tagLength)}"`;
    const more = { ...cacheControl, [headers.etag]: version };
    const made = {
      version,
      whole: { ...response, headers: { ...response.headers, ...more } },
      unchanged: { status: 304, headers: { ...more, 'X-Content-Type-Options': 'nosniff' }, body: '' },
    };
    known.set(response, made);
    return made;
  }

  return (handle) => async (call) => {
    const { version, whole, unchanged } = versioned(await handle(call));
    const ifNoneMatch = call.request.header(headers.ifNoneMatch);
    return ifNoneMatch && namesVersion(ifNoneMatch, version) ? unchanged : whole;
  };
}
