import { noResponse, type PlainResponse, type RequestRecord } from '../../app/http.ts';
import { headers, hideKeys, type Scenario } from '../../contract/index.ts';

/** The headers and the body of a request or a response, without its secrets. */
export interface JournalMessage {
  /** Values by name. The values of a repeated header are joined. */
  headers: Record<string, string>;
  /** The body as text; empty if the server did not read it. */
  body: string;
  /** True if only the beginning of the body is stored. */
  body_cut: boolean;
}

/** A request to the interface and its response, as `GET /sandbox/requests` shows it. */
export interface JournalEntry {
  /** Number of the request; the sandbox's first request has 1. */
  number: number;
  /** Time of the request, in unix milliseconds of real time. */
  at_ms: number;
  /** Duration until the response, in milliseconds. */
  duration_ms: number;
  /** The `X-Request-Id`. A client may send the same id twice. */
  request_id: string;
  method: string;
  /** The path and the query. */
  target: string;
  /** Operation of the request; null if it matches none. */
  operation: string | null;
  /** The scenario that was active for all requests. */
  scenario: Scenario;
  /** Status of the response; null if the sandbox cut the connection instead. */
  status: number | null;
  error_code: string | null;
  /** Id of the order that the request placed or read. */
  order_id: string | null;
  request: JournalMessage;
  response: JournalMessage;
}

/** A string, or bytes that are decoded when the entry is read. */
export interface KeptBody {
  content: PlainResponse['body'];
  cut: boolean;
}

/** An entry before it is formatted for display, because most entries are never read. */
export interface KeptEntry {
  number: number;
  at: number;
  scenario: Scenario;
  startedAt: number;
  endedAt: number;
  target: string;
  requestHeaders: readonly string[];
  requestBody: KeptBody;
  /** The needed part of the record, because its error may be large. */
  record: Pick<RequestRecord, 'requestId' | 'method' | 'operation' | 'errorCode' | 'orderId'>;
  response: Omit<PlainResponse, 'body'>;
  responseBody: KeptBody;
}

const textOf = (content: string | Uint8Array): string =>
  typeof content === 'string' ? content : new TextDecoder().decode(content);

const secretHeaders: ReadonlySet<string> = new Set([
  headers.apiKey.toLowerCase(),
  'authorization',
  'cookie',
  'proxy-authorization',
  'set-cookie',
]);

/** Masks a secret value. */
function hidden(name: string, value: string): string {
  const text = hideKeys(value);
  return text === value && secretHeaders.has(name.toLowerCase()) ? '[secret]' : text;
}

/** Converts a list of alternating names and values to headers by name. */
function readableHeaders(sent: readonly string[]): Record<string, string> {
  const readable: Record<string, string> = {};
  for (let index = 0; index < sent.length; index += 2) {
    const name = sent[index] ?? '';
    const value = hidden(name, sent[index + 1] ?? '');
    readable[name] = Object.hasOwn(readable, name) ? `${readable[name]}, ${value}` : value;
  }
  return readable;
}

const readableMessage = (sent: readonly string[], { content, cut }: KeptBody): JournalMessage => ({
  headers: readableHeaders(sent),
  body: hideKeys(textOf(content)),
  body_cut: cut,
});

/** Formats an entry for display, without secrets. */
export const readable = ({
  record,
  response: { status, headers, own },
  ...entry
}: KeptEntry): JournalEntry => ({
  number: entry.number,
  at_ms: entry.at,
  duration_ms: Math.round((entry.endedAt - entry.startedAt) * 100) / 100,
  request_id: record.requestId,
  method: record.method,
  target: hideKeys(entry.target),
  operation: record.operation,
  scenario: entry.scenario,
  status: status === noResponse.status ? null : status,
  error_code: record.errorCode,
  order_id: record.orderId,
  request: readableMessage(entry.requestHeaders, entry.requestBody),
  response: readableMessage(Object.entries({ ...headers, ...own }).flat(), entry.responseBody),
});
