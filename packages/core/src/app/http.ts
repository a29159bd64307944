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
import { type Random, randomText } from '../platform/index.ts';

export interface Connection {
  /** The client's IP address; `127.0.0.1` for requests within the process. */
  address: string;
  /**
   * Whether the request comes directly from the machine of the service, not through a proxy or from a page of another site.
   * Fixed keys and a sandbox's control routes without a key need that.
   */
  direct: boolean;
}

/** The connection of a request within the process. */
export const inProcess: Connection = { address: '127.0.0.1', direct: true };

/**
 * The one record of a request, which is filled in while the request is handled. The host's log, metrics and traces read it at
 * the end. Null: not known.
 */
export interface RequestRecord {
  method: string;
  /** Set as soon as the app has the request. */
  requestId: string;
  /** An operation of the interface, or the pattern of another route, such as `/pay/:reference`. Never a path with ids. */
  operation: string | null;
  accountId: string | null;
  /** Also of a key that was rejected because it no longer works. */
  keyId: string | null;
  /** Why a key of the store was rejected. */
  keyState: 'expired' | 'revoked' | null;
  /** Of an order that exists, or whose creation failed. */
  orderId: string | null;
  errorCode: ErrorCode | null;
  /** The cause of a response of 500 and above. Its text may be anything. */
  error: unknown;
  /**
   * The status of the response. The host sets it at the end: null when the client broke off before there was a response, 0 when the
   * sandbox cut the connection instead.
   */
  status: number | null;
  /** How long the request took, in milliseconds. The host sets it at the end. */
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
  /** The headers of the response that depend on this request: most of a response may be prepared. */
  own: Record<string, string>;
  locale: Locale;
  /**
   * The language of messages about fields: English unless the request asks for another, because live services send the
   * texts of their framework (open points: errors).
   */
  fieldLocale: Locale;
}

export type Site = Hono<{ Bindings: RequestContext }>;

/** A request as its host has it. */
export interface SentRequest {
  readonly method: string;
  /** The path and the query as they were sent, such as `/api/games?page=2`. */
  readonly target: string;
  /** The value of a header; null without it. Its name is in any case. */
  header(name: string): string | null;
  /** The names and values of all headers, in turn. */
  headers(): readonly string[];
  /**
   * Reads the body; null as soon as it is longer than `maxBytes`. Rejects when the client breaks off. It is called once at most.
   */
  readBody(maxBytes: number): Promise<Uint8Array | null>;
  /** What {@link readBody} has read, for the journal of a sandbox. */
  read?: Uint8Array;
  /** A signal that is aborted when the connection of the client is lost; left out where none can be lost. */
  lost?(): AbortSignal;
  /** The same as a Request without its body, for the router. An operation needs none, because it takes as long as the operation. */
  toRequest(): Request;
}

/** A response as plain data, which a host can write without creating a Response. */
export interface PlainResponse {
  status: number;
  /** Prepared, and shared by many responses. */
  headers: Record<string, string>;
  /** The headers of this one response, which are written last. They have no name that `headers` has. */
  own?: Record<string, string>;
  body: string | Uint8Array<ArrayBuffer>;
  /** The host cuts the connection in the middle of the body. */
  isCut?: true;
}

const json = {
  'Content-Type': 'application/json',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
};

/** No response: the host cuts the connection, as in a network error. */
export const noResponse: PlainResponse = { status: 0, headers: {}, body: '' };

/** A JSON response whose body is already rendered, as text or bytes. */
export const renderedResponse = (
  status: number,
  body: PlainResponse['body'],
  more?: Record<string, string>,
): PlainResponse => ({ status, headers: more ? { ...json, ...more } : json, body });

/** The same response, which depends on a header of requests, too. */
export function varyingBy(response: PlainResponse, name: string): PlainResponse {
  const { headers: prepared, own } = response;
  const before = prepared[headers.vary];
  return before === undefined
    ? { ...response, own: { ...own, [headers.vary]: [own?.[headers.vary], name].filter(Boolean).join(', ') } }
    : { ...response, headers: { ...prepared, [headers.vary]: `${before}, ${name}` } };
}

/** A JSON response with this value as its body. */
export const jsonResponse = (status: number, body: object, more?: Record<string, string>): PlainResponse =>
  renderedResponse(status, JSON.stringify(body), more);

/** The headers of a response whose text is in the language of the request. */
export const languageHeaders = (locale: Locale): Record<string, string> => ({
  [headers.contentLanguage]: locale,
  [headers.vary]: headers.acceptLanguage,
});

const jsonType = /^application\/(json|[\w.+-]+\+json)\s*(;|$)/i;

const tooLarge = (maxBytes: number): DomainError =>
  new DomainError('PAYLOAD_TOO_LARGE', { params: { maximum: String(maxBytes) } });

const malformed = (rule: 'json' | 'jsonObject'): DomainError =>
  new DomainError('MALFORMED_JSON', { fields: { body: [{ rule }] } });

/** A client that breaks off its request is no error of ours. */
const cutShort = (): never => {
  throw malformed('json');
};

/**
 * Reads a body within its limit.
 *
 * @throws DomainError PAYLOAD_TOO_LARGE, or MALFORMED_JSON when the body ends before it is complete.
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
 * Reads the JSON object in a request's body. No body at all is read as `{}` (`docs/open-points.md`, errors).
 *
 * @throws DomainError PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE or MALFORMED_JSON.
 */
export async function readJsonBody(request: SentRequest, maxBytes: number): Promise<Fields> {
  const bytes = await readBody(request, maxBytes);
  if (bytes.length === 0) return {};
  const type = request.header('Content-Type');
  // A missing type is accepted as JSON: rejecting it would only break clients.
  if (type !== null && !jsonType.test(type)) throw new DomainError('UNSUPPORTED_MEDIA_TYPE');
  const body = parse(bytes);
  if (!isObject(body)) throw malformed('jsonObject');
  return body;
}

/** The valid values of normalised fields. @throws DomainError VALIDATION_ERROR. */
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

/** Short, and nothing that needs escaping in a log or looks like a key. */
const acceptedId = /^(?!.*tk_(?:live|test)_)[\w.:-]{1,64}$/;

/** Returns a function for the id of a request: the client's own if it is acceptable, else a random prefix and a counter. */
export function createRequestIds(random: Random): (own: string | null | undefined) => string {
  const prefix = `req_${randomText(random, alphabet, 8)}`;
  let count = 0;
  return (own) => (own && acceptedId.test(own) ? own : `${prefix}_${(count++).toString(36)}`);
}
