import type { Hono } from 'hono';
import type { Fields } from '../contract/index.ts';
import { Refusal } from '../engine/index.ts';
import { readBytes } from '../http/index.ts';
import { type Random, randomText } from '../platform/index.ts';

/** What a host knows of the connection a request came over. */
export interface Connection {
  /** The peer's address; requests that crossed no network come from `127.0.0.1`. */
  address: string;
}

/** What is known of a request besides the request itself. */
export interface Arrival {
  connection: Connection;
  requestId: string;
}

/** Where routes are mounted. */
export type Site = Hono<{ Bindings: Arrival }>;

/** An answer before it is a Response, so that a host may also write it itself. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string | Uint8Array<ArrayBuffer>;
}

const json = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' };

/** A JSON answer; text and bytes are the JSON they already are. */
export const jsonAnswer = (
  status: number,
  body: object | string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
): Answer => ({
  status,
  headers: { ...json, ...headers },
  body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
});

export const toResponse = ({ status, headers, body }: Answer): Response =>
  new Response(body, { status, headers });

const jsonType = /^application\/(json|[\w.+-]+\+json)\s*(;|$)/i;

const tooLarge = (maxBytes: number): Refusal =>
  new Refusal('PAYLOAD_TOO_LARGE', { words: { maximum: String(maxBytes) } });

const malformed = (rule: string): Refusal =>
  new Refusal('MALFORMED_JSON', { fields: { body: [`The request body must be ${rule}.`] } });

/** Reads a body within its limit. HTTP holds a body to the length that it says, so no stream is needed for that. */
async function readBody(request: Request, maxBytes: number): Promise<Uint8Array> {
  const length = request.headers.get('Content-Length');
  if (Number(length ?? 0) > maxBytes) throw tooLarge(maxBytes);
  if (length !== null) return new Uint8Array(await request.arrayBuffer());
  const bytes = await readBytes(request.body, maxBytes);
  if (bytes === undefined) throw tooLarge(maxBytes);
  return bytes;
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
  const bytes = await readBody(request, maxBytes);
  if (bytes.length === 0) return {};
  const type = request.headers.get('Content-Type');
  // A missing type is taken for JSON: a client that fails for it helps nobody.
  if (type !== null && !jsonType.test(type)) throw new Refusal('UNSUPPORTED_MEDIA_TYPE');
  const body = parse(bytes);
  if (!isObject(body)) throw malformed('a JSON object');
  return body;
}

const alphabet = '0123456789abcdefghijklmnopqrstuvwxyz';

/** Names requests: a prefix drawn once for the process, and a count. */
export function createRequestIds(random: Random): () => string {
  const prefix = `req_${randomText(random, alphabet, 8)}`;
  let count = 0;
  return () => `${prefix}_${(count++).toString(36)}`;
}
