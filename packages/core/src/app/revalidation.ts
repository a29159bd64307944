import { headers, type Operation, type Route, routes } from '../contract/index.ts';
import type { Hash } from '../platform/index.ts';
import type { PlainResponse } from './http.ts';

/** Whether an operation reads the catalogue, which is the same for all accounts and languages. */
function readsCatalog(operation: Operation): boolean {
  const { method, scope }: Route = routes[operation];
  return method === 'GET' && scope === 'catalog:read';
}

/** Of a text's SHA-256, so many hexadecimal digits are enough to tell versions apart. */
const tagLength = 32;

const strong = (tag: string): string => tag.replace(/^W\//, '');

/** Whether `If-None-Match` names a version. Compared weakly (RFC 9110, 13.1.2). */
export const namesVersion = (ifNoneMatch: string, tag: string): boolean =>
  ifNoneMatch === tag ||
  ifNoneMatch.trim() === '*' ||
  (ifNoneMatch.match(/"[^"]*"/g)?.includes(strong(tag)) ?? false);

/** A version that a client may keep, but has to ask about each time: with another key it may not be allowed to have it. */
const cacheControl = { 'Cache-Control': 'private, no-cache' };

/** Gives responses with the catalogue a version, or 304 when the client has that version already. */
export type Revalidate = (
  operation: Operation,
  response: PlainResponse,
  ifNoneMatch: string | null | undefined,
) => PlainResponse;

/**
 * The version is weak, because a host may compress the response. It is computed from the bytes, because they also depend on the
 * settings, the dialect and the supplier, and once for a response that is prepared.
 */
export function createRevalidation(hash: Hash): Revalidate {
  const tagged = new WeakMap<PlainResponse, { whole: PlainResponse; unchanged: PlainResponse }>();

  function tag(response: PlainResponse): { whole: PlainResponse; unchanged: PlainResponse } {
    const { body } = response;
    const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
    const more = { ...cacheControl, [headers.etag]: `W/"${hash(text).slice(0, tagLength)}"` };
    return {
      whole: { ...response, headers: { ...response.headers, ...more } },
      unchanged: { status: 304, headers: { ...more, 'X-Content-Type-Options': 'nosniff' }, body: '' },
    };
  }

  return (operation, response, ifNoneMatch) => {
    if (!readsCatalog(operation)) return response;
    const known = tagged.get(response) ?? tag(response);
    tagged.set(response, known);
    const version = known.whole.headers[headers.etag];
    return ifNoneMatch && version && namesVersion(ifNoneMatch, version) ? known.unchanged : known.whole;
  };
}
