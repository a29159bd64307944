import { headers, hideKeys } from '../contract/index.ts';
import type { ActiveScenario, Scenario } from '../engine/index.ts';
import type { Clock, MonotonicClock } from '../platform/index.ts';
import { noResponse, type PlainResponse, type RequestRecord, type SentRequest } from './http.ts';

/** How many requests a journal keeps. */
export const journalSize = 500;

/** The longest text of a body that is kept, in characters of a request and in bytes of a response. */
export const maxKeptBody = 16_384;

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

/** The last requests to the interface of a sandbox, in memory. */
export interface RequestJournal {
  /** The newest first: `limit` of them at most, and with `after` only those with a higher number. */
  list(options?: { limit?: number; after?: number }): JournalEntry[];
  /** The request with a number; undefined for one that is no longer kept. */
  find(number: number): JournalEntry | undefined;
  /** Begins the entry of a request that comes now. */
  begin(): BegunEntry;
  /** Keeps the entry of a request with its response. */
  end(begun: BegunEntry, request: SentRequest, response: PlainResponse, record: RequestRecord): void;
}

interface BegunEntry {
  at: number;
  startedAt: number;
  scenario: Scenario;
}

/** A text, or bytes that become one when somebody reads it. */
interface KeptBody {
  content: PlainResponse['body'];
  cut: boolean;
}

/** An entry before anybody has read it: most are never read. */
interface KeptEntry extends BegunEntry {
  number: number;
  endedAt: number;
  target: string;
  requestHeaders: readonly string[];
  requestBody: KeptBody;
  record: RequestRecord;
  response: Omit<PlainResponse, 'body'>;
  responseBody: KeptBody;
}

const textOf = (content: string | Uint8Array): string =>
  typeof content === 'string' ? content : new TextDecoder().decode(content);

/** A host may reuse the memory of a request, so its body is not kept as bytes. */
const keptRequest = (bytes: Uint8Array): KeptBody => ({
  content: textOf(bytes.subarray(0, maxKeptBody)),
  cut: bytes.length > maxKeptBody,
});

const unread: KeptBody = { content: '', cut: false };

/** The beginning in memory of its own: a part of a text or of bytes would keep the whole. */
function beginningOf(body: PlainResponse['body']): Uint8Array<ArrayBuffer> {
  if (typeof body !== 'string') return body.slice(0, maxKeptBody);
  const bytes = new Uint8Array(maxKeptBody);
  return bytes.subarray(0, new TextEncoder().encodeInto(body, bytes).written);
}

/** Many responses share their bytes, such as the list of games; what is kept of them is shared too. */
function createResponseKeeper(): (body: PlainResponse['body']) => KeptBody {
  const beginnings = new WeakMap<Uint8Array, Uint8Array<ArrayBuffer>>();
  return (body) => {
    if (body.length <= maxKeptBody) return { content: body, cut: false };
    if (typeof body === 'string') return { content: beginningOf(body), cut: true };
    const content = beginnings.get(body) ?? beginningOf(body);
    beginnings.set(body, content);
    return { content, cut: true };
  };
}

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

const readable = ({ record, response: { status, headers, own }, ...entry }: KeptEntry): JournalEntry => ({
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

/** Creates the journal of a sandbox. Live mode has none. */
export function createJournal({
  realClock,
  monotonicClock,
  active,
}: {
  realClock: Clock;
  monotonicClock: MonotonicClock;
  /** The simulated fault that is on. */
  active: ActiveScenario;
}): RequestJournal {
  const keepResponse = createResponseKeeper();
  /** By number, modulo the size. */
  const entries: KeptEntry[] = [];
  let last = 0;

  function find(number: number): KeptEntry | undefined {
    const entry = entries[number % journalSize];
    return entry?.number === number ? entry : undefined;
  }

  return {
    find(number) {
      const entry = find(number);
      return entry && readable(entry);
    },
    list({ limit = journalSize, after = 0 } = {}) {
      const listed: JournalEntry[] = [];
      for (let number = last; number > after && listed.length < limit; number -= 1) {
        const entry = find(number);
        if (!entry) break;
        listed.push(readable(entry));
      }
      return listed;
    },
    begin: () => ({ at: realClock(), startedAt: monotonicClock(), scenario: active.scenario }),
    end({ at, startedAt, scenario }, request, { status, headers: prepared, own = {}, body }, record) {
      last += 1;
      entries[last % journalSize] = {
        number: last,
        at,
        startedAt,
        endedAt: monotonicClock(),
        scenario,
        target: request.target,
        requestHeaders: request.headers(),
        requestBody: request.read ? keptRequest(request.read) : unread,
        record,
        response: { status, headers: prepared, own },
        responseBody: keepResponse(body),
      };
    },
  };
}
