import type { PlainResponse } from '../../app/http.ts';
import type { AppRoom } from '../../app/room.ts';
import type { Clock, MonotonicClock } from '../../platform/index.ts';
import { type JournalEntry, type KeptBody, type KeptEntry, readable } from './journal-entries.ts';
import type { ActiveScenario } from './scenarios.ts';

/** How many requests a journal keeps. */
export const maxJournalEntries = 500;

/** The longest text of a body that is kept, in characters of a request and in bytes of a response. */
export const maxKeptBody = 16_384;

/** The last requests to the interface of a sandbox, in memory. */
export interface RequestJournal {
  /** The newest first: `limit` of them at most, and with `after` only those with a higher number. */
  list(options?: { limit?: number; after?: number }): JournalEntry[];
  /** The request with a number; undefined for one that is no longer kept. */
  find(number: number): JournalEntry | undefined;
  /** Begins the entry of a request that comes now; what it returns keeps it, with the response. */
  begin: NonNullable<AppRoom['begin']>;
}

/** A host may reuse the memory of a request that has ended, so its body is not kept as bytes. */
const keptRequest = (bytes: Uint8Array): KeptBody => ({
  content: new TextDecoder().decode(bytes.subarray(0, maxKeptBody)),
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
