import type { RequestMetadata } from '../errors/topup-error.ts';
import { errorOf, responseError } from './error-response.ts';
import { isObject, isSuccess, orderIdOf, parse } from './json.ts';

export interface RawResponse {
  response: Response;
  /** The body; undefined if the body of an error response could not be read, because the status is enough then. */
  text: string | undefined;
}

/** Maximum size of a response, in bytes: 16 MiB, many times the size of a large service's list of games. */
const maxResponseBytes = 2 ** 24;

/** Reads the body of a response. With `limited`, it stops at the maximum size, so that an endless response can't fill the memory. */
export async function readText(
  response: Response,
  metadata: RequestMetadata,
  limited: boolean,
): Promise<string> {
  const { body } = response;
  if (!body || !limited) return response.text();
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for (;;) {
    const { value } = await reader.read();
    if (!value) return text + decoder.decode();
    size += value.length;
    if (size > maxResponseBytes) break;
    text += decoder.decode(value, { stream: true });
  }
  void reader.cancel().catch(() => undefined);
  throw responseError(
    response,
    metadata,
    `a body of more than ${maxResponseBytes} bytes`,
    'Check that baseUrl is the URL of the API.',
    { code: 'RESPONSE_TOO_LARGE' },
  );
}

/** Returns the JSON of a successful response: an object, or any value for `client.request`. Throws the error for any other response. */
export function readResponse(
  { response, text = '' }: RawResponse,
  metadata: RequestMetadata,
  apiKey: string | undefined,
): unknown {
  const { operation } = metadata;
  const body = parse(text);
  if (isSuccess(response, body)) {
    if (operation !== 'createOrder') return body;
    const orderId = orderIdOf(body);
    if (orderId !== undefined) return Object.assign(body, { orderId });
  } else if (response.ok && operation === 'request' && !isObject(body)) {
    const empty = text === '' && !response.headers.has('Content-Type');
    if (body !== undefined || empty) return body;
  }
  throw errorOf(response, text, body, metadata, apiKey);
}
