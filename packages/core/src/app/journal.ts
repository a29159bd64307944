import { headers, hideKeys } from '../contract/index.ts';
import type { ActiveScenario, Scenario } from '../engine/index.ts';
import type { Clock, MonotonicClock } from '../platform/index.ts';
import {
  type Connection,
  createFacts,
  noResponse,
  type PlainResponse,
  type RequestLogFields,
  type SentRequest,
} from './http.ts';

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
  /** Notes a request that begins now. */
  begin(request: SentRequest): PendingEntry;
}

interface PendingEntry {
  /** The same request; what is read of its body is noted. */
  request: SentRequest;
  end(response: PlainResponse, facts: RequestLogFields): void;
}

/** A text, or bytes that become one when somebody reads it. */
interface KeptBody {
  content: PlainResponse['body'];
  cut: boolean;
}

/** An entry before anybody has read it: most are never read. */
interface Exchange extends Omit<JournalEntry, 'request' | 'response'> {
  request: { headers: readonly string[]; body: KeptBody };
  response: { headers: Record<string, string>; body: KeptBody };
}

const textOf = (content: string | Uint8Array): string =>
  typeof content === 'string' ? content : new TextDecoder().decode(content);

/** A host may reuse the memory of a request, so its body is not kept as bytes. */
const keptRequest = (bytes: Uint8Array | null): KeptBody => ({
  content: bytes === null ? '' : textOf(bytes.subarray(0, maxKeptBody)),
  cut: bytes !== null && bytes.length > maxKeptBody,
});

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

const readable = ({ request, response, ...entry }: Exchange): JournalEntry => ({
  ...entry,
  target: hideKeys(entry.target),
  request: readableMessage(request.headers, request.body),
  response: readableMessage(Object.entries(response.headers).flat(), response.body),
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
  const exchanges: Exchange[] = [];
  let last = 0;

  function find(number: number): Exchange | undefined {
    const exchange = exchanges[number % journalSize];
    return exchange?.number === number ? exchange : undefined;
  }

  return {
    find(number) {
      const exchange = find(number);
      return exchange && readable(exchange);
    },
    list({ limit = journalSize, after = 0 } = {}) {
      const entries: JournalEntry[] = [];
      for (let number = last; number > after && entries.length < limit; number -= 1) {
        const exchange = find(number);
        if (!exchange) break;
        entries.push(readable(exchange));
      }
      return entries;
    },
    begin(request) {
      const at = realClock();
      const startedAt = monotonicClock();
      const { scenario } = active;
      let body = keptRequest(null);
      return {
        request: {
          method: request.method,
          target: request.target,
          header: (name) => request.header(name),
          headers: () => request.headers(),
          async readBody(maxBytes) {
            const bytes = await request.readBody(maxBytes);
            body = keptRequest(bytes);
            return bytes;
          },
          ...(request.lost && { lost: () => request.lost?.() ?? new AbortController().signal }),
          toRequest: () => request.toRequest(),
        },
        end(response, { requestId, operation, errorCode, orderId }) {
          last += 1;
          exchanges[last % journalSize] = {
            number: last,
            at_ms: at,
            duration_ms: Math.round((monotonicClock() - startedAt) * 100) / 100,
            request_id: requestId,
            method: request.method,
            target: request.target,
            operation,
            scenario,
            status: response.status === noResponse.status ? null : response.status,
            error_code: errorCode,
            order_id: orderId,
            request: { headers: request.headers(), body },
            response: { headers: response.headers, body: keepResponse(response.body) },
          };
        },
      };
    },
  };
}

type Handle = (
  request: SentRequest,
  connection?: Connection,
  facts?: RequestLogFields,
) => Promise<PlainResponse>;

/** Handles requests in the same way, and keeps those that `isKept` chooses in the journal. */
export const withJournal =
  (handle: Handle, journal: RequestJournal, isKept: (request: SentRequest) => boolean): Handle =>
  async (request, connection, facts = createFacts()) => {
    if (!isKept(request)) return handle(request, connection, facts);
    const pending = journal.begin(request);
    const response = await handle(pending.request, connection, facts);
    pending.end(response, facts);
    return response;
  };
