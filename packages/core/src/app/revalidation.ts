import { type Dialect, headers } from '../contract/index.ts';
import type { Hash } from '../platform/index.ts';
import type { PlainResponse } from './http.ts';
import type { OperationHandler } from './operation.ts';

/** Number of hexadecimal digits of the SHA-256 that distinguish versions. */
const tagLength = 32;

const strong = (tag: string): string => tag.replace(/^W\//, '');

/** Tells whether `If-None-Match` names a version, by weak comparison (RFC 9110, 13.1.2). */
const namesVersion = (ifNoneMatch: string, tag: string): boolean =>
  ifNoneMatch === tag ||
  ifNoneMatch.trim() === '*' ||
  (ifNoneMatch.match(/"[^"]*"/g)?.includes(strong(tag)) ?? false);

/** A client may keep a version, but must revalidate it each time, because another key may have no access. */
const cacheControl = { 'Cache-Control': 'private, no-cache' };

interface Versioned {
  version: string;
  whole: PlainResponse;
  /** The 304 response. */
  unchanged: PlainResponse;
}

/**
 * Creates a function that adds a version to responses of catalogue operations, and responds with 304 if the client has this version. The
 * version is weak, because a host may compress the response. It is a hash of the bytes, which also depend on settings, dialect and
 * supplier. A prepared response is hashed once.
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
