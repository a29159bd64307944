import { headers as names } from '@topup-kit/core/contract';
import {
  type HttpErrorCode,
  type ResponseErrorCode,
  TopupHttpError,
  TopupResponseError,
} from './errors/index.ts';
import type { RawAnswer } from './exchange.ts';
import type { RequestFacts } from './request-facts.ts';

type JsonObject = Record<string, unknown>;

/** The JSON object of a successful answer; any other answer is thrown as the error that it is. */
export function readAnswer(answer: RawAnswer, facts: RequestFacts): JsonObject {
  if (answer.response.ok) return readObject(answer, facts);
  throw readError(answer, facts);
}

function readObject({ response, text = '' }: RawAnswer, facts: RequestFacts): JsonObject {
  const fault = (code: ResponseErrorCode, cause?: unknown): TopupResponseError => {
    const contentType = response.headers.get('Content-Type') ?? undefined;
    const answer = { code, status: response.status, contentType, requestId: requestIdOf(response) };
    return new TopupResponseError({ ...answer, body: text, cause }, facts);
  };
  if (text.trim() === '') throw fault('EMPTY_BODY');
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (error) {
    throw fault('NOT_JSON', error);
  }
  if (!isObject(body)) throw fault('NOT_AN_OBJECT');
  return body;
}

/** Takes any shape of interface 7.1, and a body that has none of them. */
function readError({ response, text }: RawAnswer, facts: RequestFacts): TopupHttpError {
  const { status } = response;
  const body = text === undefined || text === '' ? undefined : parsedOrText(text);
  const said = isObject(body) ? body : {};
  const fields = fieldsOf(said.errors);
  const code =
    codeOf(response.headers.get(names.errorCode)) ?? codeOf(said.error_code) ?? codeByStatus(status, fields);
  const serverMessage = typeof said.message === 'string' && said.message !== '' ? said.message : undefined;
  const requestId = requestIdOf(response);
  return new TopupHttpError({ status, code, serverMessage, fields, body, requestId }, facts);
}

function codeByStatus(status: number, fields: object | undefined): HttpErrorCode {
  if (status === 401) return 'UNAUTHORIZED';
  if (status === 404) return 'NOT_FOUND';
  if (status === 422) return fields === undefined ? 'REJECTED' : 'VALIDATION_ERROR';
  if (status === 429) return 'RATE_LIMITED';
  return status >= 500 ? 'SERVER_ERROR' : 'HTTP_ERROR';
}

const codeOf = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[\w.-]{1,64}$/.test(value) ? value : undefined;

/** Messages by field; an empty `errors`, which PHP writes as `[]`, is no validation failure. */
function fieldsOf(errors: unknown): Record<string, string[]> | undefined {
  if (!isObject(errors)) return undefined;
  const fields = Object.entries(errors).map(([field, messages]) => [field, textsOf(messages)] as const);
  return fields.length === 0 ? undefined : Object.fromEntries(fields);
}

const textsOf = (messages: unknown): string[] =>
  [messages].flat().filter((message) => typeof message === 'string');

const requestIdOf = (response: Response): string | undefined =>
  response.headers.get(names.requestId) ?? undefined;

function parsedOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
