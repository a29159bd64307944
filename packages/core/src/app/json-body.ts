import type { Fields } from '../contract/index.ts';
import { Refusal } from '../engine/index.ts';

const jsonType = /^application\/(json|[\w.+-]+\+json)\s*(;|$)/i;

const tooLarge = (maxBytes: number): Refusal =>
  new Refusal('PAYLOAD_TOO_LARGE', { words: { maximum: String(maxBytes) } });

const malformed = (rule: string): Refusal =>
  new Refusal('MALFORMED_JSON', { fields: { body: [`The request body must be ${rule}.`] } });

/** Reads a body whose length nobody said, up to its limit and no further. */
async function readStream(stream: ReadableStream<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.length;
    if (length > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}

/** Reads a body within its limit. HTTP holds a body to the length that it says, so no stream is needed for that. */
async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array> {
  const said = request.headers.get('Content-Length');
  if (Number(said ?? 0) > maxBytes) throw tooLarge(maxBytes);
  if (said !== null) return new Uint8Array(await request.arrayBuffer());
  return request.body ? readStream(request.body, maxBytes) : new Uint8Array();
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw malformed('valid JSON');
  }
}

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The JSON object in a request's body; no body at all is `{}` (open points: errors).
 *
 * @throws Refusal PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE or MALFORMED_JSON.
 */
export async function readJsonBody(request: Request, maxBytes: number): Promise<Fields> {
  const bytes = await readBytes(request, maxBytes);
  if (bytes.length === 0) return {};
  const type = request.headers.get('Content-Type');
  // A missing type is taken for JSON: a client that fails for it helps nobody.
  if (type !== null && !jsonType.test(type)) throw new Refusal('UNSUPPORTED_MEDIA_TYPE');
  const body = parse(bytes);
  if (!isObject(body)) throw malformed('a JSON object');
  return body;
}
