import { type Locale, type Localised, headers as wire } from '../contract/index.ts';
import { readBytes } from '../http/index.ts';
import { jsonResponse, languageHeaders, noResponse, type PlainResponse, type SentRequest } from './http.ts';

const targetOf = (url: string): string => url.slice(url.indexOf('/', url.indexOf('//') + 2));

/** A Request as it is handled. A body with `Content-Length` can't be longer than that, so it needs no streaming. */
export const fromFetchRequest = (request: Request): SentRequest => ({
  method: request.method,
  target: targetOf(request.url),
  header: (name) => request.headers.get(name),
  headers: () => [...request.headers].flat(),
  readBody: async (maxBytes) =>
    request.headers.has('Content-Length')
      ? new Uint8Array(await request.arrayBuffer())
      : ((await readBytes(request.body, maxBytes)) ?? null),
  lost: () => request.signal,
  toRequest: () => request,
});

/** The response to what is forbidden for another reason than the scope of a key. */
export const forbidden = (message: Localised, locale: Locale): Response =>
  toResponse(
    jsonResponse(
      403,
      { success: false, message: message[locale], error_code: 'FORBIDDEN', errors: {} },
      { ...languageHeaders(locale), [wire.errorCode]: 'FORBIDDEN' },
    ),
  );

/** The first half of a body, and then an error, as when the connection is cut. */
function halfOf(body: PlainResponse['body']): ReadableStream<Uint8Array> {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  return new ReadableStream({
    start: (stream) => stream.enqueue(bytes.slice(0, bytes.length >> 1)),
    pull: (stream) => stream.error(new TypeError('terminated', { cause: new Error('other side closed') })),
  });
}

/** What Responses were made of, so that their bytes need not be copied: many may share them. */
const madeOf = new WeakMap<Response, PlainResponse>();

/** The Response with this data. Its headers must not be changed any more. */
export function toResponse(plain: PlainResponse): Response {
  const { status, headers, own, body, isCut } = plain;
  if (status === noResponse.status) return Response.error();
  // A 204 and a 304 must have no body, not even an empty one.
  const response = new Response(body.length === 0 ? null : isCut ? halfOf(body) : body, { status });
  // Node takes half as long to set them as to read them from an object.
  for (const [name, value] of Object.entries({ ...headers, ...own })) response.headers.set(name, value);
  madeOf.set(response, plain);
  return response;
}

export const toPlain = async (response: Response): Promise<PlainResponse> =>
  madeOf.get(response) ?? {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: new Uint8Array(await response.arrayBuffer()),
  };
