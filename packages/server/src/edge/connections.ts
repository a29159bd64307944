import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const pending = Symbol('the response that a connection is waiting for');
const ended = Symbol('whether the last request of a connection has come');
const inLine = Symbol('how many requests of a connection wait for their turn');
const begin = Symbol('handles the request of a response');

/** Socket with its connection's state, in properties, because a map would take a noticeable part of each request's time. */
interface KnownSocket extends Socket {
  [pending]?: ServerResponse | undefined;
  [ended]?: boolean;
  [inLine]?: number;
}

/** A response whose request may wait for its turn. */
interface WaitingResponse extends ServerResponse {
  [begin]?: () => void;
}

/** Returns the response that a connection is waiting for; undefined if the connection is idle, which Node doesn't report. */
export const pendingResponse = (socket: KnownSocket): ServerResponse | undefined => socket[pending];

/** Tells whether a connection's last request has arrived; later data is ignored. */
export const hasEnded = (socket: KnownSocket): boolean => socket[ended] === true;

export function endRequests(socket: KnownSocket): void {
  socket[ended] = true;
}

/** Maximum number of waiting requests per connection. Few clients send a request before they have the previous response. */
export const maxWaiting = 32;

/** Returns the number of requests of a connection that wait for earlier responses. */
export const waitingRequests = (socket: KnownSocket): number => socket[inLine] ?? 0;

/**
 * Handles a request after the responses to all earlier requests of its connection were sent. A connection thus waits for at most one
 * response, however many requests it sends.
 */
export function inTurn(socket: KnownSocket, response: WaitingResponse, handle: () => void): void {
  if (response.socket) handle();
  else {
    socket[inLine] = waitingRequests(socket) + 1;
    response[begin] = handle;
  }
}

/** Response that records its connection, and handles its request when its turn comes. */
export class TrackedResponse<Request extends IncomingMessage = IncomingMessage>
  extends ServerResponse<Request>
  implements WaitingResponse
{
  declare [begin]?: () => void;

  override assignSocket(socket: KnownSocket): void {
    socket[pending] = this;
    super.assignSocket(socket);
    if (!this[begin]) return;
    socket[inLine] = waitingRequests(socket) - 1;
    this[begin]();
  }

  override detachSocket(socket: KnownSocket): void {
    socket[pending] = undefined;
    super.detachSocket(socket);
  }
}
