import { type Locale, type Localised, headers as wire } from '../contract/index.ts';
import { readBytes } from '../http/index.ts';
import { jsonResponse, languageHeaders, noResponse, type PlainResponse, type SentRequest } from './http.ts';

const targetOf = (url: string): string => url.slice(url.indexOf('/', url.indexOf('//') + 2));

/** Reads a whole body; null if it is longer than `maxBytes`. With a `Content-Length`, which limits the body, it needs no streaming. */
async function readBody(request: Request, maxBytes: number): Promise<Uint8Array | null> {
  // In Firefox, Request.body is undefined.
  if (!request.headers.has('Content-Length') && request.body !== undefined)
    return (await readBytes(request.body, maxBytes)) ?? null;
  const bytes = new Uint8Array(await request.arrayBuffer());
  return bytes.length > maxBytes ? null : bytes;
}

/** Converts a Request. */
export const fromFetchRequest = (request: Request): SentRequest => ({
  method: request.method,
  target: targetOf(request.url),
  header: (name) => request.headers.get(name),
  headers: () => [...request.headers].flat(),
  readBody: (maxBytes) => readBody(request, maxBytes),
  lost: () => request.signal,
  toRequest: () => request,
});

/** Creates a 403 for a reason other than the key's scope. */
export const forbidden = (message: Localised, locale: Locale): Response =>
  toResponse(
    jsonResponse(
      403,
      { success: false, message: message[locale], error_code: 'FORBIDDEN', errors: {} },
      { ...languageHeaders(locale), [wire.errorCode]: 'FORBIDDEN' },
    ),
  );

/** Creates a stream of half a body that then fails, like a cut connection. */
function halfOf(body: PlainResponse['body']): ReadableStream<Uint8Array> {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  return new ReadableStream({
    start: (stream) => stream.enqueue(bytes.slice(0, bytes.length >> 1)),
    pull: (stream) => stream.error(new TypeError('terminated', { cause: new Error('other side closed') })),
  });
}

/** The data of each Response, so that its bytes need not be copied. */
const plainResponses = new WeakMap<Response, PlainResponse>();

/** Creates a Response. The caller must not change its headers. */
export function toResponse(plain: PlainResponse): Response {
  const { status, headers, own, body, isCut } = plain;
  if (status === noResponse.status) return Response.error();
  // A 204 or a 304 must have no body, not even an empty one.
  const response = new Response(body.length === 0 ? null : isCut ? halfOf(body) : body, { status });
  // In Node, setting headers one by one takes half as long as passing an object to the constructor.
  for (const [name, value] of Object.entries({ ...headers, ...own })) response.headers.set(name, value);
  plainResponses.set(response, plain);
  return response;
}

export const toPlainResponse = async (response: Response): Promise<PlainResponse> =>
  plainResponses.get(response) ?? {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: new Uint8Array(await response.arrayBuffer()),
  };
