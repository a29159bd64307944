import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { MatchedOperation } from '@topup-kit/core/app';
import {
  closeGently,
  isClosing,
  type PendingResponse,
  pendingResponse,
  setPendingResponse,
} from './connections.ts';
import { copyOf, endOfHead, followRequests, requestsOf } from './followed-requests.ts';

/** What is read of a request, but for its body. */
export type RequestHead = Pick<
  IncomingMessage,
  'method' | 'url' | 'headers' | 'rawHeaders' | 'httpVersionMinor' | 'socket'
>;

/** A response that only has to be written. */
export interface ReadyResponse {
  status: number;
  /** In their order; no name is twice in them. */
  headers: readonly Readonly<Record<string, string>>[];
  body: string | Uint8Array;
}

/** A read of an operation whose head was parsed and checked before. */
interface KnownRead {
  bytes: Buffer;
  matched: MatchedOperation;
  head: Omit<RequestHead, 'socket'>;
}

/** Writes a response. */
export type SendResponse = (response: ReadyResponse) => void;

/** Responds to a read of an operation, now or later. Repetitions of a read share their headers. */
export type ServeRead = (matched: MatchedOperation, head: RequestHead, send: SendResponse) => void;

/** The longest head that is kept, in bytes and in headers, and how many are: about 24 MiB of memory at most. */
const maxKnownBytes = 1_024;
const maxKnownHeaders = 32;
const maxKnown = 4_096;

/** The response to a repeated read, while it is made. */
class ReadInProgress implements PendingResponse {
  readonly headersSent = false;
  closes = false;

  /** A server that closes asks for `Connection: close`. */
  setHeader(): void {
    this.closes = true;
  }
}

/** The value of the header `Date`, which changes once a second. */
function createDate(): () => string {
  let until = 0;
  let text = '';
  return () => {
    const now = Date.now();
    if (now >= until || now < until - 1_000) {
      text = new Date(now).toUTCString();
      until = now - (now % 1_000) + 1_000;
    }
    return text;
  };
}

/** Whether a connection stays open after a request with these headers. Node's parser reads `Proxy-Connection` as well. */
const isKeptAlive = ({ connection, 'proxy-connection': ofProxy }: IncomingMessage['headers']): boolean =>
  ofProxy === undefined && (connection === undefined || connection.toLowerCase() === 'keep-alive');

/** The FNV-1a hash of bytes. As the key of a map, a text of each head would take more time. */
function hashOf(bytes: Buffer): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < bytes.length; index += 1)
    hash = Math.imul(hash ^ (bytes[index] ?? 0), 0x01000193);
  return hash;
}

/** The error of Node's parser for a head that is too long. */
const headTooLong = (): Error =>
  Object.assign(new Error('the head of a request is too long'), { code: 'HPE_HEADER_OVERFLOW' });

/** Remembers reads, and serves them when they are repeated. */
export interface RepeatedReads {
  /** Keeps the head of a read that was found well-formed, if it is all that its packet has and has come before. */
  remember(request: IncomingMessage, matched: MatchedOperation): void;
  /** From now on, responds to repeated reads with this; null stops that. */
  serve(serve: ServeRead | null): void;
}

/**
 * Clients send the same bytes again and again: for the same list, for the state of the same order. Node's parser, its objects
 * for a request and a response, and our checks of a head take most of the time of such a read, and come to the same result
 * each time. So the result is kept by the bytes, and another request of these bytes is responded to without them
 * (decisions/032).
 *
 * Only bytes that are surely one whole request are looked up: they came alone, and after a request that Node's parser says
 * has ended. All others go to that parser as ever.
 */
export function createRepeatedReads(server: Server): RepeatedReads {
  /** What is kept, by the hash of the bytes. */
  let known = new Map<number, KnownRead>();
  /** What was kept before that; all of it goes at once. */
  let knownBefore = new Map<number, KnownRead>();
  /** Hashes of heads that came once. To keep each of many that never come again takes 10 µs: the heap has to be collected. */
  const seen = new Int32Array(maxKnown);
  const date = createDate();
  const keepAlive = `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(server.keepAliveTimeout / 1_000)}`;
  let serveRead: ServeRead | null = null;

  function write(socket: Socket, { status, headers, body }: ReadyResponse, closes: boolean): void {
    let head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'unknown'}\r\n`;
    for (const some of headers) for (const name in some) head += `${name}: ${some[name]}\r\n`;
    if (status !== 304) head += `Content-Length: ${Buffer.byteLength(body)}\r\n`;
    head += `Date: ${date()}\r\n${closes ? 'Connection: close' : keepAlive}${endOfHead}`;
    if (typeof body === 'string') socket.write(head + body);
    else {
      socket.cork();
      socket.write(head, 'latin1');
      socket.write(body);
      socket.uncork();
    }
  }

  server.on('connection', (socket: Socket) => {
    const followed = followRequests(socket);
    const parsers = socket.listeners('data');
    /** What came while a read was responded to. */
    let waiting: Buffer | null = null;

    function parse(chunk: Buffer): void {
      for (const parser of parsers) parser.call(socket, chunk);
    }

    /** The read that was repeated last, which is most often repeated again. */
    let last: { bytes: Buffer; matched: MatchedOperation; head: RequestHead } | undefined;

    function findRead(chunk: Buffer): typeof last {
      if (last?.bytes.equals(chunk)) return last;
      const hash = hashOf(chunk);
      const read = known.get(hash) ?? knownBefore.get(hash);
      if (!read?.bytes.equals(chunk)) return undefined;
      last = { bytes: read.bytes, matched: read.matched, head: { ...read.head, socket } };
      return last;
    }

    function respond({ matched, head }: NonNullable<typeof last>, serve: ServeRead): void {
      const progress = new ReadInProgress();
      setPendingResponse(socket, progress);
      serve(matched, head, (response) => {
        setPendingResponse(socket, undefined);
        if (socket.writable && !isClosing(socket)) write(socket, response, progress.closes);
        if (progress.closes) closeGently(socket);
        handleWaiting();
      });
    }

    function handleWaiting(): void {
      if (waiting === null) return;
      const chunk = waiting;
      waiting = null;
      // First, because Node may pause the connection as it parses the chunk, and must find it paused afterwards.
      socket.resume();
      receive(chunk);
    }

    function receive(chunk: Buffer): void {
      // Node gives the parser of a destroyed connection to another one.
      if (isClosing(socket) || socket.destroyed) return;
      const pending = pendingResponse(socket);
      if (pending instanceof ReadInProgress) {
        waiting = waiting ? Buffer.concat([waiting, chunk]) : chunk;
        socket.pause();
        return;
      }
      const mayBeKnown =
        serveRead &&
        !pending &&
        followed.isBetweenRequests &&
        chunk.length <= maxKnownBytes &&
        !socket.writableNeedDrain;
      const read = mayBeKnown ? findRead(chunk) : undefined;
      if (read && serveRead) {
        respond(read, serveRead);
        return;
      }
      followed.follow(chunk, parse);
      if (followed.isHeadTooLong) server.emit('clientError', headTooLong(), socket);
    }

    socket.removeAllListeners('data');
    socket.on('data', receive);
  });

  server.on('request', (request) => requestsOf(request.socket)?.noteRequest(request));

  return {
    remember({ method, url, headers, rawHeaders, httpVersionMinor, socket }, matched) {
      if (
        !serveRead ||
        httpVersionMinor !== 1 ||
        !isKeptAlive(headers) ||
        rawHeaders.length > 2 * maxKnownHeaders
      )
        return;
      const bytes = requestsOf(socket)?.wholeHead(maxKnownBytes) ?? null;
      if (bytes === null) return;
      const hash = hashOf(bytes);
      if (known.get(hash)?.bytes.equals(bytes)) return;
      const place = hash & (maxKnown - 1);
      if (seen[place] !== hash) {
        seen[place] = hash;
        return;
      }
      if (known.size === maxKnown / 2) {
        knownBefore = known;
        known = new Map();
      }
      known.set(hash, {
        bytes: copyOf(bytes),
        matched,
        head: { method, url, headers, rawHeaders, httpVersionMinor },
      });
    },
    serve(serve) {
      serveRead = serve;
    },
  };
}
