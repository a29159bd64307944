import {
  commonErrors,
  type ErrorCode,
  errorShapes,
  errors,
  kitDialect,
  operations,
  pathPattern,
  routes,
  headers as wire,
} from '@topup-kit/core/contract';
import { responseSchemas } from '@topup-kit/core/schemas';
import type { Got, Sent } from '../../packages/server/test/helpers/whole-service.ts';

/** Errors of a request that matches no operation. */
const unmatchedErrors: readonly ErrorCode[] = ['UNAUTHORIZED', 'ROUTE_NOT_FOUND', 'METHOD_NOT_ALLOWED'];

/** Errors of unknown scenarios, which a sandbox rejects for any operation (docs/sandbox.md). */
const scenarioErrors: readonly ErrorCode[] = ['VALIDATION_ERROR'];

const asksForScenario = ({ headers = {} }: Sent): boolean =>
  Object.keys(headers).some((name) => name.toLowerCase() === wire.scenario.toLowerCase());

/** Keys of an error's body, by its shape (interface 7.1). */
const keysOf = {
  message: ['message'],
  business: ['message', 'success'],
  validation: ['errors', 'message'],
  envelope: ['error_code', 'errors', 'message', 'success'],
};
const shapeOf = errorShapes(kitDialect);

const isErrorCode = (code: string | null): code is ErrorCode => code !== null && Object.hasOwn(errors, code);

const sameKeys = (value: object, keys: readonly string[]): boolean =>
  Object.keys(value).sort().join() === keys.join();

const isTextList = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string');

function findErrorFault(code: ErrorCode, status: number, body: unknown): string | null {
  if (errors[code].status !== status) return `${code} with status ${status}`;
  if (typeof body !== 'object' || body === null) return 'an error without a body';
  const shape = shapeOf(code);
  if (!sameKeys(body, keysOf[shape])) return `${code} with the keys ${Object.keys(body)}`;
  if (!('message' in body) || typeof body.message !== 'string' || body.message === '') return 'no message';
  if (shape !== 'validation') return null;
  const lists = 'errors' in body && typeof body.errors === 'object' ? Object.values(body.errors ?? {}) : [];
  return lists.length > 0 && lists.every(isTextList) ? null : 'errors by field are no lists of texts';
}

/** Returns the operation that a request names; undefined for any other request. */
function operationOf({ method, path }: Sent) {
  const [plain = ''] = path.split('?');
  return operations.find(
    (operation) =>
      routes[operation].method === method &&
      plain.startsWith('/api') &&
      pathPattern(operation).test(plain.slice('/api'.length)),
  );
}

/** Returns how a response of the interface violates the contract; null if it doesn't. */
function findInterfaceFault(sent: Sent, { status, headers }: Got, body: unknown): string | null {
  const operation = operationOf(sent);
  const code = headers.get(wire.errorCode);
  if (code !== null) {
    if (!isErrorCode(code)) return `the unknown code ${code}`;
    const allowed: readonly ErrorCode[] = operation
      ? [...commonErrors, ...routes[operation].errors, ...(asksForScenario(sent) ? scenarioErrors : [])]
      : unmatchedErrors;
    return allowed.includes(code)
      ? findErrorFault(code, status, body)
      : `${code}, which ${operation} does not list`;
  }
  if (operation === undefined) return 'no error for a request that is no operation';
  if (status === 304) return null;
  if (status !== routes[operation].success) return `status ${status} without an error code`;
  const parsed = responseSchemas[operation].safeParse(body);
  return parsed.success ? null : `a body that the schema rejects: ${parsed.error.message}`;
}

/** Tells whether a path is that of a callback, whose body the provider defines. */
const isCallback = (path: string): boolean => /^\/(callback\/paygate|depot\/webhook)(\?|$)/.test(path);

/** Returns the fault of a response; null if there is none. */
export function findFault(sent: Sent, got: Got): string | null {
  const { status, headers, text } = got;
  if (status >= 500) return `status ${status}`;
  if (headers.get(wire.requestId) === null) return 'no request id';
  if (/node_modules|\.ts:\d+|\n\s+at \S+ \(/.test(text)) return 'an insight into the code';
  if (sent.method === 'HEAD') return text === '' ? null : 'a body for HEAD';
  if ([204, 303, 304].includes(status)) return null;
  if (headers.get('X-Content-Type-Options') !== 'nosniff') return 'no nosniff';
  const type = headers.get('Content-Type') ?? '';
  if (type !== 'application/json') {
    if (sent.path.startsWith('/api/')) return `the type ${type}`;
    return /^(text\/(html|plain)|image\/svg\+xml|application\/openmetrics)/.test(type)
      ? null
      : `the type ${type}`;
  }
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return 'no JSON';
  }
  if (sent.path.startsWith('/api/')) return findInterfaceFault(sent, got, body);
  const code = headers.get(wire.errorCode);
  if (isErrorCode(code)) return findErrorFault(code, status, body);
  return status < 400 || isCallback(sent.path) ? null : `status ${status} without an error code`;
}

/** Returns the responses in the data from a socket, or a fault if the data is not HTTP or contains forbidden text. */
export function findRawFault(received: string): string | null {
  let rest = received;
  while (rest !== '') {
    const [head, status = '', headers = ''] =
      /^HTTP\/1\.1 (\d{3})[^\r\n]*\r\n((?:[^\r\n]+\r\n)*)\r\n/.exec(rest) ?? [];
    if (head === undefined) return `bytes that are no response: ${JSON.stringify(rest.slice(0, 200))}`;
    // Response to an unsupported version of HTTP.
    if (Number(status) >= 500 && status !== '505') return `status ${status}`;
    const length = Number(/^content-length: (\d+)\r$/im.exec(headers)?.[1] ?? Number.NaN);
    // A chunked body ends with the connection here, because each request asks to close the connection.
    if (Number.isNaN(length)) return null;
    const body = rest.slice(head.length, head.length + length);
    if (Number(status) >= 400 && body !== '') {
      try {
        JSON.parse(body);
      } catch {
        if (!/^content-type: text\/html/im.test(headers))
          return `an error that is no JSON: ${body.slice(0, 200)}`;
      }
    }
    if (/node_modules|\.ts:\d+/.test(body)) return 'an insight into the code';
    // A response to HEAD has a length and no body.
    rest = /^HTTP\/1\.1 \d/.test(rest.slice(head.length))
      ? rest.slice(head.length)
      : rest.slice(head.length + length);
  }
  return null;
}
