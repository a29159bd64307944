import type { Hono } from 'hono';
import {
  type ErrorCode,
  type FieldLimits,
  type FieldRule,
  type Fields,
  headers,
  type Locale,
  validateFields,
} from '../contract/index.ts';
import { DomainError, invalidFields } from '../engine/index.ts';
import { type RandomBytes, randomText } from '../platform/index.ts';

export interface Connection {
  /** The client's IP address; `127.0.0.1` for requests within the process. */
  address: string;
  /**
   * True if the request comes directly from the service's machine, neither through a proxy nor from a page of another site. Fixed keys
   * require this, and so do a sandbox's control routes without a key.
   */
  direct: boolean;
}

/** The connection of a request within the process. */
export const inProcess: Connection = { address: '127.0.0.1', direct: true };

/** The record of a request. The app fills it in, and the host's log, metrics and traces read it at the end. Null means unknown. */
export interface RequestRecord {
  method: string;
  /** Id of the request, set before any other work on it. */
  requestId: string;
  /** An operation of the interface, or the pattern of another route, such as `/pay/:reference`. Never a path with ids. */
  operation: string | null;
  accountId: string | null;
  /** Id of the key, even if the key is expired or revoked. */
  keyId: string | null;
  /** Reason why a stored key was rejected. */
  keyState: 'expired' | 'revoked' | null;
  /** Id of the order that the request names or creates, even if its creation fails. */
  orderId: string | null;
  errorCode: ErrorCode | null;
  /** The cause of a status of 500 or above. Its text may contain secrets. */
  error: unknown;
  /** The response status, set by the host at the end. Null if the client disconnected first, 0 if the sandbox cut the connection. */
  status: number | null;
  /** Duration in milliseconds, set by the host at the end. */
  ms: number;
}

export const createRecord = (method: string): RequestRecord => ({
  method,
  requestId: '',
  operation: null,
  accountId: null,
  keyId: null,
  keyState: null,
  orderId: null,
  errorCode: null,
  error: null,
  status: null,
  ms: 0,
});

export interface RequestContext {
  request: SentRequest;
  connection: Connection;
  record: RequestRecord;
  /** Response headers that depend on this request. The rest of the response may be prepared in advance. */
  own: Record<string, string>;
  locale: Locale;
  /**
   * The language of messages about fields. It is English unless the request asks for another language, because live services send their
   * framework's texts (open points: errors).
   */
  fieldLocale: Locale;
}

export type Site = Hono<{ Bindings: RequestContext }>;

/** A request in the form that the host provides. */
export interface SentRequest {
  readonly method: string;
  /** Path and query as sent, such as `/api/games?page=2`. */
  readonly target: string;
  /** Returns a header by its name, in any case; null if it is missing. */
  header(name: string): string | null;
  /** Header names and values, alternating. */
  headers(): readonly string[];
  /** Reads the body; null as soon as it is longer than `maxBytes`. Rejects when the client disconnects. Call it at most once. */
  readBody(maxBytes: number): Promise<Uint8Array | null>;
  /** The body that {@link readBody} has read, for a sandbox's request log. */
  read?: Uint8Array;
  /** Returns a signal that aborts if the client's connection is lost; left out if it can't be lost. */
  lost?(): AbortSignal;
  /** Creates a Request without a body, for the router. Operations don't use it, because creating it takes as long as an operation. */
  toRequest(): Request;
}

/** A response as plain data, so that a host need not create a Response. */
export interface PlainResponse {
  status: number;
  /** Headers that were prepared and that many responses share. */
  headers: Record<string, string>;
  /** Headers of only this response. The host writes them last. `headers` contains none of their names. */
  own?: Record<string, string>;
  body: string | Uint8Array<ArrayBuffer>;
  /** Set if the host must cut the connection halfway through the body. */
  isCut?: true;
}

const json = {
  'Content-Type': 'application/json',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
};

/** No response: the host cuts the connection like a network error. */
export const noResponse: PlainResponse = { status: 0, headers: {}, body: '' };

/** Creates a JSON response with a rendered body, as text or bytes. */
export const renderedResponse = (
  status: number,
  body: PlainResponse['body'],
  more?: Record<string, string>,
): PlainResponse => ({ status, headers: more ? { ...json, ...more } : json, body });

/** Adds a header to `Vary` of a response. */
export function varyingBy(response: PlainResponse, name: string): PlainResponse {
  const { headers: prepared, own } = response;
  const before = prepared[headers.vary];
  return before === undefined
    ? { ...response, own: { ...own, [headers.vary]: [own?.[headers.vary], name].filter(Boolean).join(', ') } }
    : { ...response, headers: { ...prepared, [headers.vary]: `${before}, ${name}` } };
}

export const jsonResponse = (status: number, body: object, more?: Record<string, string>): PlainResponse =>
  renderedResponse(status, JSON.stringify(body), more);

/** Returns the headers of a response in the request's language. */
export const languageHeaders = (locale: Locale): Record<string, string> => ({
  [headers.contentLanguage]: locale,
  [headers.vary]: headers.acceptLanguage,
});

const jsonType = /^application\/(json|[\w.+-]+\+json)\s*(;|$)/i;

const tooLarge = (maxBytes: number): DomainError =>
  new DomainError('PAYLOAD_TOO_LARGE', { params: { maximum: String(maxBytes) } });

const malformed = (rule: 'json' | 'jsonObject'): DomainError =>
  new DomainError('MALFORMED_JSON', { fields: { body: [{ rule }] } });

/** Throws a client error, because a client that disconnects is not an internal error. */
const cutShort = (): never => {
  throw malformed('json');
};

/**
 * Reads a body up to its limit.
 *
 * @throws DomainError PAYLOAD_TOO_LARGE, or MALFORMED_JSON if the body ends too early.
 */
export async function readBody(request: SentRequest, maxBytes: number): Promise<Uint8Array> {
  if (request.read) return request.read;
  if (Number(request.header('Content-Length') ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const bytes = await request.readBody(maxBytes).catch(cutShort);
  if (bytes === null) throw tooLarge(maxBytes);
  request.read = bytes;
  return bytes;
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw malformed('json');
  }
}

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Reads the JSON object in a request's body. A missing body is read as `{}` (`docs/open-points.md`, errors).
 *
 * @throws DomainError PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE or MALFORMED_JSON.
 */
export async function readJsonBody(request: SentRequest, maxBytes: number): Promise<Fields> {
  const bytes = await readBody(request, maxBytes);
  if (bytes.length === 0) return {};
  const type = request.header('Content-Type');
  // A missing type is accepted as JSON, because rejecting it would only break clients.
  if (type !== null && !jsonType.test(type)) throw new DomainError('UNSUPPORTED_MEDIA_TYPE');
  const body = parse(bytes);
  if (!isObject(body)) throw malformed('jsonObject');
  return body;
}

/** Validates normalised fields, and returns their values. */
export function checkFields<const Rules extends readonly FieldRule[]>(
  rules: Rules,
  normalised: Fields,
  limits: FieldLimits,
) {
  const checked = validateFields(rules, normalised, limits);
  if ('errors' in checked) throw invalidFields(checked.errors);
  return checked.values;
}

const alphabet = '0123456789abcdefghijklmnopqrstuvwxyz';

/** Matches an acceptable id: short, without characters that a log must escape, and unlike a key. */
const acceptedId = /^(?!.*tk_(?:live|test)_)[\w.:-]{1,64}$/;

/** Creates a function that returns a request's id: the client's own id if it is acceptable, else a random prefix and a counter. */
export function createRequestIds(random: RandomBytes): (own: string | null | undefined) => string {
  const prefix = `req_${randomText(random, alphabet, 8)}`;
  let count = 0;
  return (own) => (own && acceptedId.test(own) ? own : `${prefix}_${(count++).toString(36)}`);
}
