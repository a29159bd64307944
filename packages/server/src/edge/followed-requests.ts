import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

export const endOfHead = '\r\n\r\n';

/** How long a head may be until it is complete, in bytes. Node's parser doesn't count the spaces before a value. */
const maxHeadBytes = 16 * 1_024;

const nothing = Buffer.alloc(0);

/** A copy that keeps nothing else in memory: a short Buffer is often a part of a pool of Node's, or of a long packet. */
export const copyOf = (bytes: Buffer): Buffer => Buffer.from(new Uint8Array(bytes).buffer);

/** Follows the requests of a connection: what comes in, and where each ends by what Node's parser says of it. */
export class FollowedRequests {
  /** What is being parsed, with what came before of the same head; as text, computed on first use. */
  #bytes: Buffer = nothing;
  #text: string | null = null;
  /** Where the first head in them ends, computed on first use. */
  #headEnd = -1;
  /** Whether these bytes begin with a request. */
  #isFresh = false;
  /** The last bytes, if they may be the beginning of a head that is not complete yet. */
  #partial: Buffer = nothing;
  /** How many bytes of a request's body are still to come, or null when only the parser knows. */
  #left: number | null = 0;
  /** How many requests began in the bytes that are being parsed, and the last request, until it is complete. */
  #begun = 0;
  #last: IncomingMessage | undefined;
  #hasBegun = false;

  /** Whether the next byte begins a request of a connection that has sent one before. */
  get isBetweenRequests(): boolean {
    return this.#left === 0 && this.#partial === nothing && this.#hasBegun;
  }

  /** Whether a head is still incomplete that should have ended by now. */
  get isHeadTooLong(): boolean {
    return this.#left === 0 && this.#partial.length > maxHeadBytes;
  }

  noteRequest(request: IncomingMessage): void {
    this.#begun += 1;
    this.#last = request;
    this.#hasBegun = true;
  }

  text(): string {
    this.#text ??= this.#bytes.toString('latin1');
    return this.#text;
  }

  /** The bytes that are being parsed, if they are a head of at most `maxBytes` and nothing else; else null. */
  wholeHead(maxBytes: number): Buffer | null {
    if (!this.#isFresh || this.#begun !== 1 || this.#bytes.length > maxBytes) return null;
    return this.#endOfFirstHead() === this.#bytes.length ? this.#bytes : null;
  }

  #endOfFirstHead(): number {
    if (this.#headEnd === -1) this.#headEnd = this.#bytes.indexOf(endOfHead) + endOfHead.length;
    return this.#headEnd;
  }

  /** Follows what `parse` does with a chunk. */
  follow(chunk: Buffer, parse: (chunk: Buffer) => void): void {
    this.#bytes = this.#partial === nothing ? chunk : Buffer.concat([this.#partial, chunk]);
    this.#isFresh = this.#left === 0;
    this.#begun = 0;
    this.#headEnd = -1;
    parse(chunk);
    const isHeadIncomplete = this.#isFresh && this.#begun === 0;
    if (!isHeadIncomplete) this.#left = this.#leftAfter(chunk);
    this.#partial = isHeadIncomplete ? this.#bytes : this.#left === null ? this.#lastLines() : nothing;
    // An idle connection keeps nothing else of them.
    this.#bytes = nothing;
    this.#text = null;
    if (this.#last?.complete) this.#last = undefined;
  }

  #leftAfter(chunk: Buffer): number | null {
    const request = this.#last;
    if (this.#left === null || !request) return null;
    const { headers, complete } = request;
    // After a request to upgrade, the parser hides errors until it has parsed another one.
    if (headers.upgrade !== undefined) return null;
    const left = this.#isFresh
      ? this.#endOfFirstHead() + Number(headers['content-length'] ?? 0) - this.#bytes.length
      : this.#left - chunk.length;
    // This is no parser: only what the real one says as well is believed.
    return left >= 0 && complete === (left === 0) ? left : null;
  }

  /** As much of the last bytes as a head may have, from the beginning of a line. */
  #lastLines(): Buffer {
    if (this.#bytes.length <= maxHeadBytes) return this.#bytes;
    const begin = this.#bytes.indexOf('\n', this.#bytes.length - maxHeadBytes);
    return begin === -1 ? nothing : copyOf(this.#bytes.subarray(begin));
  }
}

const requests = Symbol('the requests of a connection');

/** A property, because a map of all connections would cost each request a noticeable part of its time. */
interface FollowedSocket extends Socket {
  [requests]?: FollowedRequests;
}

/** Begins to follow the requests of a connection. */
export function followRequests(socket: FollowedSocket): FollowedRequests {
  const followed = new FollowedRequests();
  socket[requests] = followed;
  return followed;
}

export const requestsOf = (socket: FollowedSocket): FollowedRequests | undefined => socket[requests];

/** The bytes that are being parsed, as text: Node's parser accepts some of them that it doesn't show. */
export const bytesBeingParsed = (socket: FollowedSocket): string => requestsOf(socket)?.text() ?? '';
