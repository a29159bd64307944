import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const pending = Symbol('the response that a connection is waiting for');
const ended = Symbol('whether the last request of a connection has come');
const inLine = Symbol('how many requests of a connection wait for their turn');
const begin = Symbol('handles the request of a response');

/** What is known of a connection. Properties, because a map of all connections would cost each request a noticeable part of its time. */
interface KnownSocket extends Socket {
  [pending]?: ServerResponse | undefined;
  [ended]?: boolean;
  [inLine]?: number;
}

/** A response whose request may wait for its turn. */
interface WaitingResponse extends ServerResponse {
  [begin]?: () => void;
}

/** The response that a connection is waiting for; Node tells nobody else which connections are idle. */
export const pendingResponse = (socket: KnownSocket): ServerResponse | undefined => socket[pending];

/** Whether the last request of a connection has come: what follows it is not looked at. */
export const hasEnded = (socket: KnownSocket): boolean => socket[ended] === true;

export function endRequests(socket: KnownSocket): void {
  socket[ended] = true;
}

/** How many requests of a connection may wait for their turn. Few clients send one before they have the response to the last. */
export const maxWaiting = 32;

/** How many requests of a connection wait until those before them are responded to. */
export const waitingRequests = (socket: KnownSocket): number => socket[inLine] ?? 0;

/**
 * Handles a request when the responses to those before it on its connection have been sent. So a connection is owed one
 * response at most, however many requests it sends.
 */
export function inTurn(socket: KnownSocket, response: WaitingResponse, handle: () => void): void {
  if (response.socket) handle();
  else {
    socket[inLine] = waitingRequests(socket) + 1;
    response[begin] = handle;
  }
}

/** A response that notes on which connection it is awaited, and has its request handled when its turn comes. */
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
