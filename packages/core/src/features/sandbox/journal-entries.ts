import { noResponse, type PlainResponse, type RequestRecord } from '../../app/http.ts';
import { headers, hideKeys, type Scenario } from '../../contract/index.ts';

/** The headers and the body of a request or a response, without its secrets. */
export interface JournalMessage {
  /** By name; the values of one that was sent several times are joined. */
  headers: Record<string, string>;
  /** Empty also if nobody read it. */
  body: string;
  /** Whether the body was longer than what is kept of it. */
  body_cut: boolean;
}

/** A request to the interface and its response, as `GET /sandbox/requests` shows it. */
export interface JournalEntry {
  /** The first request of the sandbox has 1. */
  number: number;
  /** When the request came, in unix milliseconds of real time. */
  at_ms: number;
  /** How long the response took, in milliseconds. */
  duration_ms: number;
  /** As in `X-Request-Id`. A client may send the same id twice. */
  request_id: string;
  method: string;
  /** The path and the query. */
  target: string;
  /** Null when it is for no operation. */
  operation: string | null;
  /** The simulated fault that was on for all requests. */
  scenario: Scenario;
  /** Null when the sandbox cut the connection instead. */
  status: number | null;
  error_code: string | null;
  /** Of the order that it placed or read. */
  order_id: string | null;
  request: JournalMessage;
  response: JournalMessage;
}

/** A text, or bytes that become one when somebody reads it. */
export interface KeptBody {
  content: PlainResponse['body'];
  cut: boolean;
}

/** An entry before anybody has read it: most are never read. */
export interface KeptEntry {
  number: number;
  at: number;
  scenario: Scenario;
  startedAt: number;
  endedAt: number;
  target: string;
  requestHeaders: readonly string[];
  requestBody: KeptBody;
  /** Not the whole record, whose error may be large. */
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

/** A secret without what is secret of it. */
function hidden(name: string, value: string): string {
  const text = hideKeys(value);
  return text === value && secretHeaders.has(name.toLowerCase()) ? '[secret]' : text;
}

/** Headers by name, from their names and values in turn. */
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

/** An entry as it is shown, without its secrets. */
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
