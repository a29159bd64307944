import { headers as names, worldCookieName } from '@topup-kit/core/contract';

/** The headers of a request, in the form of the Fetch standard or of Node. */
export type RequestHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** A request of the Fetch standard or of Node, or only its headers. */
export type IncomingRequest = RequestHeaders | { readonly headers: RequestHeaders };

const hasGet = (headers: object): headers is { get(name: string): string | null } =>
  'get' in headers && typeof headers.get === 'function';

function headerOf(headers: RequestHeaders, name: string): string {
  const value = hasGet(headers) ? headers.get(name) : headers[name.toLowerCase()];
  return value ? String(value) : '';
}

const cookieIn = (cookies: string): string =>
  cookies
    .split(/; */)
    .find((cookie) => cookie.startsWith(`${worldCookieName}=`))
    ?.slice(worldCookieName.length + 1) ?? '';

/** Maximum length, longer than any name. The sandbox rejects a name of this length, so that no other world gets the request. */
const maxLength = 255;

/** Returns the world that a request names in its header, or else in its cookie; empty if it names none. */
export function worldOf(request: IncomingRequest): string {
  // Safe: no header is called `headers`, so an object without this property is the headers.
  const { headers = request as RequestHeaders } = request as { headers?: RequestHeaders };
  const name = headerOf(headers, names.world) || cookieIn(headerOf(headers, 'Cookie'));
  return name.slice(0, maxLength);
}
