import type { PlainResponse } from '../../app/http.ts';
import type { AppRoom } from '../../app/room.ts';
import type { Clock, MonotonicClock } from '../../platform/index.ts';
import { type JournalEntry, type KeptBody, type KeptEntry, readable } from './journal-entries.ts';
import type { ActiveScenario } from './scenarios.ts';

/** Maximum number of requests in a journal. */
export const maxJournalEntries = 500;

/** Maximum length of a stored body: in characters for a request, in bytes for a response. */
export const maxKeptBody = 16_384;

/** The last requests to the interface of a sandbox, in memory. */
export interface RequestJournal {
  /** Lists requests, newest first: at most `limit`, and with `after` only requests with a higher number. */
  list(options?: { limit?: number; after?: number }): JournalEntry[];
  /** Finds a request by its number; undefined if it is no longer stored. */
  find(number: number): JournalEntry | undefined;
  /** Begins the entry of a new request. The returned function stores the entry with the response. */
  begin: NonNullable<AppRoom['begin']>;
}

/** Stores a request's body as text, because a host may reuse the memory of its bytes. */
const keptRequest = (bytes: Uint8Array): KeptBody => ({
  content: new TextDecoder().decode(bytes.subarray(0, maxKeptBody)),
  cut: bytes.length > maxKeptBody,
});

const unread: KeptBody = { content: '', cut: false };

/** Copies the beginning of a body, because a slice of a string or of bytes would keep the whole body in memory. */
function beginningOf(body: PlainResponse['body']): Uint8Array<ArrayBuffer> {
  if (typeof body !== 'string') return body.slice(0, maxKeptBody);
  const bytes = new Uint8Array(maxKeptBody);
  return bytes.subarray(0, new TextEncoder().encodeInto(body, bytes).written);
}

/** Creates a function that stores a response's body. Responses with shared bytes, such as the list of games, share the stored part. */
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

/** Creates the journal of a sandbox. Live mode has none. */
export function createJournal({
  realClock,
  monotonicClock,
  active,
}: {
  realClock: Clock;
  monotonicClock: MonotonicClock;
  /** The active scenario. */
  active: ActiveScenario;
}): RequestJournal {
  const keepResponse = createResponseKeeper();
  /** Entries by number, modulo the size. */
  const entries: KeptEntry[] = [];
  let last = 0;

  function find(number: number): KeptEntry | undefined {
    const entry = entries[number % maxJournalEntries];
    return entry?.number === number ? entry : undefined;
  }

  return {
    find(number) {
      const entry = find(number);
      return entry && readable(entry);
    },
    list({ limit = maxJournalEntries, after = 0 } = {}) {
      const listed: JournalEntry[] = [];
      for (let number = last; number > after && listed.length < limit; number -= 1) {
        const entry = find(number);
        if (!entry) break;
        listed.push(readable(entry));
      }
      return listed;
    },
    begin() {
      const begun = { at: realClock(), startedAt: monotonicClock(), scenario: active.scenario };
      return (request, { status, headers: prepared, own = {}, body }, record) => {
        const { requestId, method, operation, errorCode, orderId } = record;
        last += 1;
        entries[last % maxJournalEntries] = {
          ...begun,
          number: last,
          endedAt: monotonicClock(),
          target: request.target,
          requestHeaders: request.headers(),
          requestBody: request.read ? keptRequest(request.read) : unread,
          record: { requestId, method, operation, errorCode, orderId },
          response: { status, headers: prepared, own },
          responseBody: keepResponse(body),
        };
      };
    },
  };
}
